import type { NotifyPorts } from './ports.ts';

/** What the tabs of an agent know of each other. */
export interface Presence {
  /** Whether a page of the agent is visible, in any tab. */
  isWatched(): Promise<boolean>;
  /** Resolves with whether this tab is the one that shows this notice. */
  claim(noticeId: string): Promise<boolean>;
  /** Notifies the other tabs that a person looks at this one. */
  noteSeen(): void;
  close(): void;
}

/** ms for which a notice stays claimed: a tab in the background may receive an event late, since its timers fire once a minute. */
const claimed = 120_000;

const seen = 'seen';

/**
 * A visible tab holds a shared lock, and the tab that shows a notice an exclusive one: the browser releases the locks of a tab that dies.
 *
 * @param onSeen called when a person looks at another tab
 */
export function createPresence(
  name: string,
  { locks, openChannel, isVisible, delay }: NotifyPorts,
  onSeen: () => void,
): Presence {
  const prefix = `brooklet notify ${name}`;
  const watching = `${prefix} visible`;
  const channel = openChannel(prefix, (message) => message === seen && onSeen());
  const releases = new Set<() => void>();
  let leave = (): void => {};
  let isClosed = false;

  /** Holds a lock until the returned function is called. Resolves where it was not granted with `undefined`. */
  function hold(lock: string, options: LockOptions): Promise<(() => void) | undefined> {
    return new Promise((resolve) => {
      const asked = locks?.request(lock, options, (granted) => {
        if (granted === null) return resolve(undefined);
        return new Promise<void>((release) => {
          releases.add(release);
          resolve(() => {
            releases.delete(release);
            release();
          });
        });
      });
      // A sandboxed page may not use locks.
      asked?.catch(() => resolve(() => {}));
    });
  }

  function follow(): void {
    leave();
    leave = () => {};
    if (!isVisible() || locks === undefined || isClosed) return;
    let isLeft = false;
    let release: (() => void) | undefined;
    leave = () => {
      isLeft = true;
      release?.();
    };
    void hold(watching, { mode: 'shared' }).then((granted) => {
      release = granted;
      if (isLeft) release?.();
    });
  }

  follow();

  return {
    async isWatched() {
      if (isVisible()) return true;
      // A sandboxed page may not use locks.
      const found = await locks?.query().catch(() => undefined);
      return found?.held?.some((lock) => lock.name === watching) ?? false;
    },
    async claim(noticeId) {
      if (locks === undefined) return true;
      const release = await hold(`${prefix} ${noticeId}`, { ifAvailable: true });
      if (release === undefined || isClosed) return false;
      const stop = delay(() => {
        releases.delete(stop);
        release();
      }, claimed);
      releases.add(stop);
      return true;
    },
    noteSeen() {
      follow();
      if (isVisible()) channel?.post(seen);
    },
    close() {
      isClosed = true;
      leave();
      for (const release of releases) release();
      releases.clear();
      channel?.close();
    },
  };
}
