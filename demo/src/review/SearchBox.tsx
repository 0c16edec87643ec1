import type { Review, ReviewMatch } from 'brooklet/review';
import { type ReactElement, type RefObject, useDeferredValue, useId, useMemo, useState } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { isComposing } from '../ui/isComposing.ts';

interface SearchBoxProps {
  readonly review: Review;
  readonly input: RefObject<HTMLInputElement | null>;
}

/** Matches that are listed. */
const most = 50;

/** Searches what was said, asked and answered. Enter goes to the first match, Escape closes the list. */
export function SearchBox({ review, input }: SearchBoxProps): ReactElement {
  const words = useReviewTexts();
  const [text, setText] = useState('');
  const query = useDeferredValue(text);
  const matches = useMemo(() => review.search(query, { limit: most }), [review, query]);
  const listId = useId();
  const isOpen = text.trim() !== '';

  const goTo = ({ seq }: ReviewMatch): void => {
    review.goTo({ seq });
    setText('');
    input.current?.blur();
  };

  return (
    <search className="review-search">
      <input
        ref={input}
        type="search"
        placeholder={words.search}
        aria-label={words.searchIn}
        aria-controls={listId}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === 'Escape') {
            setText('');
            event.currentTarget.blur();
          }
          if (event.key === 'Enter' && matches[0]) goTo(matches[0]);
        }}
      />
      <div id={listId} className="matches" hidden={!isOpen}>
        <p className="hint" role="status">
          {isOpen && words.found(matches.length, matches.length < most)}
        </p>
        <ul>
          {matches.map((match) => (
            <li key={`${match.seq}-${match.excerpt}`}>
              <button type="button" className="quiet wide" onClick={() => goTo(match)}>
                <span className="kind">{words.kinds[match.kind]}</span>
                <bdi>
                  {match.excerpt.slice(0, match.start)}
                  <mark>{match.excerpt.slice(match.start, match.start + match.length)}</mark>
                  {match.excerpt.slice(match.start + match.length)}
                </bdi>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </search>
  );
}
