import { Subscription } from 'rxjs';
import { notifyError } from '../caught-error.ts';
import { toAgentError, toErrorInfo } from '../error.ts';
import { defined } from '../json.ts';
import type { EventBody, RunOutcome } from '../model/event.ts';
import type { Log } from '../log/log.ts';
import { next, type Policy, type Step } from '../model/next.ts';
import type { RunState } from '../model/state.ts';
import { steps } from './load-steps.ts';
import type { RunEnv } from './perform.ts';

/** A run that this tab drives. */
export interface Run {
  /** Performs the next steps; called after an event from outside the run, such as a decision. */
  advance(): void;
  /** Aborts requests and calls, and ends the run with this outcome. No effect after the end. */
  end(outcome: RunOutcome): void;
  /**
   * Aborts requests and calls, and ends the run with this error: as interrupted if a reply had begun, otherwise as failed. A
   * request that was refused as too long (`CONTEXT_OVERFLOW`) is repeated once after a compaction, where the context allows.
   */
  fail(reason: unknown): void;
  /** Aborts requests and calls without an event: another tab runs the session. */
  abandon(): void;
}

type EndDetails = Pick<Extract<EventBody, { readonly type: 'run.ended' }>, 'error' | 'limit'>;

/**
 * Creates the driver of a run whose `run.started` event is in the log. The driver performs the step that `next` returns,
 * appends the resulting events, and repeats until the step is `end`.
 *
 * @param ended called when `run.ended` has been appended; not called after `abandon`
 */
export function createRun(runId: string, log: Log, env: RunEnv, policy: Policy, ended: () => void): Run {
  const underWay = new Subscription();
  /** Whether loading, a request, a compaction or the check of a call is under way: no other step starts meanwhile. */
  let busy = false;
  let isPrepared = false;
  /** Ids of the calls that this run has decided. */
  const decided = new Set<string>();
  const runEnv: RunEnv = { ...env, isDecidedHere: (callId) => decided.has(callId) };

  /** Invariant: the policy is complete before the first step; everything that the run needs is loaded. */
  function prepare(): void {
    if (isPrepared) return;
    isPrepared = true;
    const loading = env.context.ready(log.getState());
    if (loading === undefined) return;
    busy = true;
    loading.then(() => {
      busy = false;
      advance();
    }, fail);
  }

  /** Returns the run while it is open and driven here. Invariant: the driver acts on its own run only. */
  function ownRun(): RunState | undefined {
    const { run } = log.peek();
    return underWay.closed || run?.id !== runId ? undefined : run;
  }

  function advance(): void {
    prepare();
    log.batch(takeSteps);
  }

  function takeSteps(): void {
    while (!busy && ownRun()) {
      let step: Step;
      try {
        step = next(log.getState(), policy);
      } catch (thrown) {
        // A function of the page has thrown: `stopWhen`, for example.
        return fail(toAgentError(thrown, 'INVALID_CONFIG'));
      }
      // `Runs` performs the steps between runs.
      if (step.do === 'wait' || step.do === 'start' || step.do === 'expire' || step.do === 'recover') break;
      if (step.do === 'end') end(step.outcome, step);
      else if (step.do === 'admit') log.append({ type: 'message.added', message: step.message });
      else {
        // Calls run concurrently. Invariant: `call.started` is in the log before `subscribe` returns, so each call starts once.
        busy = step.do !== 'execute';
        if (step.do === 'decide') decided.add(step.call.callId);
        underWay.add(
          steps()
            .perform(step, log.getState(), runEnv)
            .subscribe({
              // A subscriber that was notified of an event may have ended the run.
              next: (event) => void (ownRun() && log.append(event)),
              error: fail,
              complete: () => {
                if (step.do !== 'execute') busy = false;
                advance();
              },
            }),
        );
      }
    }
  }

  function fail(thrown: unknown): void {
    const run = ownRun();
    if (run === undefined) return underWay.unsubscribe();
    const error = toAgentError(thrown);
    const reply = log.getState().messages.findLast(({ id }) => id === run.openReply);
    const hasBegun = reply !== undefined && reply.content.length > 0;
    if (error.code === 'CONTEXT_OVERFLOW' && reply && !hasBegun && !run.isRefused && env.context.mayRetry) {
      log.append({ type: 'reply.refused', error: toErrorInfo(error) });
      busy = false;
      return advance();
    }
    notifyError(env.onError, error, { sessionId: env.sessionId, runId });
    const isInterrupted = (error.code === 'STREAM_INTERRUPTED' && !run.isCompaction) || hasBegun;
    end(isInterrupted ? 'interrupted' : 'failed', { error: toErrorInfo(error) });
  }

  function end(outcome: RunOutcome, { error, limit }: EndDetails = {}): void {
    if (underWay.closed) return;
    underWay.unsubscribe();
    log.append({ type: 'run.ended', runId, outcome, ...defined({ error, limit }) });
    ended();
  }

  return { advance, fail, end: (outcome) => end(outcome), abandon: () => underWay.unsubscribe() };
}
