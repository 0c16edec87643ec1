import { Subscription } from 'rxjs';
import { notifyError } from '../caught-error.ts';
import { toAgentError, toErrorInfo } from '../error.ts';
import { defined } from '../json.ts';
import type { RunOutcome } from '../model/event.ts';
import type { RunSettings } from '../model/settings.ts';
import type { RunState } from '../model/state.ts';
import { createRunLoop, type EndDetails, type RunLoop } from './run-loop.ts';
import { checkHandles, type RunHandles } from './run-settings.ts';
import type { SessionEnv } from './session-env.ts';

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

/** What a run was asked to do. */
export interface RunRequest {
  readonly settings: RunSettings | undefined;
  /** Those of this page. */
  readonly handles: RunHandles;
  /** See `Policy.isHeld`. */
  readonly isHeld: (callId: string) => boolean;
}

/**
 * Creates the driver of a run whose `run.started` event is in the log. The driver lets the loop (`run-loop.ts`) take the steps, and ends the
 * run.
 *
 * @param ended called when `run.ended` has been appended; not called after `abandon`
 */
export function createRun(
  runId: string,
  env: SessionEnv,
  { settings, handles, isHeld }: RunRequest,
  ended: () => void,
): Run {
  const { log } = env;
  const options = { ...settings, ...handles };
  const context = env.context.forRun(options);
  const underWay = new Subscription();
  let loop: RunLoop | undefined;
  let isWaiting = false;

  /** Resolves when the first step may be taken; returns `undefined` where it may be taken at once. */
  function ready(): Promise<unknown> | undefined {
    try {
      checkHandles(settings, handles, env.client);
    } catch (error) {
      // Not within this call: the page has not got the run yet.
      return Promise.reject(error);
    }
    return context.ready?.();
  }

  function begin(): void {
    loop = createRunLoop(env, { options, isHeld, context, underWay, ownRun, advance, end, fail });
    advance();
  }

  /** Returns the run while it is open and driven here. Invariant: the driver acts on its own run only. */
  function ownRun(): RunState | undefined {
    const { run } = log.peek();
    return underWay.closed || run?.id !== runId ? undefined : run;
  }

  function advance(): void {
    if (loop) return log.batch(loop.takeSteps);
    if (isWaiting) return;
    isWaiting = true;
    const waiting = ready();
    if (waiting) waiting.then(begin, fail);
    else begin();
  }

  function fail(thrown: unknown): void {
    const run = ownRun();
    if (run === undefined) return underWay.unsubscribe();
    const error = toAgentError(thrown);
    const parts = log.getState().messages.findLast(({ id }) => id === run.openReply)?.content.length;
    if (parts === 0 && loop?.goOnAfter(error)) return;
    notifyError(env.onError, error, { sessionId: log.peek().id, runId });
    const isInterrupted = (error.code === 'STREAM_INTERRUPTED' && !run.isCompaction) || Boolean(parts);
    end(isInterrupted ? 'interrupted' : 'failed', { error: toErrorInfo(error) });
  }

  function end(outcome: RunOutcome, { error, limit, account }: EndDetails = {}): void {
    if (underWay.closed) return;
    const spent = outcome === 'cancelled' ? env.tree?.spentBelow() : undefined;
    underWay.unsubscribe();
    log.append({ type: 'run.ended', runId, outcome, ...defined({ error, limit, account, spent }) });
    ended();
  }

  return { advance, fail, end, abandon: () => underWay.unsubscribe() };
}
