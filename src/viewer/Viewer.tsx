import { type ReactElement, useEffect, useState, useSyncExternalStore } from 'react';
import type { ReviewLabels } from '../ui/review/labels/english.ts';
import { ReviewView } from '../ui/review/ReviewView.tsx';
import { maskText } from './mask-text.ts';
import type { ViewerTexts } from './texts/en.ts';
import type { Annotation } from '../core/model/annotation.ts';
import type { SessionEvent } from '../core/model/event.ts';
import type { MaskNotice } from '../storage/files/mask/options.ts';
import { createFileOpener, type OpenSession } from '../review/index.ts';
import { readExport } from '../storage/files/read-export.ts';

interface ViewerProps {
  /** The log, as JSON Lines. */
  readonly text: string;
  readonly texts: ViewerTexts;
  readonly labels: ReviewLabels;
}

/** Opens the log of the file and shows its review. */
export function Viewer({ text, texts, labels }: ViewerProps): ReactElement {
  const [opened, setOpened] = useState<OpenedLog>();
  const at = useSyncExternalStore(onHash, momentOfAddress);
  useEffect(() => {
    readLog(text, texts).then(setOpened, (error: unknown) => setOpened({ annotations: [], problem: String(error) }));
  }, [text, texts]);
  if (opened === undefined) return <p className="alone">{texts.opening}</p>;
  const { events, openSession, annotations, masked, problem } = opened;
  if (events === undefined)
    return (
      <div className="alone">
        <h1>{texts.unreadable}</h1>
        <p role="alert">{problem}</p>
      </div>
    );
  const note = (
    <>
      {problem !== undefined && (
        <p className="bk-strip" role="status">
          {texts.damaged(problem)}
        </p>
      )}
      {masked && (
        <p className="bk-strip" role="status">
          {maskText(texts, masked)}
        </p>
      )}
    </>
  );
  return (
    <ReviewView
      log={events}
      at={at}
      keys="page"
      annotations={annotations}
      openSession={openSession}
      showsPictures={false}
      labels={labels}
      slots={{ note }}
    />
  );
}

function onHash(notify: () => void): () => void {
  addEventListener('hashchange', notify);
  return () => removeEventListener('hashchange', notify);
}

/** The moment that the address names: `#@12` is event 12. */
function momentOfAddress(): number | undefined {
  const seq = /^#@(\d+)$/.exec(location.hash)?.[1];
  return seq === undefined ? undefined : Number(seq);
}

/** The log of the file, as far as it can be read. */
interface OpenedLog {
  /** Missing when nothing can be read. */
  readonly events?: readonly SessionEvent[];
  /** Opens the sessions below, which the file has behind its own. */
  readonly openSession?: OpenSession;
  /** The notes of reviewers. */
  readonly annotations: readonly Annotation[];
  readonly masked?: MaskNotice;
  /** Why the log was not read to its end. */
  readonly problem?: string;
}

/** @param text the content of the element with the log, which begins with an empty line */
async function readLog(text: string, texts: Pick<ViewerTexts, 'problem'>): Promise<OpenedLog> {
  const { sessions, problem } = await readExport(text.replace(/^\n/, ''));
  const [session] = sessions;
  return {
    annotations: session?.annotations ?? [],
    ...(session && { events: session.events, openSession: createFileOpener(sessions) }),
    ...(session?.masked && { masked: session.masked }),
    ...(problem && { problem: texts.problem(problem.line, problem.field, problem.reason) }),
  };
}
