/** A message of the history that a page begins with. */
export interface Line {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** The interface of a page for the harness. */
export interface Bench {
  /** Resolves when the side calls the answer finished and, on a page that shows it, all of its `length` characters are there and drawn. */
  readonly ask: (text: string, length: number, chat?: number) => Promise<void>;
  /** ms since the epoch, at the resolution of the browser. */
  readonly now: () => number;
  /** Stops the current answer; returns when, ms since the epoch. */
  readonly stop?: () => number;
  /** Resolves to the time when the first text of the next answer is on the screen. */
  readonly shownAt?: () => Promise<number>;
  /** Counts since the page was loaded. */
  readonly counts?: Counts;
  /** Returns in how many rows a session is stored. */
  readonly rowsOf?: (session: string) => Promise<number>;
}

export interface Counts {
  /** Commits that changed the page. */
  commits: number;
  /** Messages rendered. */
  rows: number;
}

declare global {
  /** Set when the page is ready. */
  var bench: Bench | undefined;
}

/** The initial content of a page, as the harness requests it: see `open` in browser.mjs. */
export interface Start {
  /** Origins of the server. */
  readonly apis: readonly string[];
  readonly history: readonly Line[];
  /** Whether messages are stored in IndexedDB. */
  readonly stored: boolean;
  readonly chats: number;
  /** Tokens of the model's window, if the page has to stay within one. */
  readonly window?: number;
}

export const now = (): number => performance.timeOrigin + performance.now();

export function readStart(): Start {
  const query = new URLSearchParams(location.search);
  return {
    apis: (query.get('apis') ?? '').split(','),
    history: makeHistory(Number(query.get('history')), Number(query.get('chars') ?? 600)),
    stored: query.has('stored'),
    chats: Number(query.get('chats') ?? 1),
    ...(query.has('window') && { window: Number(query.get('window')) }),
  };
}

/** Turns with a prompt of 80 characters and an answer of `chars`. */
export function makeHistory(messages: number, chars: number): readonly Line[] {
  return Array.from({ length: messages }, (_, index) => ({
    id: `h${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    text: `${index} `.padEnd(index % 2 === 0 ? 80 : chars, 'lorem ipsum dolor sit amet '),
  }));
}
