/** @jsxImportSource preact */
import type { RefObject, VNode } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import type { Review } from '../create-review.ts';
import type { ReviewMatch } from '../search.ts';
import type { ViewerTexts } from './texts/en.ts';
import { useTexts } from './texts/use-texts.ts';

interface SearchBoxProps {
  readonly review: Review;
  readonly input: RefObject<HTMLInputElement | null>;
}

const mostMatches = 50;

/** Searches what was said, asked and answered. Enter goes to the first match, Escape closes the list. */
export function SearchBox({ review, input }: SearchBoxProps): VNode {
  const texts = useTexts();
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
        placeholder={texts.search}
        aria-label={texts.searchIn}
        aria-controls={listId}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          const { key } = event;
          if (isOfInputMethod(event)) return;
          if (key === 'Escape') close();
          if (key === 'Enter' && matches[0]) goTo(matches[0]);
        }}
      />
      <div id={listId} class="matches" hidden={!isOpen}>
        <p class="hint" role="status">
          {isOpen && countText(texts, matches.length)}
        </p>
        <ul>
          {matches.map((match) => (
            <li key={`${match.seq}-${match.excerpt}`}>
              <button type="button" onClick={() => goTo(match)}>
                <span class="kind">{texts.kinds[match.kind]}</span>
                <Excerpt match={match} />
              </button>
            </li>
          ))}
        </ul>
      </div>
    </search>
  );
}

/** Whether a key belongs to an input method. Safari marks the one that ends a composition with the code 229 only. */
function isOfInputMethod(event: KeyboardEvent): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else shows it in Safari
  return event.isComposing || event.keyCode === 229;
}

function countText({ found, foundAtLeast }: ViewerTexts, count: number): string {
  return count === mostMatches ? foundAtLeast(count) : found(count);
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
