import { openRun, type SessionState } from '../log/evolve.ts';
import type { RunOutcome } from '../log/event.ts';
import { openCalls } from '../log/status.ts';
import type { ToolPart } from '../message.ts';
import { toolParts } from '../message.ts';

/** What a run may do, beside what happened. */
export interface Policy {
  /** Requests to the model, at most. */
  readonly maxSteps: number;
}

/** What to do now. */
export type Step =
  | { readonly do: 'ask' }
  /** Check the input, and whether a person must agree. */
  | { readonly do: 'decide'; readonly call: ToolPart }
  | { readonly do: 'execute'; readonly call: ToolPart }
  /** Something is under way, or somebody has to say something. */
  | { readonly do: 'wait' }
  | { readonly do: 'end'; readonly outcome: RunOutcome };

/** The whole agent: what to do now follows from what has happened, and from nothing else. */
export function next(state: SessionState, policy: Policy): Step {
  const run = openRun(state);
  if (run === undefined || run.openReply !== undefined) return { do: 'wait' };

  const open = openCalls(state);
  // All of a reply's calls are checked before the first one runs.
  const requested = open.find(({ status }) => status === 'requested');
  if (requested) return { do: 'decide', call: requested };
  const allowed = open.find(({ status }) => status === 'approved' || status === 'edited');
  if (allowed) return { do: 'execute', call: allowed };
  if (open.length > 0) return { do: 'wait' };

  const last = state.messages.at(-1);
  const answered = last?.role === 'assistant' && last.status !== 'interrupted' && toolParts(last).length === 0;
  if (answered || last === undefined) return { do: 'end', outcome: 'completed' };
  return run.steps < policy.maxSteps ? { do: 'ask' } : { do: 'end', outcome: 'limit' };
}
