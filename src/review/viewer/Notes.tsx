/** @jsxImportSource preact */
import type { VNode } from 'preact';
import type { Annotation } from '../../core/model/annotation.ts';
import type { Review } from '../create-review.ts';
import { shorten } from './format.ts';
import { useTexts } from './texts/use-texts.ts';

interface NotesProps {
  readonly review: Review;
  readonly annotations: readonly Annotation[];
}

/** The notes of reviewers, each with the moment that it is on. */
export function Notes({ review, annotations }: NotesProps): VNode {
  const texts = useTexts();
  return (
    <details class="notes" open>
      <summary>
        {texts.notes} ({annotations.length})
      </summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <ol tabIndex={0} aria-label={texts.notes}>
        {annotations.map(({ seq, text, userName }, index) => (
          <li key={index}>
            <button type="button" onClick={() => review.goTo({ seq })}>
              {texts.event(seq)}
            </button>{' '}
            {userName !== undefined && (
              <>
                <bdi>{userName}</bdi>:{' '}
              </>
            )}
            <bdi>{shorten(texts, text)}</bdi>
          </li>
        ))}
      </ol>
    </details>
  );
}
