import { AgentError } from '../../core/error.ts';
import type { SessionLock, SessionLocks } from '../../core/model/store.ts';

export interface LockOptions {
  /** The leases between the tabs of this device. */
  readonly local: SessionLocks;
  /** The leases between devices; `undefined` where the remote store has none. Read at each use: another store may be connected. */
  readonly remote: SessionLocks | undefined;
  /** Whether the log says that another device runs the session. */
  readonly isElsewhere: (sessionId: string) => Promise<boolean>;
  /** Resolves when the session may have changed, and after some seconds. Resolves with whether the session may have changed. */
  readonly whenChanged: (sessionId: string, signal: AbortSignal) => Promise<boolean>;
}

/**
 * Returns leases that a tab gets when neither another tab nor another device runs the session.
 *
 * Invariant: only an answer of a remote store with leases ends the wait for another device; without an answer the wait lasts. A person may
 * take the session at any time. A lease of a device that cannot reach the remote store is that of the device alone: the compare-and-set
 * decides.
 */
export function createReplicaLocks(options: LockOptions): SessionLocks {
  const { local, isElsewhere, whenChanged } = options;
  /** Adds the lease between devices to that between tabs, without waiting for it. */
  function shared(
    sessionId: string,
    lock: SessionLock,
    request: (signal: AbortSignal) => Promise<SessionLock> | undefined,
  ): SessionLock {
    const released = new AbortController();
    const lost = new AbortController();
    lock.signal.addEventListener('abort', () => lost.abort(lock.signal.reason));
    request(released.signal)?.then(
      (far) => {
        if (released.signal.aborted) return far.release();
        released.signal.addEventListener('abort', () => far.release());
        far.signal.addEventListener('abort', () => lost.abort(busy(sessionId)));
      },
      // The remote store cannot be reached: this device cannot announce that it runs the session.
      () => {},
    );
    return {
      isExclusive: lock.isExclusive,
      signal: lost.signal,
      release() {
        released.abort();
        lock.release();
      },
    };
  }

  /**
   * Invariant: a device that has just begun a run is not treated as gone. Its events may be stored before its lease, which it requests without
   * waiting: only a lease that is free twice, without a change of the session between the two reads, ends the wait.
   */
  async function waitForOthers(sessionId: string, signal: AbortSignal): Promise<void> {
    let wasFree = false;
    while (await isElsewhere(sessionId)) {
      const isFree = (await options.remote?.isHeld?.(sessionId).catch(() => undefined)) === false;
      signal.throwIfAborted();
      if (isFree && wasFree) return;
      const hasChanged = await whenChanged(sessionId, signal);
      signal.throwIfAborted();
      wasFree = isFree && !hasChanged;
    }
  }

  return {
    async acquire(sessionId, signal = new AbortController().signal, lease = {}) {
      const lock = await local.acquire(sessionId, signal, lease);
      try {
        await waitForOthers(sessionId, signal);
      } catch (thrown) {
        lock.release();
        throw thrown;
      }
      return shared(sessionId, lock, (released) => options.remote?.acquire(sessionId, released));
    },
    async take(sessionId) {
      const lock = await local.take(sessionId);
      return shared(sessionId, lock, () => options.remote?.take(sessionId));
    },
    async isHeld(sessionId) {
      if ((await local.isHeld?.(sessionId)) !== false) return true;
      return (await isElsewhere(sessionId)) && (await options.remote?.isHeld?.(sessionId).catch(() => true)) !== false;
    },
  };
}

const busy = (sessionId: string): AgentError =>
  new AgentError(`Session ${sessionId} is running on another device.`, { code: 'SESSION_BUSY' });
