import { AgentError } from '../error.ts';
import type { SessionLock, SessionLocks } from '../model/store.ts';

/** Which tab runs a session: at most one, and the others know whether it lives. */
export interface Ownership {
  /** Lets others run the session, and stands in their queue no more. */
  leave(): void;
  /** Becomes the owner, as soon as no other tab is: at once without locks. Rejects when it leaves first. */
  enter(): Promise<void>;
  /** Takes the session from a tab that does not answer. */
  take(): Promise<void>;
}

/** @param lost is called when another tab has taken the session away */
export function createOwnership(sessionId: string, locks: SessionLocks | undefined, lost: () => void): Ownership {
  let lock: SessionLock | undefined;
  let entering: Promise<void> | undefined;
  let leaving = new AbortController();

  async function hold(acquire: (signal: AbortSignal) => Promise<SessionLock>): Promise<void> {
    const { signal } = leaving;
    try {
      const held = await acquire(signal);
      if (signal.aborted) held.release();
      signal.throwIfAborted();
      lock = held;
      held.signal.addEventListener('abort', () => lock === held && lost());
    } finally {
      if (!signal.aborted) entering = undefined;
    }
  }

  function leave(): void {
    // A place in the queue says what this tab had read when it took it: whoever comes again goes to the end.
    leaving.abort(new AgentError('This tab does not wait for the session any more.', { code: 'SESSION_BUSY' }));
    leaving = new AbortController();
    entering = undefined;
    lock?.release();
    lock = undefined;
  }

  return {
    leave,
    async enter() {
      if (lock !== undefined || locks === undefined) return;
      await (entering ??= hold((signal) => locks.acquire(sessionId, signal)));
    },
    async take() {
      // Nobody robs himself.
      if (lock !== undefined || locks === undefined) return;
      leave();
      await (entering = hold(() => locks.take(sessionId)));
    },
  };
}
