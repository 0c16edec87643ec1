import type { SessionLock, SessionLocks } from '../log/store.ts';

/** Which tab runs a session: at most one, and the others know whether it lives. */
export interface Ownership {
  /** Lets others run the session. */
  leave(): void;
  /** Becomes the owner, as soon as no other tab is: at once without locks. Rejects when the session is closed first. */
  enter(): Promise<void>;
  /** Takes the session from a tab that does not answer. */
  take(): Promise<void>;
  close(): void;
}

/** @param lost is called when another tab has taken the session away */
export function createOwnership(sessionId: string, locks: SessionLocks | undefined, lost: () => void): Ownership {
  let lock: SessionLock | undefined;
  let entering: Promise<void> | undefined;
  /** Whether the lock is still wanted when it comes. */
  let wanted = false;
  const closing = new AbortController();

  async function hold(acquired: Promise<SessionLock>): Promise<void> {
    const held = await acquired;
    if (!wanted) return held.release();
    lock = held;
    held.signal.addEventListener('abort', () => {
      if (lock !== held) return;
      leave();
      lost();
    });
  }

  function leave(): void {
    wanted = false;
    lock?.release();
    lock = undefined;
  }

  function enter(): Promise<void> {
    if (lock !== undefined || locks === undefined) return Promise.resolve();
    wanted = true;
    entering ??= hold(locks.acquire(sessionId, closing.signal)).finally(() => (entering = undefined));
    return entering;
  }

  return {
    enter,
    leave,
    async take() {
      if (locks === undefined) return;
      wanted = true;
      await hold(locks.take(sessionId));
    },
    close() {
      closing.abort();
      leave();
    },
  };
}
