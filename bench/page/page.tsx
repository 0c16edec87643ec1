import { type ComponentType, createRef, memo, type ReactElement, type ReactNode, type Ref } from 'react';
import { createRoot } from 'react-dom/client';
import { type Bench, type Counts, type Line, now, readStart } from './bench.ts';

/** What a side provides for a chat. */
export interface Verbs {
  /** Resolves when the side calls the answer finished. */
  readonly send: (text: string) => Promise<unknown>;
  readonly stop: () => void;
}

export interface ChatProps {
  /** Origin of the server. */
  readonly api: string;
  readonly history: readonly Line[];
  readonly ref: Ref<Verbs>;
}

const counts: Counts = { commits: 0, rows: 0 };

/** The DOM that all sides share. */
export function Log({ children }: { readonly children: ReactNode }): ReactElement {
  return <div role="log">{children}</div>;
}

export function Row({ role, text }: { readonly role: string; readonly text: string }): ReactElement {
  counts.rows += 1;
  return <article data-role={role}>{text}</article>;
}

/** A row that renders again only for another message, as a page with long conversations would do. */
export function rowOf<M>(
  roleOf: (message: M) => string,
  textOf: (message: M) => string,
): ComponentType<{ message: M }> {
  return memo(({ message }: { message: M }) => <Row role={roleOf(message)} text={textOf(message)} />);
}

const changes: MutationObserverInit = { childList: true, characterData: true, subtree: true };

/** Characters of the longest answer below the first `known` messages; answers are one text node each. */
function longestAnswer(log: Element, known: number): number {
  let longest = 0;
  for (let row = log.children[known]; row; row = row.nextElementSibling ?? undefined) {
    const text = row.getAttribute('data-role') === 'assistant' ? row.firstChild : undefined;
    if (text instanceof Text) longest = Math.max(longest, text.length);
  }
  return longest;
}

/** Resolves when an answer below the first `known` messages has so many characters. */
function whenShown(log: Element, known: number, length: number): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (longestAnswer(log, known) < length) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(log, changes);
  });
}

/** Resolves after the next frame has been drawn. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    requestAnimationFrame(() => port2.postMessage(0));
  });
}

/** Checks after each frame that was drawn. */
async function whenDrawn(log: Element): Promise<number> {
  const known = log.children.length;
  do await nextFrame();
  while (longestAnswer(log, known) === 0);
  return now();
}

/** Renders the chats of a side, as many as the harness requests. */
export function show(Chat: ComponentType<ChatProps>): void {
  const { apis, history, chats: length } = readStart();
  const chats = Array.from({ length }, (_, index) => ({
    ref: createRef<Verbs>(),
    api: apis[index % apis.length] ?? '',
  }));
  const root = document.getElementById('root') ?? document.body;
  const logs = root.getElementsByTagName('div');

  function find(chat: number): { readonly log: Element; readonly verbs: Verbs } {
    const log = logs[chat];
    const verbs = chats[chat]?.ref.current;
    if (!log || !verbs) throw new Error(`There is no chat ${chat}.`);
    return { log, verbs };
  }

  const bench: Bench = {
    counts,
    now,
    async ask(text, length, chat = 0) {
      const { log, verbs } = find(chat);
      const shown = whenShown(log, log.children.length, length);
      await Promise.all([verbs.send(text), shown]);
      // The last frame costs most.
      await nextFrame();
    },
    stop() {
      const at = now();
      find(0).verbs.stop();
      return at;
    },
    shownAt: () => whenDrawn(find(0).log),
  };

  new MutationObserver(() => {
    counts.commits += 1;
    if (chats.every(({ ref }) => ref.current)) globalThis.bench = bench;
  }).observe(root, changes);

  createRoot(root).render(
    // Chats never change places.
    chats.map(({ ref, api }, index) => <Chat key={index} ref={ref} api={api} history={history} />),
  );
}
