import { useReview } from 'brooklet/react';
import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { InertContent } from '../markdown/InertContent.ts';
import { parseMoment, sessionHref } from '../route.ts';
import { OpenFile } from './OpenFile.tsx';
import { ReviewBoard } from './ReviewBoard.tsx';
import type { OpenedFile } from './readFile.ts';
import '../styles/review.css';

/** The review of a stored session, or of an exported file. Read-only, and without the network. */
export function ReviewPage({ path }: { readonly path: string }): ReactElement {
  const { sessionId, seq } = useMemo(() => parseMoment(path), [path]);
  const [file, setFile] = useState<OpenedFile>();
  const { review, view, error, isLoading } = useReview(sessionId ?? file?.events);
  const isReady = review !== undefined;

  useEffect(() => {
    if (seq !== undefined) review?.goTo({ seq });
    // The address names a moment once: later the position is the user's.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [seq, isReady]);

  const title = view?.state.title ?? '';
  useEffect(() => {
    document.title = `${title || 'Review'} — Brooklet Studio`;
  }, [title]);

  return (
    <InertContent value={true}>
      {review && view ? (
        <ReviewBoard
          review={review}
          view={view}
          sessionId={sessionId}
          problem={sessionId === undefined ? file?.problem : error?.message}
        />
      ) : (
        <main className="review-empty">
          <h1>Review</h1>
          {isLoading && <p className="hint">Opening…</p>}
          {error && (
            <p className="bad" role="alert">
              {error.message}
            </p>
          )}
          {!isLoading && <OpenFile onOpen={setFile} />}
          <a href={sessionHref(sessionId)}>Back to the conversations</a>
        </main>
      )}
    </InertContent>
  );
}
