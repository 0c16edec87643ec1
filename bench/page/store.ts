import { makeHistory, now, type Line } from './bench.ts';

/** The timed operations; the harness names one by a word. */
export interface Store {
  /** Stores one of `sessions`, made of these messages, and `count` sessions of one message. */
  readonly fill: (id: string, long: readonly Line[], count: number) => Promise<void>;
  /** Opens the database, as a page does when it starts. */
  readonly start: () => Promise<unknown>;
  /** Returns the messages of a session: see `sessions`. */
  readonly open?: (id: string) => Promise<readonly unknown[]>;
  /** Returns the messages that a chat shows of that session before it is open. */
  readonly openLatest?: (id: string) => Promise<readonly unknown[]>;
  /** Returns the rows of that session as the browser returns them: with one `getAll`, not read further. */
  readonly readRows?: (id: string) => Promise<readonly unknown[]>;
  /** Returns the 50 sessions that changed last. */
  readonly list: () => Promise<readonly unknown[]>;
  /** Returns the sessions in which a call waits for a person: `waitingCount`. */
  readonly waiting: () => Promise<readonly unknown[]>;
  /** Returns the 50 sessions with this word that changed last. */
  readonly search: (word: string) => Promise<readonly unknown[]>;
}

/** The long sessions, with their number of messages. */
export const sessions: Readonly<Record<string, number>> = {
  /** Written by a conversation, turn by turn. */
  had: 1_000,
  /** The same ten times, one after the other. */
  'had long': 10_000,
  /** Written at once. */
  imported: 1_000,
};
const messagesAtOnce = 1_000;
export const sessionCount = 10_000;
/** Of these so many wait for a person. */
export const waitingCount = 20;

/** Whether the session of this number waits. */
export const waits = (index: number): boolean => index % (sessionCount / waitingCount) === 0;
/** Messages that fill a window. */
const fewest = 20;

const nothing: Promise<readonly unknown[]> = Promise.resolve([]);

/** Publishes a store to the harness, which names an operation by a word. */
export function keep(store: Store): void {
  async function check(what: string, list: Promise<readonly unknown[]>, length: number): Promise<void> {
    const { length: got } = await list;
    if (got !== length) throw new Error(`${what} gave ${got} of ${length}.`);
  }

  async function checkLatest(what: string, list: Promise<readonly unknown[]>): Promise<void> {
    const { length } = await list;
    if (length < fewest) throw new Error(`${what} gave ${length}, and a window shows ${fewest}.`);
  }

  globalThis.bench = {
    now,
    async ask(line) {
      const [word, id = ''] = line.split(': ');
      if (word === 'fill') await store.fill(id, makeHistory(messagesAtOnce, 600), sessionCount);
      else if (word === 'start') await store.start();
      else if (word === 'open') await check(line, store.open?.(id) ?? nothing, sessions[id] ?? 0);
      else if (word === 'latest') await checkLatest(line, store.openLatest?.(id) ?? nothing);
      else if (word === 'rows') await store.readRows?.(id);
      else if (word === 'waiting') await check(line, store.waiting(), waitingCount);
      else if (word === 'search') await check(line, store.search('IPSUM'), 50);
      else await check(line, store.list(), 50);
    },
    rowsOf: async (id) => (await (store.readRows?.(id) ?? nothing)).length,
  };
}
