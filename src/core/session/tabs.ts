import { AgentError } from '../error.ts';
import { defined } from '../json.ts';
import type { EventBody, SessionEvent } from '../model/event.ts';
import type { Message } from '../model/message.ts';
import { type RefusedPrompt, sortRefused } from '../model/refused.ts';
import { openRun, type QueuedMessage } from '../model/state.ts';
import { isUnderWay, statusOf } from '../model/status.ts';
import type { SessionAction } from '../model/sync-state.ts';
import type { Runs } from './runs.ts';
import type { SessionEnv } from './session-env.ts';
import { doWhenIdle } from './when-idle.ts';

/** The coordination with other tabs that have the session open: one tab runs the session, the others follow. */
export interface Tabs {
  /** Stops the run that is open in the log, whichever tab drives it. */
  cancel(): void;
  /** Stops listening to the page. */
  close(): void;
}

/** Creates the `Tabs` of a session. Without a store, no other tab has the session. */
export function createTabs(env: SessionEnv, runs: Runs): Tabs {
  const { log, link, ports, onGone } = env;
  const { append, getState } = log;

  function perform(action: SessionAction): void {
    switch (action.do) {
      case 'yield':
        return runs.abandonRun();
      case 'reappend':
        return reappend(action.events);
      case 'advance':
        return runs.advance();
      case 'recover':
        return runs.advance('orphaned');
      case 'abort':
        runs
          .current()
          ?.fail(new AgentError('The browser has erased the stored session.', { code: 'STORAGE_CONFLICT' }));
        return;
      case 'close':
        return onGone();
    }
  }

  function reappend(events: readonly SessionEvent[]): void {
    const { prompts, concurrent, later } = sortRefused(events);
    appendAgain(concurrent);
    // Invariant: in a session at rest, no view and no other tab sees the session without the messages of this tab's user.
    const added = later.length > 0 && doWhenIdle(log, () => appendAgain(later));
    void Promise.all([added, ...prompts.map(resend)]).then(() => link.noteReappended());
    runs.results.resolveLost({
      outcome: 'failed',
      error: new AgentError('Another tab changed the session first.', { code: 'STORAGE_CONFLICT' }),
    });
    // A queued message that was stored after the run had ended in its own tab is answered by this tab.
    if (!isUnderWay(statusOf(getState()))) runs.advance('owner');
  }

  /**
   * Sends a message again whose write was refused: at once, or when the run of another tab has ended. The promise that `send`
   * returned resolves with the result of the run that answers the message. Resolves when the message is in the log.
   */
  async function resend(prompt: RefusedPrompt): Promise<void> {
    const { message, runId } = prompt;
    // A write that the store reported as failed may have been stored; another tab may have admitted the message from the queue.
    if (log.hasMessage(message.id)) return;
    const inQueue = (): QueuedMessage | undefined => getState().queue.find((one) => one.message.id === message.id);
    const queued = inQueue();
    // A person has cancelled it in another tab.
    const isCancelled = (): boolean => runs.wasPlanned(message.id) && inQueue() === undefined;
    if (isCancelled()) return;
    runs.results.waitForMessage(runId, message.id);
    // A planned message stays so until its own write is taken.
    if (queued !== undefined && queued.due === undefined) return;
    const begin = (): void => {
      if (!link.isClosed() && !log.hasMessage(message.id) && !isCancelled()) void runs.admit(prompt);
    };
    await doWhenIdle(log, begin);
  }

  /** Whether the log has what an event says of its message. */
  function isKnown(body: Extract<EventBody, { readonly message: Message }>): boolean {
    if (log.hasMessage(body.message.id)) return true;
    const queued = getState().queue.find(({ message }) => message.id === body.message.id);
    // That a message is due has an effect only while it is planned.
    if (body.type === 'message.queued' && body.isDue) return queued?.due === undefined;
    return queued !== undefined;
  }

  function appendAgain(events: readonly SessionEvent[]): void {
    if (link.isClosed()) return;
    for (const { seq: _seq, at: _at, v: _v, ...body } of events) {
      // A write that the store reported as failed may have been stored.
      const isThere = body.type !== 'message.updated' && 'message' in body && isKnown(body);
      if (!isThere) append(body);
    }
  }

  function cancel(): void {
    const open = openRun(getState());
    if (link.isClosed() || open === undefined || link.getStatus().state === 'read-only') return;
    const driven = runs.current();
    const spent = env.tree?.spentBelow();
    const ended: EventBody = { type: 'run.ended', runId: open.id, outcome: 'cancelled', ...defined({ spent }) };
    if (driven === undefined) append(ended);
    else driven.end('cancelled');
    // Another tab may have stored events of the run first, also where it has taken over the run of this tab: repeats until the log contains the
    // end of the run.
    const cancelAgain = (): void => {
      if (getState().run?.id === open.id) cancel();
    };
    void link.flush().catch(link.catchUp).then(cancelAgain);
  }

  link.follow({ isDriving: () => runs.current() !== undefined, perform });
  log.viewTurns(statusOf).subscribe(() => link.noteStatus());

  const stopListening = ports.onHide((leaving) => {
    // Ends the run of this tab with the page, so that the next tab reads the end and need not infer it.
    if (leaving && statusOf(getState()) === 'running') runs.current()?.end('interrupted');
    link.flushNow();
  });

  return {
    cancel,
    close: stopListening,
  };
}
