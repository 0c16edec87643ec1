import type { NotificationParts, NotifyPorts } from 'brooklet/notify';

/** A notification that is shown. */
interface Shown extends NotificationParts {
  readonly by: number;
  readonly click: () => void;
}

type Grant = (lock: Lock | null) => unknown;

/** Web Locks of one origin, as the specification has them, without `steal`. */
function createLocks() {
  const held: { readonly name: string; readonly mode: LockMode; readonly tab: number; release: () => void }[] = [];
  const of = (tab: number): Pick<LockManager, 'request' | 'query'> => ({
    async request(name: string, options: unknown, grant?: unknown): Promise<never> {
      const { mode = 'exclusive' }: LockOptions = Object(options);
      const call: Grant =
        typeof grant === 'function' ? (lock): unknown => Reflect.apply(grant, undefined, [lock]) : () => {};
      const isTaken = held.some((one) => one.name === name && (mode === 'exclusive' || one.mode === 'exclusive'));
      await Promise.resolve();
      if (isTaken) return Promise.reject(call(null));
      const dead = new Promise<void>((release) => held.push({ name, mode, tab, release }));
      await Promise.race([dead, call({ name, mode })]);
      held.splice(
        held.findIndex((one) => one.name === name && one.tab === tab),
        1,
      );
      return Promise.reject(new Error('Released.'));
    },
    query: async () => ({ held: held.map(({ name, mode }) => ({ name, mode, clientId: '' })), pending: [] }),
  });
  return {
    of,
    names: () => held.map(({ name }) => name),
    kill(tab: number) {
      for (const one of held.filter((lock) => lock.tab === tab)) {
        held.splice(held.indexOf(one), 1);
        one.release();
      }
    },
  };
}

/** A browser whose tabs a test looks at and leaves. */
export function createNotifyBrowser({ isAllowed = true, canShow = true, hasLocks = true } = {}) {
  const locks = createLocks();
  const shown: Shown[] = [];
  const channels = new Map<number, { readonly name: string; readonly hear: (message: unknown) => void }>();
  let opened = 0;

  function open() {
    const tab = ++opened;
    let isVisible = false;
    let title = 'Chat';
    const looks = new Set<() => void>();
    const workers = new Set<(message: unknown) => void>();
    const timers = new Set<() => void>();
    const went: string[] = [];
    let focused = 0;
    const ports: NotifyPorts = {
      isVisible: () => isVisible,
      onVisibility(callback) {
        looks.add(callback);
        return () => looks.delete(callback);
      },
      getTitle: () => title,
      setTitle: (next) => (title = next),
      isAllowed: () => isAllowed,
      async show(parts, click) {
        if (!canShow) return undefined;
        const one = { ...parts, by: tab, click };
        shown.push(one);
        return { close: () => void (shown.includes(one) && shown.splice(shown.indexOf(one), 1)) };
      },
      focus: () => void focused++,
      go: (url) => void went.push(url),
      locks: hasLocks ? locks.of(tab) : undefined,
      openChannel(name, hear) {
        channels.set(tab, { name, hear });
        return {
          post(message) {
            for (const [other, one] of channels) if (other !== tab && one.name === name) one.hear(message);
          },
          close: () => channels.delete(tab),
        };
      },
      onWorkerMessage(callback) {
        workers.add(callback);
        return () => workers.delete(callback);
      },
      language: () => 'en',
      delay(callback) {
        timers.add(callback);
        return () => timers.delete(callback);
      },
    };
    return {
      ports,
      went,
      focused: () => focused,
      title: () => title,
      rename: (next: string) => (title = next),
      look(visible = true) {
        isVisible = visible;
        for (const one of looks) one();
      },
      tellFromWorker(message: unknown) {
        for (const one of workers) one(message);
      },
      kill() {
        channels.delete(tab);
        locks.kill(tab);
      },
      /** What is still there after a stop. */
      rest: () => [looks.size, workers.size, timers.size, channels.has(tab) ? 1 : 0],
    };
  }

  return { open, shown, locks };
}
