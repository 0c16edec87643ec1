import { useAgent } from 'brooklet/react';
import type { ComparedLog } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { FileButton } from './FileButton.tsx';
import { readFile } from './readFile.ts';
import { SessionPicker } from './SessionPicker.tsx';

interface CompareChoiceProps {
  readonly sessionId: string | undefined;
  readonly onChoose: (other: Promise<ComparedLog>) => void;
}

/** The choice of another session, stored or in a file. */
export function CompareChoice({ sessionId, onChoose }: CompareChoiceProps): ReactElement {
  const { compare: words, open: openWords, untitled } = useReviewTexts();
  const { store } = useAgent();

  const openFile = async (file: File): Promise<ComparedLog> => ({
    title: file.name,
    log: (await readFile(file, openWords)).events,
  });

  const openStored = async (id: string): Promise<ComparedLog> => {
    const stored = await store?.read(id);
    if (stored === undefined) throw new Error(words.gone);
    return { title: stored.summary.title || untitled, log: stored.events };
  };

  return (
    <>
      <SessionPicker label={words.with} except={sessionId} onPick={(id) => onChoose(openStored(id))} />
      <FileButton label={words.withFile} onFile={(file) => onChoose(openFile(file))} />
    </>
  );
}
