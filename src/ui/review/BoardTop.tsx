import type { ReactElement, RefObject } from 'react';
import type { Annotation, Review, ReviewStep, ReviewView } from '../../review/index.ts';
import { CopyButton } from '../base/CopyButton.tsx';
import { IconButton } from '../base/IconButton.tsx';
import { momentMarkdown } from './momentMarkdown.ts';
import type { ReviewViewProps } from './props.ts';
import { useReviewTexts } from './reviewTexts.ts';
import { SearchBox } from './SearchBox.tsx';

interface BoardTopProps {
  readonly review: Review;
  readonly view: ReviewView;
  readonly step: ReviewStep | undefined;
  readonly isLive: boolean | undefined;
  readonly annotations: readonly Annotation[];
  readonly slots: ReviewViewProps['slots'];
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onHelp: () => void;
}

/** The title of the session, the search, and what can be done with the moment and the session. */
export function BoardTop(props: BoardTopProps): ReactElement {
  const { review, view, step, isLive, annotations, slots, search, onHelp } = props;
  const texts = useReviewTexts();
  const { board: words, keys } = texts;
  return (
    <header className="bk-review-top">
      {slots?.start}
      <h1 tabIndex={-1}>
        <bdi>{view.state.title || words.untitled}</bdi>
        <small>
          {isLive === true && <span className="bk-live">{words.live}</span>}
          {words.readOnly}
        </small>
      </h1>
      <SearchBox review={review} input={search} />
      <div className="bk-review-actions">
        <CopyButton
          label={words.copyMoment}
          getText={() => momentMarkdown({ view, step, notes: annotations }, texts)}
        />
        {slots?.end}
        <IconButton icon="question" label={keys.title} title={keys.button} onClick={onHelp} />
      </div>
    </header>
  );
}
