import { type AgentErrorCode, toAgentError } from 'brooklet';
import { createStored } from '../base/stored.ts';

/** How the service of the chosen model has answered last: not yet, well, with a refusal of the key or the account, or not at all. */
export type Health = 'unknown' | 'works' | 'refused' | 'unreachable';

/** The same in all tabs, also after a reload: `unknown` for a service that has just been chosen. */
export const health = createStored<Health>('brooklet-studio:health', {
  read: (text) => (text === 'works' || text === 'refused' || text === 'unreachable' ? text : 'unknown'),
  write: (value) => (value === 'unknown' ? undefined : value),
});

const meanings: { readonly [code in AgentErrorCode]?: Health } = {
  AUTHENTICATION_FAILED: 'refused',
  PERMISSION_DENIED: 'refused',
  INSUFFICIENT_QUOTA: 'refused',
  NETWORK_ERROR: 'unreachable',
  REQUEST_TIMEOUT: 'unreachable',
  OVERLOADED: 'unreachable',
};

/** Notes how a request has ended, or that an answer has begun. An error that is not about the connection changes nothing. */
export function noteHealth(thrown?: unknown): void {
  const next = thrown === undefined ? 'works' : meanings[toAgentError(thrown).code];
  if (next !== undefined && next !== health.get()) health.change(() => next);
}
