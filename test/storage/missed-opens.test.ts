import 'fake-indexeddb/auto';
import { createIndexedDBStore } from 'brooklet/storage';
import { createNotesStore } from 'brooklet/tools';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { writeOf } from './raw.ts';

// Firefox does not report what ended while a page lay in the page cache: that a database was opened, too.

let name: string;
let page: EventTarget;
/** Answers the first open, which the page does not hear while it is aside. */
let answer: () => void;
let opens: number;
/** Whether the browser has opened the database. */
let isAnswered: boolean;

beforeEach(() => {
  name = `missed-${crypto.randomUUID()}`;
  page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  const real = indexedDB.open.bind(indexedDB);
  opens = 0;
  isAnswered = false;
  vi.spyOn(indexedDB, 'open').mockImplementation((database, version) => {
    const request = real(database, version);
    if (++opens > 1) return request;
    // An upgrade runs as always. The success is kept back.
    const listen = request.addEventListener.bind(request);
    const heard: (() => void)[] = [];
    answer = () => heard.forEach((hear) => hear());
    Object.assign(request, {
      addEventListener(type: string, listener: EventListener) {
        if (type !== 'success') return listen(type, listener);
        return listen(type, (event) => {
          isAnswered = true;
          heard.push(() => listener(event));
        });
      },
    });
    return request;
  });
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await deleteDB(name);
});

const fire = (type: 'pagehide' | 'pageshow'): void =>
  void page.dispatchEvent(Object.assign(new Event(type), { persisted: true }));

/** Navigates away and comes back, and lets the time pass after which an answer has been missed. */
async function goAndReturn(): Promise<void> {
  await expect.poll(() => isAnswered).toBe(true);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  fire('pagehide');
  fire('pageshow');
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
}

test('sessions are read and written after an open whose answer the page has missed', async () => {
  const store = createIndexedDBStore({ name });
  const first = store.write(writeOf('a', 0, 1));
  await goAndReturn();
  await first;
  await store.write(writeOf('b', 0, 1));
  expect((await store.list()).sessions.map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
  expect(opens).toBe(2);
  // An answer that comes late is of no use: its connection would block the next upgrade.
  answer();
  store.close();
  await expect(deleteDB(name, { blocked: () => expect.unreachable('A connection is open.') })).resolves.toBeUndefined();
});

test('notes are read and written after an open whose answer the page has missed', async () => {
  const notes = createNotesStore({ name });
  const first = notes.add('milk').catch((error: unknown) => error);
  await goAndReturn();
  expect(await first).toMatchObject({ code: 'STORAGE_FAILED', retryable: true });
  await notes.add('bread');
  expect(opens).toBe(2);
  answer();
});
