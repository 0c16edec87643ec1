import { useAgent, useReview } from 'brooklet/react';
import type { ExportedSession } from 'brooklet/storage';
import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { encryption } from '../base/encryption.ts';
import { goToHref, parseMoment, reviewHref, sessionHref } from '../base/route.ts';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { OpenFile } from './OpenFile.tsx';
import { preload, preloadSaving } from './preload.ts';
import { ReviewBoard } from './ReviewBoard.tsx';
import { SessionPicker } from './SessionPicker.tsx';
import type { OpenedFile } from './readFile.ts';
import { useAnnotations } from './useAnnotations.ts';
import '../styles/review.css';

preload();

const noSessions: readonly ExportedSession[] = [];

/** The review of a stored session, or of an exported file. Read-only, and without the network. */
export function ReviewPage({ path }: { readonly path: string }): ReactElement {
  const words = useReviewTexts();
  const { sessionId, seq } = useMemo(() => parseMoment(path), [path]);
  const { store } = useAgent();
  const [file, setFile] = useState<OpenedFile>();
  const { review, view, error, isLoading } = useReview(file?.events ?? sessionId);
  const notes = useAnnotations({ store, sessionId: file ? undefined : sessionId, inFile: file?.annotations });
  /** Opens a file; the address then names no session. */
  const open = (opened: OpenedFile): void => {
    setFile(opened);
    goToHref(reviewHref({}));
  };

  useEffect(() => {
    // A link to another session, or to another file, leaves the file.
    if (sessionId !== undefined) setFile(undefined);
  }, [sessionId]);

  useEffect(preloadSaving, []);

  const title = view?.state.title ?? '';
  useEffect(() => {
    // The browser writes the title of a page into its history.
    document.title = `${(encryption === 'off' && title) || words.title} — Brooklet Studio`;
  }, [title, words]);

  return (
    <>
      {review && view ? (
        <ReviewBoard
          review={review}
          source={file?.sessions ?? store ?? noSessions}
          at={seq}
          sessionId={file ? undefined : sessionId}
          problem={file ? file.problem : error?.message}
          notes={notes}
          onLeave={() => setFile(undefined)}
        />
      ) : (
        <main className="review-empty">
          <h1>{words.title}</h1>
          {isLoading && <p className="hint">{words.opening}</p>}
          {error && (
            <p className="strip" role="alert">
              {error.code === 'SESSION_NOT_FOUND' ? words.notStored : error.message}
            </p>
          )}
          {!isLoading && <OpenFile onOpen={open} />}
          {!isLoading && (
            <SessionPicker
              label={words.pickOwn}
              except={undefined}
              onPick={(id) => goToHref(reviewHref({ sessionId: id }))}
            />
          )}
          <a href={sessionHref(undefined)}>{words.backToAll}</a>
        </main>
      )}
    </>
  );
}
