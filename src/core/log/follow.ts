import type { SessionEvent } from './event.ts';
import { evolve } from './evolve.ts';
import { initialState, type SessionState } from './state.ts';
import type { Log } from './log.ts';
import type { SessionStore } from './store.ts';
import type { Writer } from './writer.ts';

export interface FollowOptions {
  readonly store: SessionStore;
  readonly sessionId: string;
  readonly log: Log;
  readonly writer: Writer;
  /** Called before the log takes in what others have stored. */
  readonly onOthers: () => void;
  /** Called after the log has begun again from the store, with what was appended here and did not get there. */
  readonly onLost: (events: readonly SessionEvent[]) => void;
  /** Called when the session is not in the store any more. */
  readonly onGone: () => void;
}

/** Keeps a log in step with what other tabs store. */
export interface Following {
  /** Settles when the log holds what the store held when it was asked; never rejects. */
  catchUp(): Promise<void>;
  close(): void;
}

export function follow({ store, sessionId, log, writer, onOthers, onLost, onGone }: FollowOptions): Following {
  let reading: Promise<void> = Promise.resolve();
  let isReading = false;
  let again = false;
  /** Whether there was word of a change while something was being written here. */
  let missed = false;
  let closed = false;

  async function read(): Promise<void> {
    while (again) {
      again = false;
      if (closed) break;
      try {
        const { state } = writer.getStatus();
        if (state === 'stale') await beginAgain();
        else if (state === 'saved') await takeIn();
        else missed = true;
      } catch {
        // A store that cannot be read now is read at the next change.
      }
    }
    isReading = false;
  }

  async function takeIn(): Promise<void> {
    const { seq } = log.getState();
    const stored = await store.read(sessionId, { after: seq });
    if (closed) return;
    if (stored === undefined) return onGone();
    const isUnchanged = log.getState().seq === seq && writer.getStatus().state === 'saved';
    if (stored.head.seq === seq) return;
    if (!isUnchanged) {
      missed = true;
      return;
    }
    // Pieces that are known here may have been made one event with pieces that are not.
    if (stored.events.some(({ since }) => since !== undefined && since <= seq)) return beginAgain();
    onOthers();
    writer.restart(stored.head.seq);
    log.accept(stored.events);
  }

  async function beginAgain(): Promise<void> {
    const stored = await store.read(sessionId);
    if (closed) return;
    if (stored === undefined) return onGone();
    onOthers();
    const known = writer.getStored();
    const lost = writer.restart(stored.head.seq);
    log.reset(
      fold(sessionId, stored.events),
      stored.events.filter(({ seq, since = seq }) => since > known),
    );
    onLost(lost);
  }

  function catchUp(): Promise<void> {
    again = true;
    if (isReading) return reading;
    isReading = true;
    reading = read();
    return reading;
  }

  const subscription = store.changes$.subscribe((changed) => {
    if (changed === sessionId) void catchUp();
  });
  subscription.add(
    writer.status$.subscribe(({ state }) => {
      if (state !== 'stale' && !(state === 'saved' && missed)) return;
      missed = false;
      void catchUp();
    }),
  );

  return {
    catchUp,
    close() {
      closed = true;
      subscription.unsubscribe();
    },
  };
}

export function fold(sessionId: string, events: readonly SessionEvent[]): SessionState {
  return events.reduce(evolve, initialState(sessionId));
}
