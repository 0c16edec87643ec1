import { AgentError } from '../error.ts';
import { type EventBody, isConcurrent, type SessionEvent } from '../model/event.ts';
import { openRun } from '../model/state.ts';
import { isUnderWay, statusOf } from '../model/status.ts';
import type { SessionAction } from '../model/sync-state.ts';
import type { Runs } from './runs.ts';
import { doWhenIdle } from './send.ts';
import type { SessionEnv } from './session-env.ts';

/** The coordination with other tabs that have the session open: one tab runs the session, the others follow. */
export interface Tabs {
  /** Stops the run that is open in the log, whichever tab drives it. */
  cancel(): void;
  /** Stops listening to the page. */
  close(): void;
}

/** @param isSending whether `send` itself appends the message again if another tab was first */
export function createTabs(
  { log, replica, ports, onGone }: SessionEnv,
  runs: Runs,
  isSending: (messageId: string) => boolean,
): Tabs {
  const { append, getState } = log;

  function perform(action: SessionAction): void {
    switch (action.do) {
      case 'yield':
        return runs.abandonRun();
      case 'replay':
        return replay(action.events);
      case 'advance':
        return runs.advance();
      case 'recover':
        return runs.current() === undefined ? runs.advance('orphaned') : undefined;
      case 'abort':
        runs
          .current()
          ?.fail(new AgentError('The browser has erased the stored session.', { code: 'STORAGE_CONFLICT' }));
        return;
      case 'close':
        return onGone();
    }
  }

  function replay(events: readonly SessionEvent[]): void {
    runs.resolveLostRuns({
      outcome: 'failed',
      error: new AgentError('Another tab changed the session first.', { code: 'STORAGE_CONFLICT' }),
    });
    const concurrent = events.filter(isConcurrent);
    if (concurrent.length > 0) appendAgain(concurrent);
    const again = events.filter(
      ({ type }) =>
        type === 'message.added' ||
        type === 'message.updated' ||
        type === 'context.restored' ||
        type === 'rule.revoked',
    );
    if (again.length > 0) void doWhenIdle(log, () => appendAgain(again));
  }

  function appendAgain(events: readonly SessionEvent[]): void {
    if (replica.isClosed()) return;
    for (const { seq: _seq, at: _at, v: _v, ...body } of events) {
      // `send` appends this message again, unless the run of the message was cancelled meanwhile.
      if (body.type === 'message.added' && isSending(body.message.id)) continue;
      // A write that the store reported as failed may have been stored.
      const { messages, queue } = getState();
      const known = [...messages, ...queue.map(({ message }) => message)];
      const isThere =
        body.type !== 'message.updated' && 'message' in body && known.some(({ id }) => id === body.message.id);
      if (!isThere) append(body);
    }
    // A queued message that was stored after the run had ended in its own tab is answered by this tab.
    if (!isUnderWay(statusOf(getState()))) runs.advance('owner');
  }

  function cancel(): void {
    const open = openRun(getState());
    if (replica.isClosed() || open === undefined || replica.getStatus().state === 'read-only') return;
    const here = runs.current();
    if (here !== undefined) return here.end('cancelled');
    const ended: EventBody = { type: 'run.ended', runId: open.id, outcome: 'cancelled' };
    append(ended);
    // The tab that drives the run may have stored events first: repeats until the log contains the end of the run.
    const cancelAgain = (): void => {
      if (getState().run?.id === open.id) cancel();
    };
    void replica.flush().catch(replica.catchUp).then(cancelAgain);
  }

  replica.follow({ isDriving: () => runs.current() !== undefined, perform });
  log.viewTurns(statusOf).subscribe(() => replica.noteStatus());

  const stopListening = ports.onHide((leaving) => {
    // Ends the run of this tab with the page, so that the next tab reads the end and need not infer it.
    if (leaving && statusOf(getState()) === 'running') runs.current()?.end('interrupted');
    replica.flushNow();
  });

  return { cancel, close: stopListening };
}
