/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Board } from './Board.tsx';
import { type OpenedLog, readLog } from './read-log.ts';
import { useTexts } from './texts/use-texts.ts';

/** Opens the log of the file and shows its review. */
export function Viewer({ text }: { readonly text: string }): VNode {
  const texts = useTexts();
  const [opened, setOpened] = useState<OpenedLog>();
  useEffect(() => {
    readLog(text, texts).then(setOpened, (error: unknown) => setOpened({ annotations: [], problem: String(error) }));
  }, [text, texts]);
  if (opened === undefined) return <p class="alone">{texts.opening}</p>;
  const { review, ...notes } = opened;
  if (review) return <Board review={review} {...notes} />;
  return (
    <main class="alone">
      <h1>{texts.unreadable}</h1>
      <p role="alert">{opened.problem}</p>
    </main>
  );
}
