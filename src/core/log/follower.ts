import { isConcurrent, type SessionEvent } from '../model/event.ts';
import { evolve } from '../model/evolve.ts';
import type { Log } from './log.ts';
import { initialState } from '../model/state.ts';
import type { SessionStore, StoredSession } from '../model/store.ts';
import { upcastLog } from '../model/upcast.ts';
import type { Writer } from './writer.ts';

export interface FollowOptions {
  readonly store: SessionStore;
  readonly sessionId: string;
  readonly log: Log;
  readonly writer: Writer;
  /** Called before the log takes in what others have stored. */
  readonly onOthers: () => void;
  /** Called when what is unwritten here stands above what others have said beside it. */
  readonly onBeside: () => void;
  /** Called after the log has begun again from the store, with what was appended here and did not get there. */
  readonly onLost: (events: readonly SessionEvent[]) => void;
  /** Called when somebody has removed the session. */
  readonly onGone: () => void;
  /** Called when the browser has erased the session, before what is here is stored anew: what runs, ends. */
  readonly onErased: () => void;
}

/** So often a refused write is tried again while the store holds what it held. */
const tries = 3;

/** Keeps a log in step with what other tabs store. */
export interface Following {
  /** Settles when the log holds what the store held when it was asked; never rejects. */
  catchUp(): Promise<void>;
  /** Whether it is at it. */
  isReading(): boolean;
  close(): void;
}

export function follow({
  store,
  sessionId,
  log,
  writer,
  onOthers,
  onBeside,
  onLost,
  onGone,
  onErased,
}: FollowOptions): Following {
  let reading: Promise<void> = Promise.resolve();
  let isReading = false;
  let again = false;
  /** Words of a change while something was being written here. A store tells once of each write, of ours too. */
  let heard = 0;
  /** Our writes that had been taken when nothing was left to write. */
  let counted = 0;
  /** `seq` of the store when it last refused a write, and how often it has been that in a row. */
  let refusedAt: number | undefined;
  let refusals = 0;
  let closed = false;

  async function readStored(options?: { readonly after: number }): Promise<StoredSession | undefined> {
    const stored = await store.read(sessionId, options);
    return stored && { ...stored, events: upcastLog(stored.events) };
  }

  async function read(): Promise<void> {
    while (again) {
      again = false;
      if (closed) break;
      try {
        const { state } = writer.getStatus();
        if (state === 'stale') await beginAgain();
        else if (state === 'saved') await takeIn();
        else heard = Infinity;
      } catch {
        // A store that cannot be read now is read at the next change.
      }
    }
    isReading = false;
  }

  async function takeIn(): Promise<void> {
    const { seq } = log.getState();
    const stored = await readStored({ after: seq });
    if (closed) return;
    // What has been erased is stored anew when something is to be written.
    if (stored === undefined) return (await wasRemoved()) ? onGone() : undefined;
    const isUnchanged = log.getState().seq === seq && writer.getStatus().state === 'saved';
    if (stored.summary.seq === seq) return;
    if (!isUnchanged) {
      heard = Infinity;
      return;
    }
    // Pieces that are known here may have been made one event with pieces that are not.
    const isRemade = stored.events.some(({ since }) => since !== undefined && since <= seq);
    // Or an import may have put another log in the place of this one.
    if (isRemade || stored.summary.seq < seq) return beginAgain();
    if (stored.events.every(isConcurrent)) writer.rebase(stored.events, stored.summary.seq);
    else {
      onOthers();
      writer.restart(stored.summary.seq);
    }
    log.accept(stored.events);
  }

  async function beginAgain(): Promise<void> {
    const stored = await readStored();
    if (closed) return;
    if (stored === undefined) return (await wasRemoved()) ? onGone() : storeAnew();
    if (writer.getStatus().state === 'stale' && isHopeless(stored.summary.seq)) return;
    const known = writer.getStored();
    const state = stored.events.reduce(evolve, initialState(sessionId));
    const news = stored.events.filter(({ seq, since = seq }) => since > known);
    // Anything else there that is not known here would be among the news.
    if (news.length > 0 && news.length === stored.summary.seq - known && news.every(isConcurrent)) {
      log.reset(writer.rebase(news, stored.summary.seq).reduce(evolve, state), news);
      return onBeside();
    }
    onOthers();
    const lost = writer.restart(stored.summary.seq);
    log.reset(state, news);
    onLost(lost);
  }

  /** A store that refuses although nobody has gone on would do so for ever: the session stays as it is until it changes. */
  function isHopeless(seq: number): boolean {
    refusals = seq === refusedAt ? refusals + 1 : 1;
    refusedAt = seq;
    return refusals > tries;
  }

  /** A store that cannot tell loses nothing by itself. */
  async function wasRemoved(): Promise<boolean> {
    return (await store.wasRemoved?.(sessionId)) ?? true;
  }

  async function storeAnew(): Promise<void> {
    onErased();
    const { snapshot } = await import('../model/snapshot.ts');
    const { write, state } = snapshot(log.getState());
    await store.write(write);
    if (closed) return;
    writer.restart(state.seq);
    log.reset(state, []);
  }

  function catchUp(): Promise<void> {
    again = true;
    if (isReading) return reading;
    isReading = true;
    reading = read();
    return reading;
  }

  const subscription = store.changes$.subscribe((changed) => {
    if (changed !== sessionId) return;
    if (writer.getStatus().state === 'saving') heard++;
    else void catchUp();
  });
  subscription.add(
    writer.status$.subscribe(({ state }) => {
      if (state === 'stale') void catchUp();
      if (state !== 'saved') return;
      const others = heard - (writer.getWrites() - counted);
      counted = writer.getWrites();
      heard = 0;
      // Where it was ours that was told of, nothing is new.
      if (others > 0) void catchUp();
    }),
  );

  return {
    catchUp,
    isReading: () => isReading,
    close() {
      closed = true;
      subscription.unsubscribe();
    },
  };
}
