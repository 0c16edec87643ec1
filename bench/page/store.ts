import { makeHistory, now, type Line } from './bench.ts';

/** The timed operations; the harness names one by a word. */
export interface Store {
  /** Stores a session of these messages, and `sessions` sessions of one message. */
  readonly fill: (long: readonly Line[], sessions: number) => Promise<void>;
  /** Opens the database, as a page does when it starts. */
  readonly start: () => Promise<unknown>;
  /** Returns the messages of the long session. */
  readonly open: () => Promise<readonly unknown[]>;
  /** Returns the messages of an imported session of the same length. */
  readonly openImported: () => Promise<readonly unknown[]>;
  /** Returns the 50 sessions that changed last. */
  readonly list: () => Promise<readonly unknown[]>;
  /** Returns the 50 sessions with this word that changed last. */
  readonly search: (word: string) => Promise<readonly unknown[]>;
}

export const longSession = 'long';
export const importedSession = 'imported';
export const messagesOfLong = 1_000;
export const sessionCount = 10_000;

/** Publishes a store to the harness, which names an operation by a word. */
export function keep(store: Store): void {
  async function check(what: string, list: Promise<readonly unknown[]>, length: number): Promise<void> {
    const { length: got } = await list;
    if (got !== length) throw new Error(`${what} gave ${got} of ${length}.`);
  }

  globalThis.bench = {
    now,
    async ask(word) {
      if (word === 'fill') await store.fill(makeHistory(messagesOfLong, 600), sessionCount);
      else if (word === 'start') await store.start();
      else if (word === 'open') await check(word, store.open(), messagesOfLong);
      else if (word === 'open imported') await check(word, store.openImported(), messagesOfLong);
      else if (word === 'search') await check(word, store.search('IPSUM'), 50);
      else await check(word, store.list(), 50);
    },
  };
}
