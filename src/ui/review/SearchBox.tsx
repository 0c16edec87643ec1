import { type ReactElement, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ElementRef } from '../base/ElementRef.ts';
import type { Review, ReviewMatch } from '../../review/index.ts';
import { isComposing } from '../base/isComposing.ts';
import { useReviewTexts } from './reviewTexts.ts';

interface SearchBoxProps {
  readonly review: Review;
  readonly input: ElementRef<HTMLInputElement>;
}

/** Matches that are listed. */
const most = 50;

/** Searches what was said, asked and answered. Enter goes to the first match; Escape, and a click elsewhere, close the list. */
export function SearchBox({ review, input }: SearchBoxProps): ReactElement {
  const { board: words, kinds } = useReviewTexts();
  const [text, setText] = useState('');
  const [isLeft, setIsLeft] = useState(false);
  const box = useRef<HTMLElement>(null);
  const query = useDeferredValue(text);
  const matches = useMemo(() => review.search(query, { limit: most }), [review, query]);
  const listId = useId();
  const isOpen = !isLeft && text.trim() !== '';

  useEffect(() => {
    if (!isOpen) return undefined;
    // Not the loss of the focus alone: a button that is clicked takes none in Safari.
    const onPointerDown = (event: Event): void => {
      if (box.current && !event.composedPath().includes(box.current)) setIsLeft(true);
    };
    addEventListener('pointerdown', onPointerDown);
    return () => removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);

  const close = (): void => {
    setText('');
    input.current?.blur();
  };
  const goTo = ({ seq }: ReviewMatch): void => {
    review.goTo({ seq });
    close();
  };

  return (
    <search
      ref={box}
      className="bk-review-search"
      onFocus={() => setIsLeft(false)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) setIsLeft(true);
      }}
    >
      <input
        ref={input}
        type="search"
        placeholder={words.search}
        aria-label={words.searchIn}
        aria-controls={listId}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent ?? event)) return;
          if (event.key === 'Escape') {
            // A drawer around it would close, too.
            if (text !== '') event.stopPropagation();
            close();
          }
          if (event.key === 'Enter' && matches[0]) goTo(matches[0]);
        }}
      />
      <div id={listId} className="bk-matches" hidden={!isOpen}>
        <p className="bk-hint" role="status">
          {isOpen && words.found(matches.length, matches.length < most)}
        </p>
        <ul>
          {matches.map((match) => (
            <li key={`${match.seq}-${match.start}-${match.excerpt}`}>
              <button type="button" onClick={() => goTo(match)}>
                <span className="bk-tag">{kinds[match.kind]}</span>
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
