import type { ErrorInfo } from '../error.ts';
import type { RunLimit, RunOutcome } from './event.ts';
import type { Budget } from './settings.ts';
import { betweenRuns, type Situation, type StepBetweenRuns } from './between-runs.ts';
import { openRun, type RecentState, type RunState, type SessionState } from './state.ts';
import { lastReplyOf, newestOf, openCalls } from './status.ts';
import { type Message, type ToolPart, toolParts, totalInput } from './message.ts';

/** What a run needs to know of a tool before a call of the tool runs. */
export interface ToolTraits {
  /** Whether a call that was cut off may run again. */
  readonly idempotent?: boolean;
  /** Whether a call runs alone, not beside other calls. */
  readonly exclusive?: boolean;
  /** Largest number of calls of the tool that run at the same time in one session. Default: no limit. */
  readonly concurrency?: number;
  /** `false`: the run ends with the result of the call, without another request. */
  readonly followUp?: boolean;
  /** Whether requests leave the tool out: only what the page itself puts into a reply calls it. */
  readonly hidden?: boolean;
}

/** The limits and rules of a run: what the next step depends on beside the events. */
export interface Policy {
  /** Largest number of requests to the model. */
  readonly maxSteps: number;
  /** Whether older messages have to be compacted before the next request. */
  readonly shouldCompact?: ((state: SessionState) => boolean) | undefined;
  /** Checked before each request but the first. */
  readonly budget?: Budget | undefined;
  /** Called before each request but the first: `true` ends the run with outcome `limit`. */
  readonly stopWhen?: ((state: SessionState) => boolean) | undefined;
  /** Traits by the name of the tool. */
  readonly tools?: ReadonlyMap<string, ToolTraits>;
  /** What a budget says of the next request, where it is more than that of this session alone: see `Account`. */
  readonly account?: ((state: SessionState) => Refusal | 'wait' | undefined) | undefined;
  /** Why the sessions of open calls have stopped, by the id of the call: the run ends when nothing else is under way. */
  readonly stopped?: ReadonlyMap<string, Stop>;
  /** Whether the decision of a person on a call is still being stored: it may have to be taken back. */
  readonly isHeld?: ((callId: string) => boolean) | undefined;
}

/** Which limit refuses a request, and whose: `account` is the id of a session above. */
export interface Refusal {
  readonly limit: RunLimit;
  readonly account?: string;
}

/** How a run ends although calls of it are open: a run that resumes it continues them. */
export interface Stop extends Partial<Refusal> {
  readonly outcome: 'limit' | 'interrupted';
  readonly error?: ErrorInfo;
}

/** A step of a run. */
export type RunStep =
  /** Do nothing: something is under way, or a person has to decide. */
  | { readonly do: 'wait' }
  /** Send a request to the model. */
  | { readonly do: 'ask' }
  /** Compact older messages: the next request would be too long. */
  | { readonly do: 'compact' }
  /** Check the input, and whether a person must agree. */
  | { readonly do: 'decide'; readonly call: ToolPart }
  | { readonly do: 'execute'; readonly call: ToolPart }
  /** Move a queued steering message into the conversation. */
  | { readonly do: 'admit'; readonly message: Message }
  | ({ readonly do: 'end'; readonly outcome: RunOutcome } & Omit<Stop, 'outcome'>);

/** The next step. */
export type Step = RunStep | StepBetweenRuns;

/**
 * Returns the next step. The whole agent is this function: the next step follows from the events so far, the time and the role
 * of the tab. Pure.
 *
 * @param situation if absent, only the steps within a run are returned, for the tab that drives the run
 */
export function next(state: SessionState, policy: Policy, situation?: Situation): Step {
  return (situation && betweenRuns(state, situation)) ?? withinRun(state, policy, () => state);
}

/**
 * Returns the next step of the run that this tab drives.
 *
 * @param state the whole state, or its recent part: see `Log.peek`
 * @param getState returns the whole state, for the functions of the policy
 */
export function withinRun(state: SessionState | RecentState, policy: Policy, getState: () => SessionState): RunStep {
  const run = openRun(state);
  if (run === undefined || run.openReply !== undefined) return { do: 'wait' };

  // Invariant: nothing follows from a decision that may have to be taken back, except that other calls continue.
  const isHeld = callsOf(lastReplyOf(state)).some(({ callId }) => policy.isHeld?.(callId));
  if (run.isCompaction && run.compactedAtStep === undefined) return { do: isHeld ? 'wait' : 'compact' };
  const open = openCalls(state);
  // Invariant: all calls of a reply are checked before the first one runs.
  const requested = open.find(({ status }) => status === 'requested');
  if (requested) return { do: 'decide', call: requested };
  const ready = readyCall(state, policy);
  if (ready) return { do: 'execute', call: ready };
  const stops = open.map(({ callId }) => policy.stopped?.get(callId));
  const stop = stops.find((one) => one?.outcome === 'limit') ?? stops[0];
  if (stop && !isHeld && !stops.includes(undefined)) return { do: 'end', ...stop };
  if (open.length > 0 || isHeld) return { do: 'wait' };

  const last = newestOf(state);
  const steering = state.queue.find(({ mode }) => mode === 'steer');
  // After a reply that ended with `pause`, the provider requires that reply as the last message of the next request.
  if (steering && last?.finish !== 'pause') return { do: 'admit', message: steering.message };
  if (last === undefined || (isAnswer(last, policy) && last.id !== run.continues))
    return { do: 'end', outcome: 'completed' };
  if (run.isCompaction) return { do: 'end', outcome: 'cancelled' };
  const refusal = refusalOf(run, policy, getState);
  if (refusal === 'wait') return { do: 'wait' };
  if (refusal) return { do: 'end', outcome: 'limit', ...refusal };
  // Invariant: at most one compaction per step, whether the compaction succeeds or fails.
  const isDue = run.compactedAtStep !== run.steps && (run.isRefused || policy.shouldCompact?.(getState()));
  return { do: isDue ? 'compact' : 'ask' };
}

const callsOf = (reply: Message | undefined): readonly ToolPart[] => (reply ? toolParts(reply) : []);

/** Returns the next call that may run. Invariant: an exclusive call and other calls never run at the same time. */
function readyCall(state: SessionState | RecentState, { tools, isHeld }: Policy): ToolPart | undefined {
  const reply = lastReplyOf(state);
  if (reply === undefined) return undefined;
  const isExclusive = ({ name }: ToolPart): boolean => tools?.get(name)?.exclusive === true;
  // A call that was cut off may run again, but only while its reply is the last message.
  const isLast = reply === newestOf(state);
  const calls = toolParts(reply);
  const running = calls.filter(({ status }) => status === 'started');
  return running.some(isExclusive)
    ? undefined
    : calls.find(
        (call) =>
          (call.status === 'approved' ||
            call.status === 'edited' ||
            (call.status === 'uncertain' &&
              isLast &&
              // Invariant: a call whose start this log has not recorded never runs: it came inside a message or a file.
              call.startedAt !== undefined &&
              tools?.get(call.name)?.idempotent === true)) &&
          !(running.length > 0 && isExclusive(call)) &&
          countOf(running, call) < (tools?.get(call.name)?.concurrency ?? Infinity) &&
          !isHeld?.(call.callId),
      );
}

const countOf = (calls: readonly ToolPart[], { name }: ToolPart): number =>
  calls.filter((call) => call.name === name).length;

/** Whether a message completes the run: the model requested no tools, or only tools whose result ends the run. */
function isAnswer(message: Message, { tools }: Policy): boolean {
  return (
    message.role === 'assistant' &&
    message.status !== 'interrupted' &&
    message.finish !== 'pause' &&
    toolParts(message).every(
      ({ name, status, requiresFollowUp = tools?.get(name)?.followUp }) =>
        status === 'succeeded' && requiresFollowUp === false,
    )
  );
}

/** Returns the limit that ends the run before the next request, if there is one; `wait`: what other requests have reserved may become free. */
function refusalOf(run: RunState, policy: Policy, getState: () => SessionState): Refusal | 'wait' | undefined {
  const limit = limitOf(run, policy, getState);
  return limit === undefined ? policy.account?.(getState()) : { limit };
}

/** Returns the limit of the session alone that ends its run before the next request. */
function limitOf(
  { steps, usage, since, settings = {} }: RunState,
  policy: Policy,
  getState: () => SessionState,
): RunLimit | undefined {
  const { maxSteps = policy.maxSteps, budget = policy.budget ?? {} } = settings;
  if (steps >= Math.min(maxSteps, budget.steps ?? Infinity)) return 'steps';
  if (steps === 0) return undefined;
  if (totalInput(usage) + usage.output >= (budget.tokens ?? Infinity)) return 'tokens';
  if (getState().updatedAt - since >= (budget.time ?? Infinity)) return 'time';
  return policy.stopWhen?.(getState()) ? 'stopWhen' : undefined;
}
