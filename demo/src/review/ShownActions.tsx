import type { Annotations, Review } from 'brooklet/review';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { reviewHref } from '../base/route.ts';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { SaveMenu } from './SaveMenu.tsx';
import type { TreeSource } from './useReviewedTree.ts';

interface ShownActionsProps {
  /** Of the session of the tree that is shown. */
  readonly review: Review;
  readonly annotations: Annotations;
  readonly source: TreeSource;
  /** Whether the session is stored, and has an address. */
  readonly isStored: boolean;
}

/** What can be done with the session that is shown: the address of the moment, and what saves it. */
export function ShownActions({ review, annotations, source, isStored }: ShownActionsProps): ReactElement {
  const words = useReviewTexts();
  const { state, seq } = useObservable(review.view$, review.getView);
  const notes = useObservable(annotations.list$, annotations.getList);
  return (
    <>
      {isStored && (
        <a
          className="review-link"
          href={reviewHref({ sessionId: state.id || review.stateAt(0).id, seq })}
          title={words.moment}
          aria-label={words.linkTo(seq)}
        >
          <Icon name="link" />
        </a>
      )}
      <SaveMenu review={review} state={state} notes={notes} source={source} />
    </>
  );
}
