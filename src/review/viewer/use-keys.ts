import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Review } from '../create-review.ts';

interface Keys {
  readonly review: Review;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly speed: number;
  /** Where the keys are pressed. Default: the page. */
  readonly target?: RefObject<HTMLElement | null>;
}

/** ← and → move by an event, with Shift by a step; Home and End to the ends; Space plays; / searches. Not in a field. */
export function useKeys({ review, search, speed, target }: Keys): void {
  // At once: a log that grows has another review.
  useLayoutEffect(() => {
    const place = target?.current ?? globalThis;
    const onKeyDown = (event: Event): void => {
      if (!(event instanceof KeyboardEvent)) return;
      if (event.ctrlKey || event.metaKey || event.altKey || isInField(event.target)) return;
      const act = actionOf(event, { review, search, speed });
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    place.addEventListener('keydown', onKeyDown);
    return () => place.removeEventListener('keydown', onKeyDown);
  }, [review, search, speed, target]);
}

function actionOf(
  { key, shiftKey, target }: KeyboardEvent,
  { review, search, speed }: Keys,
): (() => unknown) | undefined {
  switch (key) {
    case 'ArrowLeft':
      return () => (shiftKey ? review.moveStep(-1) : review.move(-1));
    case 'ArrowRight':
      return () => (shiftKey ? review.moveStep(1) : review.move(1));
    case 'Home':
      return () => review.goTo({ seq: 0 });
    case 'End':
      return () => review.goTo({ seq: Infinity });
    case ' ':
      // The space bar presses a focused button, and expands a focused summary.
      if (target instanceof Element && target.closest('button, summary') !== null) return undefined;
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
  return target instanceof HTMLSelectElement;
}
