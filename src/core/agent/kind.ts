import type { SessionEnv } from '../session/session-env.ts';
import type { SessionConfig } from './session-config.ts';

/** What the sessions of an agent have in common, also those that another agent holds for it: see `agentTool`. */
export interface Kind extends Pick<
  SessionEnv,
  'needsApproval' | 'present' | 'agentName' | 'formatRejection' | 'cost' | 'autoResume'
> {
  readonly policy: Omit<SessionEnv['policy'], 'tools'>;
  readonly getClient: () => SessionEnv['client'];
  readonly getModel: () => string | undefined;
  /** Returns the configuration of a session without tools or instructions of its own. */
  readonly createConfig: () => SessionConfig;
  readonly store: SessionEnv['store'];
}

/** The kinds by the agent that `createAgent` has returned. */
const kinds = new WeakMap<object, Kind>();

export function setKind<T extends object>(agent: T, kind: Kind): T {
  kinds.set(agent, kind);
  return agent;
}

/** Returns `undefined` for an object that `createAgent` of this copy of the package has not made. */
export function kindOf(agent: object): Kind | undefined {
  return kinds.get(agent);
}
