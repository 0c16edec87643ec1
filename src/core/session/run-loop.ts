import type { Subscription } from 'rxjs';
import type { RunContext } from '../context/run-context.ts';
import { type AgentError, toAgentError, toErrorInfo } from '../error.ts';
import { merge } from '../json.ts';
import { type Policy, type RunStep, type Stop, withinRun } from '../model/next.ts';
import type { EventBody, RunOutcome } from '../model/event.ts';
import type { RunSettings } from '../model/settings.ts';
import type { RunState, SessionState } from '../model/state.ts';
import { createAccount } from './account.ts';
import { perform, type RunEnv } from './perform.ts';
import type { RunHandles } from './run-settings.ts';
import type { SessionEnv } from './session-env.ts';

export type EndDetails = Pick<Extract<EventBody, { readonly type: 'run.ended' }>, 'error' | 'limit' | 'account'>;

/** A run as its loop uses it. */
interface LoopedRun {
  readonly options: RunSettings & RunHandles;
  readonly context: RunContext;
  /** The requests and calls of the run: closed at its end. */
  readonly underWay: Subscription;
  /** See `Policy.isHeld`. */
  readonly isHeld: (callId: string) => boolean;
  /** Returns the run while it is open and driven here. */
  ownRun(): RunState | undefined;
  advance(): void;
  fail(thrown: unknown): void;
  end(outcome: RunOutcome, details?: EndDetails): void;
}

/** The loop of a run. */
export interface RunLoop {
  /** Performs the step that `withinRun` returns, appends the resulting events, and repeats until a step is under way, or the step is `wait` or `end`. */
  takeSteps(): void;
  /**
   * Lets the run continue after an error before the reply has any content, if it may: a request that was refused as too long is repeated once after a compaction, where the
   * context allows. Returns whether the run continues.
   */
  goOnAfter(error: AgentError): boolean;
}

export function createRunLoop(
  env: SessionEnv,
  { options, isHeld, context, underWay, ownRun, advance, end, fail }: LoopedRun,
): RunLoop {
  const { log, link } = env;
  /** Whether a request, a compaction or the check of a call is under way: no other step starts meanwhile. */
  let busy = false;
  /** Ids of the calls that this run has decided. */
  const decided = new Set<string>();
  const { tree, cost } = env;
  const { id } = log.peek();
  const account =
    tree &&
    createAccount(id, { find: tree.find, cost, toRequest: (state) => env.toRequest(state, options, context).request });
  const stopped = new Map<string, Stop>();
  const policy: Policy = merge(env.policy, {
    account: account?.refuse,
    stopped,
    shouldCompact: context.shouldCompact,
    isHeld: (callId: string) => isHeld(callId) || env.policy.isHeld?.(callId) === true,
  });
  const runEnv: RunEnv = merge(env, {
    sessionId: id,
    family: tree?.family,
    stop: (callId: string, stop: Stop) => void stopped.set(callId, stop),
    getClient: () => options.client ?? env.client,
    tools: toolsOf(env.tools, options.tools),
    context,
    toRequest: (state: SessionState) => env.toRequest(state, options, context),
    flush: link.flush,
    own: link.acquireLease,
    isDecidedHere: (callId: string) => decided.has(callId),
  });

  return {
    takeSteps() {
      while (!busy && ownRun()) {
        let step: RunStep;
        try {
          step = withinRun(log.peek(), policy, log.getState);
        } catch (thrown) {
          // A function of the page has thrown: `stopWhen`, for example.
          return fail(toAgentError(thrown, 'INVALID_CONFIG'));
        }
        const counting = context.counting?.();
        if (counting !== undefined) {
          // The step was decided by estimates: it is decided again by the exact counts.
          busy = true;
          counting.then(() => {
            busy = false;
            advance();
          }, fail);
          return;
        }
        if (step.do === 'wait') {
          tree?.wait();
          break;
        }
        if (step.do === 'end') end(step.outcome, step);
        else if (step.do === 'admit') log.append({ type: 'message.added', message: step.message });
        else {
          // Calls run concurrently. Invariant: `call.started` is in the log before `subscribe` returns, so each call starts once.
          busy = step.do !== 'execute';
          if (step.do === 'decide') decided.add(step.call.callId);
          underWay.add(
            perform(step, runEnv).subscribe({
              // A subscriber that was notified of an event may have ended the run.
              next: (event) => void (ownRun() && log.append(account?.price(event) ?? event)),
              error: fail,
              complete: () => {
                if (step.do !== 'execute') busy = false;
                advance();
              },
            }),
          );
        }
      }
    },
    goOnAfter(error) {
      if (error.code !== 'CONTEXT_OVERFLOW' || ownRun()?.isRefused || !context.mayRetry) return false;
      log.append({ type: 'reply.refused', error: toErrorInfo(error) });
      busy = false;
      advance();
      return true;
    },
  };
}

/** The tools that a run may call. */
function toolsOf(all: SessionEnv['tools'], names: RunSettings['tools']): Pick<SessionEnv['tools'], 'get' | 'keys'> {
  if (names === undefined) return all;
  // Read for each call: another agent may have the conversation by then.
  return {
    get: (name) => (names.includes(name) ? all.get(name) : undefined),
    keys: () => new Set([...all.keys()].filter((name) => names.includes(name))).keys(),
  };
}
