import type { SessionEnv } from '../session/session-env.ts';
import type { AgentOptions } from './agent-options.ts';
import type { ClientChoice } from './client-choice.ts';

/** What the sessions of an agent have in common, also those that another agent holds for it: see `agentTool`. */
export interface Kind extends Pick<
  SessionEnv,
  'needsApproval' | 'present' | 'agentName' | 'formatRejection' | 'cost' | 'getModel'
> {
  readonly policy: Omit<SessionEnv['policy'], 'tools'>;
  readonly getClient: () => SessionEnv['client'];
}

/** Returns what the options of an agent state for each of its sessions. */
export function toKind(options: AgentOptions, choice: ClientChoice): Kind {
  const { name = '', needsApproval, present, formatRejection, context, maxSteps = 10, budget, stopWhen } = options;
  return {
    needsApproval,
    present,
    agentName: name,
    formatRejection,
    cost: context?.cost,
    policy: { maxSteps, budget, stopWhen },
    getClient: () => choice.options().client,
    getModel: () => choice.options().model,
  };
}
