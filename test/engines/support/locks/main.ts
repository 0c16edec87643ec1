import { createSessionLocks } from 'brooklet/storage';

declare global {
  /** Begins runs, one after the other: requests the lock, and stores the run, as a session does. Resolves when the other page has looked at each. */
  var own: (count: number) => Promise<void>;
  /** Reads each run that the other page reports, and watches its owner. */
  var watch: () => void;
  /** What the watcher has seen: runs, and those whose lock it got while their owner was alive. */
  var seen: { runs: number; taken: number };
}

const opening = indexedDB.open('locks', 1);
opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('runs'));
const opened = new Promise<IDBDatabase>((resolve) =>
  opening.addEventListener('success', () => resolve(opening.result)),
);
const locks = createSessionLocks('locks');
const channel = new BroadcastChannel('locks');

/** Resolves with the next message of the other page that is `text`. */
const heard = (text: string): Promise<void> =>
  new Promise((resolve) => {
    const listen = ({ data }: MessageEvent): void => {
      if (data !== text) return;
      channel.removeEventListener('message', listen);
      resolve();
    };
    channel.addEventListener('message', listen);
  });

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
const say = (text: string): void => channel.postMessage(text);

globalThis.own = async (count) => {
  const database = await opened;
  for (let run = 0; run < count; run++) {
    const id = `run-${crypto.randomUUID()}`;
    const looked = heard(`looked ${id}`);
    const acquiring = locks.acquire(id);
    const transaction = database.transaction('runs', 'readwrite', { durability: 'relaxed' });
    transaction.objectStore('runs').put('running', id);
    transaction.commit();
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    say(`began ${id}`);
    await looked;
    (await acquiring).release();
  }
};

globalThis.seen = { runs: 0, taken: 0 };
globalThis.watch = () => {
  async function look(id: string): Promise<void> {
    const reading = (await opened).transaction('runs').objectStore('runs').get(id);
    await new Promise((resolve) => reading.addEventListener('success', resolve));
    const leaving = new AbortController();
    const acquiring = locks.acquire(id, leaving.signal, { isWatch: true });
    // Longer than a watcher waits before it looks again.
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, 200));
    const lock = reading.result === 'running' ? await Promise.race([acquiring, late]) : undefined;
    globalThis.seen.runs++;
    if (lock) globalThis.seen.taken++;
    lock?.release();
    leaving.abort();
    await acquiring.catch(() => {});
    say(`looked ${id}`);
  }
  channel.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (data.startsWith('began ')) void look(data.slice('began '.length));
  });
};
