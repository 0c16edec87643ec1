import { AgentError } from '../error.ts';
import { type EventBody, isConcurrent, type SessionEvent } from '../model/event.ts';
import { openRun } from '../model/state.ts';
import { isUnderWay, statusOf } from '../model/status.ts';
import type { SessionAction } from '../model/sync-state.ts';
import type { Runs } from './runs.ts';
import { doWhenIdle } from './send.ts';
import type { SessionEnv } from './session-env.ts';

/** A session that other tabs may have open too: one of them runs it, the others follow. */
export interface Tabs {
  /** Stops the run that is open in the log, whichever tab drives it. */
  cancel(): void;
  close(): void;
}

/** @param isSending whether this tab sends the message again by itself if another one was first */
export function createTabs(
  { log, replica, ports, onGone }: SessionEnv,
  runs: Runs,
  isSending: (messageId: string) => boolean,
): Tabs {
  const { append, getState } = log;

  function perform(action: SessionAction): void {
    switch (action.do) {
      case 'yield':
        return runs.letGo();
      case 'replay':
        return replay(action.events);
      case 'advance':
        return runs.advance();
      case 'recover':
        return runs.current() === undefined ? runs.advance('nobody') : undefined;
      case 'abort':
        runs.current()?.fail(new AgentError('The browser has erased what was stored.', { code: 'STORAGE_CONFLICT' }));
        return;
      case 'close':
        return onGone();
    }
  }

  function replay(events: readonly SessionEvent[]): void {
    runs.giveUp({ outcome: 'failed', error: new AgentError('Another tab was first.', { code: 'STORAGE_CONFLICT' }) });
    const concurrent = events.filter(isConcurrent);
    if (concurrent.length > 0) doAgain(concurrent);
    const again = events.filter(
      ({ type }) =>
        type === 'message.added' ||
        type === 'message.updated' ||
        type === 'context.restored' ||
        type === 'rule.revoked',
    );
    if (again.length > 0) void doWhenIdle(log, () => doAgain(again));
  }

  function doAgain(events: readonly SessionEvent[]): void {
    if (replica.isClosed()) return;
    for (const { seq: _seq, at: _at, v: _v, ...body } of events) {
      // It is sent again by itself, unless its run was cancelled meanwhile.
      if (body.type === 'message.added' && isSending(body.message.id)) continue;
      // It may have been stored, although the store said that it had not.
      const { messages, queue } = getState();
      const known = [...messages, ...queue.map(({ message }) => message)];
      const isThere =
        body.type !== 'message.updated' && 'message' in body && known.some(({ id }) => id === body.message.id);
      if (!isThere) append(body);
    }
    // A queued message that came too late for the run's own tab is answered by this one.
    if (!isUnderWay(statusOf(getState()))) runs.advance('owner');
  }

  function cancel(): void {
    const open = openRun(getState());
    if (replica.isClosed() || open === undefined || replica.getStatus().state === 'read-only') return;
    const here = runs.current();
    if (here !== undefined) return here.end('cancelled');
    const ended: EventBody = { type: 'run.ended', runId: open.id, outcome: 'cancelled' };
    append(ended);
    // A tab that runs it may have written meanwhile: its run ends when this stands after that.
    const insist = (): void => {
      if (getState().run?.id === open.id) cancel();
    };
    void replica.flush().catch(replica.catchUp).then(insist);
  }

  replica.follow({ isDriving: () => runs.current() !== undefined, perform });
  log.viewTurns(statusOf).subscribe(() => replica.noteStatus());

  const stopListening = ports.onHide((leaving) => {
    // A run of this tab ends with it, so that the next tab need not guess.
    if (leaving && statusOf(getState()) === 'running') runs.current()?.end('interrupted');
    replica.hurry();
  });

  return { cancel, close: stopListening };
}
