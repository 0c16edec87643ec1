import type { EventKind, Review } from 'brooklet/review';
import { type RefObject, useEffect } from 'react';

interface ReviewKeys {
  readonly review: Review;
  readonly kinds: readonly EventKind[] | undefined;
  readonly speed: number;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** ← and → move by an event, with Shift by a step; Home and End to the ends; Space plays; / searches. Not in a field. */
export function useReviewKeys({ review, kinds, speed, search }: ReviewKeys): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isInField(event.target)) return;
      const act = actionOf(event, { review, kinds, speed, search });
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [review, kinds, speed, search]);
}

function actionOf(
  { key, shiftKey, target }: KeyboardEvent,
  { review, kinds, speed, search }: ReviewKeys,
): (() => void) | undefined {
  switch (key) {
    case 'ArrowLeft':
      return () => (shiftKey ? review.moveStep(-1) : review.move(-1, kinds));
    case 'ArrowRight':
      return () => (shiftKey ? review.moveStep(1) : review.move(1, kinds));
    case 'Home':
      return () => void review.goTo({ seq: 0 });
    case 'End':
      return () => void review.goTo({ seq: Infinity });
    case ' ':
      // The space bar presses a focused button, and expands a focused summary.
      if (target instanceof Element && target.closest('button, summary, a') !== null) return undefined;
      return () => (review.getView().isPlaying ? review.pause() : review.play({ speed }));
    case '/':
      return () => search.current?.focus();
    default:
      return undefined;
  }
}

/** Whether the keys belong to a field. The scrubber is one, but has the same keys. */
function isInField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'range';
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
