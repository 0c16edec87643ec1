import type { Review, ReviewStep, ReviewView } from 'brooklet/review';
import type { ReactElement, RefObject } from 'react';
import { reviewHref, sessionHref } from '../route.ts';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import { momentMarkdown } from './momentMarkdown.ts';
import { SaveMenu } from './SaveMenu.tsx';
import { SearchBox } from './SearchBox.tsx';
import type { Notes } from './useAnnotations.ts';

interface BoardTopProps {
  readonly review: Review;
  readonly view: ReviewView;
  readonly step: ReviewStep | undefined;
  readonly sessionId: string | undefined;
  readonly notes: Notes;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onHelp: () => void;
  readonly onLeave: () => void;
}

/** The title of the session, the search, and what can be done with the moment and the session. */
export function BoardTop(props: BoardTopProps): ReactElement {
  const { review, view, step, sessionId, notes, search, onHelp, onLeave } = props;
  const words = useReviewTexts();
  const isRunning = review.runs.at(-1)?.endSeq === undefined && review.runs.length > 0;
  return (
    <header className="review-top">
      <a className="review-link" href={sessionHref(sessionId)} aria-label={words.back} title={words.back}>
        <Icon name="stepBack" />
      </a>
      <h1>
        <bdi>{view.state.title || words.untitled}</bdi>
        <small>
          {sessionId !== undefined && isRunning && <span className="live">{words.live}</span>}
          {words.readOnly}
        </small>
      </h1>
      <SearchBox review={review} input={search} />
      <div className="review-actions">
        <CopyButton label={words.copyMoment} getText={() => momentMarkdown({ view, step, notes: notes.list }, words)} />
        {sessionId !== undefined && (
          <a
            className="review-link"
            href={reviewHref({ sessionId, seq: view.seq })}
            title={words.moment}
            aria-label={words.linkTo(view.seq)}
          >
            <Icon name="link" />
          </a>
        )}
        <SaveMenu review={review} state={view.state} notes={notes.list} />
        <a
          className="review-link"
          href={reviewHref({})}
          aria-label={words.open.button}
          title={words.open.button}
          onClick={onLeave}
        >
          <Icon name="file" />
        </a>
        <button
          type="button"
          className="quiet small"
          aria-label={words.keys.title}
          title={words.keys.button}
          onClick={onHelp}
        >
          <Icon name="question" />
        </button>
      </div>
    </header>
  );
}
