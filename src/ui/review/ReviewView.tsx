import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import { useObservable } from '../../react/index.ts';
import { createReview, type Review, type ReviewView as Moment } from '../../review/index.ts';
import { usePageEffect } from '../base/usePageEffect.ts';
import { LabelsContext } from '../labels/useLabels.ts';
import { InertContext } from '../markdown/inert.ts';
import { PartsContext } from '../parts.ts';
import type { Components } from '../props.ts';
import type { ReviewLog, ReviewViewProps } from './props.ts';
import { type ReviewLabelOverrides, ReviewTextsContext, toReviewTexts } from './reviewTexts.ts';
import { TreeView } from './tree/TreeView.tsx';

const noParts: Components = {};
const noLabels: ReviewLabelOverrides = {};

/**
 * The review of a session: what the person saw, what the model was sent and what the log has, at any moment; its steps, calls, tokens,
 * compactions, errors and notes; and what differs between two moments. It only reads. Nothing of the log runs, links are text, and nothing is
 * loaded. Needs the style sheets `brooklet/ui/style.css` and `brooklet/ui/review.css`, and fills the height of its container.
 *
 *     const stored = await store.read(sessionId);
 *     <ReviewView log={stored.events} />
 */
export function ReviewView(props: ReviewViewProps): ReactElement {
  const { log, at, onAt, labels = noLabels, components = noParts, showsPictures = true, ...rest } = props;
  const review = useReviewOf(log);
  const view = useObservable(review.view$, review.getView);
  usePosition({ review, view, at, onAt });
  const texts = useMemo(() => toReviewTexts(labels), [labels]);
  const inert = useMemo(() => ({ isInert: true, showsPictures }), [showsPictures]);
  return (
    <ReviewTextsContext.Provider value={texts}>
      <LabelsContext.Provider value={texts.parts}>
        <PartsContext.Provider value={components}>
          <InertContext.Provider value={inert}>
            <TreeView {...rest} root={review} />
          </InertContext.Provider>
        </PartsContext.Provider>
      </LabelsContext.Provider>
    </ReviewTextsContext.Provider>
  );
}

/** Returns the review of a log. A log that grows has one review after the other, each at the position of the one before. */
function useReviewOf(log: ReviewLog): Review {
  const [review, setReview] = useState(() => toReview(log));
  const shown = useRef({ log, review });
  // Not while rendering: the review that continues another one pauses it.
  usePageEffect(() => {
    if (shown.current.log === log) return;
    shown.current = { log, review: toReview(log, shown.current.review) };
    setReview(shown.current.review);
  }, [log]);
  useEffect(() => () => review.pause(), [review]);
  return review;
}

function toReview(log: ReviewLog, before?: Review): Review {
  if ('view$' in log) return log;
  const [first, begin] = [log[0], before?.events[0]];
  const isSame = first !== undefined && first.seq === begin?.seq && first.at === begin.at;
  return createReview(log, before && isSame ? { continues: before } : {});
}

interface Position extends Pick<ReviewViewProps, 'at' | 'onAt'> {
  readonly review: Review;
  readonly view: Moment;
}

/** Moves to the place that the page names, once for each, and notifies the page where the person has moved. */
function usePosition({ review, view, at, onAt }: Position): void {
  const named = useRef<number>(undefined);
  const said = useRef(view.seq);
  useEffect(() => {
    if (at === undefined || at === named.current) return;
    named.current = at;
    // A page that follows the position names it again: it is there already.
    if (review.getView().seq === at) return;
    review.goTo({ seq: at });
    said.current = review.getView().seq;
  }, [review, at]);
  const { seq, isPlaying } = view;
  useEffect(() => {
    // The effect above may have moved on: then the view is that of the next render.
    if (isPlaying || seq === said.current || seq !== review.getView().seq) return;
    said.current = seq;
    onAt?.(seq);
  }, [review, seq, isPlaying, onAt]);
}
