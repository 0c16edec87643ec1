/** @jsxImportSource preact */
import type { VNode } from 'preact';
import type { Annotation } from '../core/model/annotation.ts';
import type { Review } from '../review/create-review.ts';
import { shorten } from './format.ts';

interface NotesProps {
  readonly review: Review;
  readonly annotations: readonly Annotation[];
}

/** The notes of reviewers, each with the moment that it is on. */
export function Notes({ review, annotations }: NotesProps): VNode {
  return (
    <details class="notes" open>
      <summary>Notes ({annotations.length})</summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <ol tabIndex={0} aria-label="Notes">
        {annotations.map(({ seq, text, userName }, index) => (
          <li key={index}>
            <button type="button" onClick={() => review.goTo({ seq })}>
              Event {seq}
            </button>{' '}
            {userName !== undefined && (
              <>
                <bdi>{userName}</bdi>:{' '}
              </>
            )}
            <bdi>{shorten(text)}</bdi>
          </li>
        ))}
      </ol>
    </details>
  );
}
