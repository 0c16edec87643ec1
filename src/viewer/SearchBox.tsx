/** @jsxImportSource preact */
import type { RefObject, VNode } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import type { Review } from '../review/create-review.ts';
import type { ReviewMatch } from '../review/search.ts';

interface SearchBoxProps {
  readonly review: Review;
  readonly input: RefObject<HTMLInputElement | null>;
}

const mostMatches = 50;

/** Searches what was said, asked and answered. Enter goes to the first match, Escape closes the list. */
export function SearchBox({ review, input }: SearchBoxProps): VNode {
  const [text, setText] = useState('');
  const matches = useMemo(() => review.search(text, { limit: mostMatches }), [review, text]);
  const listId = useId();
  const isOpen = text.trim() !== '';

  const close = (): void => {
    setText('');
    input.current?.blur();
  };
  const goTo = ({ seq }: ReviewMatch): void => {
    review.goTo({ seq });
    close();
  };

  return (
    <search>
      <input
        ref={input}
        type="search"
        placeholder="Search ( / )"
        aria-label="Search in this session"
        aria-controls={listId}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') close();
          if (key === 'Enter' && matches[0]) goTo(matches[0]);
        }}
      />
      <div id={listId} class="matches" hidden={!isOpen}>
        <p class="hint" role="status">
          {isOpen && countText(matches.length)}
        </p>
        <ul>
          {matches.map((match) => (
            <li key={`${match.seq}-${match.excerpt}`}>
              <button type="button" onClick={() => goTo(match)}>
                <span class="kind">{match.kind}</span>
                <Excerpt match={match} />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </search>
  );
}

function countText(count: number): string {
  if (count === 0) return 'Not found';
  return `${count === mostMatches ? `At least ${count}` : count} found`;
}

function Excerpt({ match: { excerpt, start, length } }: { readonly match: ReviewMatch }): VNode {
  return (
    <bdi>
      {excerpt.slice(0, start)}
      <mark>{excerpt.slice(start, start + length)}</mark>
      {excerpt.slice(start + length)}
    </bdi>
  );
}
