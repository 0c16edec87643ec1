import { keep, waits } from '../store.ts';

/** One row a session with all its messages in it, and an index by time. */
const opened = new Promise<IDBDatabase>((resolve, reject) => {
  const request = indexedDB.open('floor', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('sessions', { keyPath: 'id' });
    request.result.createObjectStore('heads', { keyPath: 'id' }).createIndex('updatedAt', 'updatedAt');
  };
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

keep({
  async fill(_id, long, count) {
    const transaction = (await opened).transaction(['sessions', 'heads'], 'readwrite');
    const write = (id: string, messages: readonly unknown[], isWaiting: boolean): void => {
      transaction.objectStore('sessions').put({ id, messages });
      transaction.objectStore('heads').put({ id, title: `Session ${id}`, updatedAt: messages.length, isWaiting });
    };
    for (let index = 0; index < count; index++) write(`s${index}`, long.slice(0, 1), waits(index));
    await new Promise((resolve) => (transaction.oncomplete = resolve));
  },
  start: () => opened,
  async list() {
    const heads: unknown[] = [];
    const request = (await opened)
      .transaction('heads')
      .objectStore('heads')
      .index('updatedAt')
      .openCursor(null, 'prev');
    for (let cursor = await done(request); cursor; cursor = await done(request)) {
      heads.push(cursor.value);
      // Without a call of `continue` no further result would arrive.
      if (heads.length === 50) break;
      cursor.continue();
    }
    return heads;
  },
  /** Reads all rows of the list. */
  async waiting() {
    const heads: { isWaiting: boolean }[] = await done(
      (await opened).transaction('heads').objectStore('heads').getAll(),
    );
    return heads.filter(({ isWaiting }) => isWaiting);
  },
  /** Reads everything. */
  async search(word) {
    const wanted = word.toLowerCase();
    const rows: { messages: readonly { text: string }[] }[] = await done(
      (await opened).transaction('sessions').objectStore('sessions').getAll(),
    );
    return rows.filter(({ messages }) => messages.some(({ text }) => text.toLowerCase().includes(wanted))).slice(0, 50);
  },
});
