import type { Review } from 'brooklet/review';
import { type AnnotationChange, ReviewView, type ShownSession } from 'brooklet/ui';
import 'brooklet/ui/style.css';
import 'brooklet/ui/review.css';
import { type ReactElement, useMemo, useState } from 'react';
import { reviewHref, sessionHref } from '../base/route.ts';
import { tabName } from '../base/tab.ts';
import { useLabelsOfParts } from '../texts/labels.ts';
import { useReviewLabels, useReviewTexts } from '../texts/reviewTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { BodyText } from './BodyText.tsx';
import { CompareChoice } from './CompareChoice.tsx';
import { costOf } from './costs.ts';
import { parts } from './parts.tsx';
import { ShownActions } from './ShownActions.tsx';
import type { Notes } from './useAnnotations.ts';
import { type TreeSource, useReviewedTree } from './useReviewedTree.ts';

interface ReviewBoardProps {
  readonly review: Review;
  /** The moment that the address names. */
  readonly at?: number | undefined;
  /** Missing for a file. */
  readonly sessionId: string | undefined;
  /** Where the other sessions of its tree are: the store, or the file. */
  readonly source: TreeSource;
  /** Why the log could not be read to its end. */
  readonly problem: string | undefined;
  readonly notes: Notes;
  /** Leaves the session for the choice of a file. */
  readonly onLeave: () => void;
}

/** The review of a session, with what Studio can do with it. */
export function ReviewBoard(props: ReviewBoardProps): ReactElement {
  const { review, at, sessionId, source, problem, notes, onLeave } = props;
  const words = useReviewTexts();
  const labels = useReviewLabels();
  const isRunning = review.runs.at(-1)?.endSeq === undefined && review.runs.length > 0;
  const hint = sessionId === undefined ? words.notes.inFile : words.notes.kept;
  const own = useLabelsOfParts();
  const withOwn = useMemo(
    () => ({ ...labels, parts: { ...labels.parts, ...own }, notes: { ...labels.notes, hint } }),
    [labels, own, hint],
  );
  const rootId = useMemo(() => review.stateAt(0).id, [review]);
  const tree = useReviewedTree(source, rootId, notes.annotations);
  const [shown, setShown] = useState<ShownSession>();
  const annotate = (change: AnnotationChange, id: string): Promise<unknown> =>
    change.type === 'add'
      ? tree.notesOf(id).add({ seq: change.seq, text: change.text, userName: tabName })
      : tree.notesOf(id).remove(change.id);
  const below = shown?.sessionId === rootId ? undefined : shown?.review;

  return (
    <main className="review-page">
      <ReviewView
        log={review}
        at={at}
        keys="page"
        annotations={notes.list}
        onAnnotate={annotate}
        openSession={tree.openSession}
        onSession={setShown}
        isLive={sessionId !== undefined && isRunning}
        costOf={costOf}
        renderRequest={(request, model) => <BodyText request={request} model={model} />}
        renderCompare={(compare) => <CompareChoice sessionId={sessionId} onChoose={compare} />}
        labels={withOwn}
        components={parts}
        slots={{
          start: (
            <a className="review-link" href={sessionHref(sessionId)} aria-label={words.back} title={words.back}>
              <Icon name="stepBack" />
            </a>
          ),
          end: (
            <>
              <ShownActions
                review={below ?? review}
                annotations={tree.notesOf(shown?.sessionId ?? rootId)}
                source={source}
                isStored={sessionId !== undefined}
              />
              <a
                className="review-link"
                href={reviewHref({})}
                aria-label={words.open.button}
                title={words.open.button}
                onClick={onLeave}
              >
                <Icon name="file" />
              </a>
            </>
          ),
          note: problem !== undefined && (
            <p className="bk-strip" role="status">
              {problem}
            </p>
          ),
        }}
      />
    </main>
  );
}
