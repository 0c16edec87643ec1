import type { RunLimit, RunOutcome } from './event.ts';
import type { Budget } from './settings.ts';
import { openRun, type QueuedMessage, type RunState, type SessionState } from './state.ts';
import { callsAwaitingApproval, lastReply, openCalls, statusOf } from './status.ts';
import { type Message, type ToolPart, toolParts, totalInput } from './message.ts';

/** What a run has to know of a tool before it runs it. */
export interface ToolTraits {
  readonly idempotent?: boolean;
  readonly exclusive?: boolean;
  readonly followUp?: boolean;
}

/** What a run may do, beside what happened. */
export interface Policy {
  /** Requests to the model, at most. */
  readonly maxSteps: number;
  /** Whether older messages have to be folded before the next request. */
  readonly shouldCompact?: ((state: SessionState) => boolean) | undefined;
  /** Looked at before each request. */
  readonly budget?: Budget | undefined;
  /** Looked at before each request but the first: `true` ends the run with `limit`. */
  readonly stopWhen?: ((state: SessionState) => boolean) | undefined;
  readonly tools?: ReadonlyMap<string, ToolTraits>;
}

/** Where and when the question is asked. */
export interface Situation {
  /** ms since the epoch. */
  readonly now: number;
  /**
   * `owner`: this tab drives the session's last run, or has just changed a session in which nothing runs. `follower`: another
   * tab may. `nobody`: no tab runs the session.
   */
  readonly role: 'owner' | 'follower' | 'nobody';
  /** When this tab opened the session: ms since the epoch. */
  readonly openedAt: number;
}

/** What to do now. */
export type Step =
  | { readonly do: 'ask' }
  /** Fold older messages: the next request would be too long. */
  | { readonly do: 'compact' }
  /** Check the input, and whether a person must agree. */
  | { readonly do: 'decide'; readonly call: ToolPart }
  | { readonly do: 'execute'; readonly call: ToolPart }
  /** What a person said meanwhile has its turn. */
  | { readonly do: 'admit'; readonly message: Message }
  /** Something is under way, or somebody has to say something. */
  | { readonly do: 'wait' }
  | { readonly do: 'end'; readonly outcome: RunOutcome; readonly limit?: RunLimit }
  /** Starts a run that answers a queued message. */
  | { readonly do: 'start'; readonly queued: QueuedMessage }
  /** The time to decide these calls is over. */
  | { readonly do: 'expire'; readonly calls: readonly Overdue[] }
  /** Ends the run of a tab that has vanished: see `recover`. */
  | { readonly do: 'recover' };

/** A call that a person has not decided in time. */
export interface Overdue {
  readonly callId: string;
  /** Whether the time was over before this tab opened the session. */
  readonly isLate: boolean;
}

/**
 * The whole agent: what to do now follows from what has happened, and from the time and the tab in which the question is asked.
 *
 * @param situation without one, only the steps within a run are asked for, by the tab that drives it
 */
export function next(state: SessionState, policy: Policy, situation?: Situation): Step {
  const between = situation && betweenRuns(state, situation);
  if (between !== undefined) return between;
  const run = openRun(state);
  if (run === undefined || run.openReply !== undefined) return { do: 'wait' };

  if (run.isCompaction && run.compactedAtStep === undefined) return { do: 'compact' };
  const open = openCalls(state);
  // All of a reply's calls are checked before the first one runs.
  const requested = open.find(({ status }) => status === 'requested');
  if (requested) return { do: 'decide', call: requested };
  const ready = readyCall(state, policy);
  if (ready) return { do: 'execute', call: ready };
  if (open.length > 0) return { do: 'wait' };

  const last = state.messages.at(-1);
  const steering = state.queue.find(({ mode }) => mode === 'steer');
  // In a pause the provider wants its own words back, and nobody else's.
  if (steering && last?.finish !== 'pause') return { do: 'admit', message: steering.message };
  if (last === undefined || isAnswer(last, policy)) return { do: 'end', outcome: 'completed' };
  if (run.isCompaction) return { do: 'end', outcome: 'cancelled' };
  const limit = limitOf(run, state, policy);
  if (limit !== undefined) return { do: 'end', outcome: 'limit', limit };
  // Once a step, whatever comes of it.
  const isDue = run.compactedAtStep !== run.steps && (run.isRefused || policy.shouldCompact?.(state));
  return { do: isDue ? 'compact' : 'ask' };
}

/** The steps that do not belong to a run; `undefined` where the run that this tab drives has its turn. */
function betweenRuns(state: SessionState, { now, role, openedAt }: Situation): Step | undefined {
  const isRunning = statusOf(state) === 'running';
  if (role === 'nobody' && isRunning) return { do: 'recover' };
  // The tab that runs the other calls decides until they have ended. After that any tab may let a call expire.
  const due = isRunning && role !== 'owner' ? [] : callsAwaitingApproval(state).filter((call) => expiryOf(call) <= now);
  if (due.length > 0)
    return { do: 'expire', calls: due.map((call) => ({ callId: call.callId, isLate: expiryOf(call) <= openedAt })) };
  if (role !== 'owner') return { do: 'wait' };
  const { run, queue } = state;
  const [first] = queue;
  // After a stop or a failure the queue waits: a person wants to look first.
  const isDone = run === undefined || run.outcome === 'completed';
  return first !== undefined && isDone ? { do: 'start', queued: first } : undefined;
}

/** ms since the epoch; `Infinity` where the call does not expire. */
export function expiryOf({ approval }: ToolPart): number {
  return approval?.expiresAt ?? Infinity;
}

/** When `next` has to be asked again although nothing happened: ms since the epoch, or `Infinity`. */
export function nextDeadline(state: SessionState): number {
  return Math.min(...callsAwaitingApproval(state).map(expiryOf));
}

/** An exclusive call waits for the others, and they wait for it. */
function readyCall(state: SessionState, { tools }: Policy): ToolPart | undefined {
  const reply = lastReply(state.messages);
  if (reply === undefined) return undefined;
  const isAlone = ({ name }: ToolPart): boolean => tools?.get(name)?.exclusive === true;
  // What was cut off may run again, but not once the conversation has gone on.
  const again = reply === state.messages.at(-1);
  const calls = toolParts(reply);
  const running = calls.filter(({ status }) => status === 'started');
  return running.some(isAlone)
    ? undefined
    : calls.find(
        (call) =>
          (call.status === 'approved' ||
            call.status === 'edited' ||
            (call.status === 'uncertain' && again && tools?.get(call.name)?.idempotent === true)) &&
          !(running.length > 0 && isAlone(call)),
      );
}

/** Whether nothing is left to say: the model asked for no tools, or for such whose result is the end. */
function isAnswer(message: Message, { tools }: Policy): boolean {
  return (
    message.role === 'assistant' &&
    message.status !== 'interrupted' &&
    message.finish !== 'pause' &&
    toolParts(message).every(({ name, status }) => status === 'succeeded' && tools?.get(name)?.followUp === false)
  );
}

function limitOf(
  { steps, usage, since, settings = {} }: RunState,
  state: SessionState,
  policy: Policy,
): RunLimit | undefined {
  const { maxSteps = policy.maxSteps, budget = policy.budget ?? {} } = settings;
  if (steps >= maxSteps) return 'steps';
  if (steps === 0) return undefined;
  if (totalInput(usage) + usage.output >= (budget.tokens ?? Infinity)) return 'tokens';
  if (state.updatedAt - since >= (budget.time ?? Infinity)) return 'time';
  return policy.stopWhen?.(state) ? 'stopWhen' : undefined;
}
