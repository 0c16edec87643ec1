/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Board } from './Board.tsx';
import { type OpenedLog, readLog } from './read-log.ts';

/** Opens the log of the file and shows its review. */
export function Viewer({ text }: { readonly text: string }): VNode {
  const [opened, setOpened] = useState<OpenedLog>();
  useEffect(() => {
    readLog(text).then(setOpened, (error: unknown) => setOpened({ annotations: [], problem: String(error) }));
  }, [text]);
  if (opened === undefined) return <p class="alone">Opening the log…</p>;
  const { review, ...notes } = opened;
  if (review) return <Board review={review} {...notes} />;
  return (
    <main class="alone">
      <h1>The log of this file cannot be read</h1>
      <p role="alert">{opened.problem}</p>
    </main>
  );
}
