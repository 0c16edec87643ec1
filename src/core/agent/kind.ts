import type { SessionEnv } from '../session/session-env.ts';

/** What the sessions of an agent have in common, also those that another agent holds for it: see `agentTool`. */
export interface Kind extends Pick<
  SessionEnv,
  'needsApproval' | 'present' | 'agentName' | 'formatRejection' | 'cost' | 'getModel'
> {
  readonly policy: Omit<SessionEnv['policy'], 'tools'>;
  readonly getClient: () => SessionEnv['client'];
}
