import { AgentError } from '../error.ts';
import { when } from '../log/current.ts';
import { type EventBody, isConcurrent, type SessionEvent } from '../model/event.ts';
import { follow } from '../log/follower.ts';
import type { Log } from '../log/log.ts';
import { recover } from '../model/recover.ts';
import { openRun } from '../model/state.ts';
import { isUnderWay, type SessionStatus, statusOf } from '../model/status.ts';
import type { SessionStore } from '../model/store.ts';
import type { Writer } from '../log/writer.ts';
import type { Ownership } from '../log/lease.ts';
import type { Runs } from './runs.ts';

export interface TabsOptions {
  readonly log: Log;
  readonly writer: Writer;
  readonly store: SessionStore | undefined;
  readonly ownership: Ownership;
  readonly runs: Runs;
  /** Whether this tab sends the message again by itself if another one was first. */
  readonly isSending: (messageId: string) => boolean;
  /** Called when another tab has removed the session. */
  readonly onGone: () => void;
}

/** What becomes of a session that other tabs may have open too: one of them runs it, the others follow. */
export interface Tabs {
  /** Whether another tab runs the session, or did when it was closed. */
  runsElsewhere(): boolean;
  /** Settles when the log holds what the store held when it was asked; never rejects. */
  catchUp(): Promise<void>;
  /** Whether what is done now is done again, on top of what others have stored. */
  isCatchingUp(): boolean;
  /** Does it when nothing goes on, in the same turn: what waits for the same moment may begin a run. */
  doWhenIdle<T>(work: () => T): Promise<Awaited<T>>;
  /** Nothing runs here: as soon as everything is written, others may. Before that they would take it for interrupted. */
  rest(): void;
  /** Stops the run that is open in the log, whoever drives it. */
  cancel(): void;
  /** Takes the session from a tab that does not answer. */
  takeOver(): Promise<void>;
  /** Another tab has taken the session away. */
  onRobbed(): void;
  close(): void;
}

export function createTabs({ log, writer, store, ownership, runs, isSending, onGone }: TabsOptions): Tabs {
  const { append, getState } = log;
  const status$ = log.view(statusOf);
  let closed = false;
  /** Whoever waits here for the tab that runs the session to go: one at a time. */
  let watch: symbol | undefined;

  const following =
    store &&
    follow({ store, sessionId: getState().id, log, writer, onOthers: letGo, onBeside, onLost, onGone, onErased });
  const catchUp = async (): Promise<void> => following?.catchUp();
  const runsElsewhere = (): boolean => runs.current() === undefined && statusOf(getState()) === 'running';

  function leave(): void {
    watch = undefined;
    ownership.leave();
  }

  /** Another tab runs the session, or has stored something: what this tab drives has lost its ground. */
  function letGo(): void {
    if (runs.current() !== undefined) leave();
    runs.letGo();
    // When it is taken in: it may say that the session still runs, but elsewhere.
    queueMicrotask(() => void watchOver());
  }

  /** Another tab was first. What a person did here is done again on top of that; what ran here is over. */
  function onLost(events: readonly SessionEvent[]): void {
    runs.giveUp({ outcome: 'failed', error: new AgentError('Another tab was first.', { code: 'STORAGE_CONFLICT' }) });
    const beside = events.filter(isConcurrent);
    if (beside.length > 0) doAgain(beside);
    const again = events.filter(
      ({ type }) =>
        type === 'message.added' ||
        type === 'message.updated' ||
        type === 'context.restored' ||
        type === 'rule.revoked',
    );
    if (again.length > 0) void doWhenIdle(() => doAgain(again));
  }

  /** A message that was queued in another tab just when the run ended here: nobody has admitted it. */
  function onBeside(): void {
    const { run } = getState();
    if (run?.outcome === 'completed') void runs.admit();
  }

  function onErased(): void {
    runs.current()?.fail(new AgentError('The browser has erased what was stored.', { code: 'STORAGE_CONFLICT' }));
  }

  async function doWhenIdle<T>(work: () => T): Promise<Awaited<T>> {
    do await when(status$, (status) => !isUnderWay(status));
    while (isUnderWay(statusOf(getState())));
    return await work();
  }

  function doAgain(events: readonly SessionEvent[]): void {
    if (closed) return;
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
    if (!isUnderWay(statusOf(getState()))) void runs.admit();
  }

  function onStatus(status: SessionStatus): void {
    if (status !== 'running') rest();
    else void watchOver();
  }

  /** When the tab that runs the session is gone, or was gone before this one came, what it left open is closed here. */
  async function watchOver(): Promise<void> {
    if (closed || watch !== undefined || !runsElsewhere() || store?.locks === undefined) return;
    const mine = (watch = Symbol());
    let seq: number;
    try {
      do {
        ({ seq } = getState());
        await ownership.enter();
        await catchUp();
        if (watch !== mine || runs.current() !== undefined) return;
        // Whoever runs a session stands in the queue before anybody can read of it, but perhaps behind this tab:
        // only what has not changed since this tab went to the end of the queue is nobody's.
        if (getState().seq !== seq) ownership.leave();
      } while (getState().seq !== seq && runsElsewhere());
      closeWhatIsOpen();
    } catch {
      // This tab has left, or may hold no locks.
    } finally {
      if (watch === mine) watch = undefined;
    }
  }

  function closeWhatIsOpen(): void {
    if (closed || runs.current() !== undefined) return;
    for (const event of recover(getState())) append(event);
    rest();
  }

  function rest(): void {
    void writer.flush().catch(() => {});
    void when(writer.status$, ({ state }) => state !== 'saving' && state !== 'failed').then(async () => {
      const isStale = (): boolean => writer.getStatus().state === 'stale';
      if (isStale()) {
        // What another tab has said beside it holds it up, no more.
        await catchUp();
        if (!isStale()) return rest();
      }
      if (statusOf(getState()) !== 'running') leave();
    });
  }

  function cancel(): void {
    const open = openRun(getState());
    if (closed || open === undefined || writer.getStatus().state === 'read-only') return;
    const here = runs.current();
    if (here !== undefined) return here.end('cancelled');
    const ended: EventBody = { type: 'run.ended', runId: open.id, outcome: 'cancelled' };
    append(ended);
    // A tab that runs it may have written meanwhile: its run ends when this stands after that.
    const insist = (): void => {
      if (getState().run?.id === open.id) cancel();
    };
    void writer.flush().catch(catchUp).then(insist);
  }

  // Without locks nobody can tell whether the tab that left it open is still there; if it is, the store stops it.
  if (store?.locks === undefined && runsElsewhere()) closeWhatIsOpen();
  status$.subscribe(onStatus);
  // What others have stored since it was read, nobody has told.
  if (writer.getStored() > 0) void catchUp();

  return {
    runsElsewhere,
    catchUp,
    isCatchingUp: () => following?.isReading() ?? false,
    doWhenIdle,
    rest,
    cancel,
    onRobbed() {
      leave();
      letGo();
    },
    async takeOver() {
      await ownership.take();
      await catchUp();
      closeWhatIsOpen();
    },
    close() {
      closed = true;
      following?.close();
      leave();
    },
  };
}
