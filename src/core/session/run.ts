import { Subscription } from 'rxjs';
import { toAgentError, toErrorInfo } from '../error.ts';
import { defined } from '../json.ts';
import type { EventBody, RunOutcome } from '../model/event.ts';
import type { Log } from '../log/log.ts';
import { next, type Policy, type Step } from '../model/next.ts';
import { perform, type RunEnv } from './perform.ts';

/** A run under way. */
export interface Run {
  /** Asks again what to do: after a decision from outside. */
  advance(): void;
  /** Aborts what is under way and ends the run. */
  end(outcome: RunOutcome): void;
  /** Aborts what is under way and ends the run for this reason: as failed, or as interrupted where a reply had begun. */
  fail(reason: unknown): void;
  /** Aborts what is under way and says nothing: somebody else has the word. */
  abandon(): void;
}

type Why = Pick<Extract<EventBody, { readonly type: 'run.ended' }>, 'error' | 'limit'>;

/**
 * Performs the steps of `next`, appends what happens, and asks again, until the step is `end`. The run has been started in the log.
 *
 * @param ended is called when the run has ended in the log
 */
export function createRun(runId: string, log: Log, env: RunEnv, policy: Policy, ended: () => void): Run {
  const underWay = new Subscription();
  /** Whether a request or a check is under way: then nothing else begins. */
  let busy = false;
  let advancing = false;
  let isPrepared = false;

  /** Invariant: the policy is complete before the first step; what the run needs is loaded and at hand. */
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

  function advance(): void {
    if (advancing) return;
    advancing = true;
    prepare();
    log.batch(takeSteps);
    advancing = false;
  }

  function takeSteps(): void {
    while (!busy && !underWay.closed) {
      const step = whatNext();
      // The steps between runs are not this run's.
      if (step.do === 'wait' || step.do === 'start' || step.do === 'expire' || step.do === 'recover') break;
      if (step.do === 'end') end(step.outcome, step);
      else if (step.do === 'admit') log.append({ type: 'message.added', message: step.message });
      else {
        // Calls run side by side; `call.started` is in the log before `subscribe` returns, so each begins once.
        busy = step.do !== 'execute';
        underWay.add(
          perform(step, log.getState(), env).subscribe({
            // A subscriber of an event may have ended the run.
            next: (event) => void (underWay.closed || log.append(event)),
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

  function whatNext(): Step {
    try {
      return next(log.getState(), policy);
    } catch (thrown) {
      // The page's own `stopWhen` has failed.
      fail(toAgentError(thrown));
      return { do: 'wait' };
    }
  }

  function fail(thrown: unknown): void {
    const error = toAgentError(thrown, 'LLM_API_ERROR');
    const { run, messages } = log.getState();
    const isFresh = messages.some(({ id, content }) => id === run?.openReply && content.length === 0);
    if (error.code === 'CONTEXT_OVERFLOW' && isFresh && !run?.isRefused && env.context.mayRetry) {
      log.append({ type: 'reply.refused', error: toErrorInfo(error) });
      busy = false;
      return advance();
    }
    const midReply = run?.openReply !== undefined && (messages.at(-1)?.content.length ?? 0) > 0;
    end(error.code === 'STREAM_INTERRUPTED' || midReply ? 'interrupted' : 'failed', { error: toErrorInfo(error) });
  }

  function end(outcome: RunOutcome, { error, limit }: Why = {}): void {
    if (underWay.closed) return;
    underWay.unsubscribe();
    log.append({ type: 'run.ended', runId, outcome, ...defined({ error, limit }) });
    ended();
  }

  return { advance, fail, end: (outcome) => end(outcome), abandon: () => underWay.unsubscribe() };
}
