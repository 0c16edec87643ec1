import type { EventKind, Review } from 'brooklet/review';
import { type RefObject, useEffect } from 'react';
import { type ViewName, viewsOf } from './views.ts';

interface ReviewKeys {
  readonly review: Review;
  readonly kinds: readonly EventKind[] | undefined;
  readonly speed: number;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onView: (view: ViewName) => void;
  /** Marks the moment for a comparison. */
  readonly onMark: () => void;
  readonly onHelp: () => void;
}

/** Binds the keys that the help lists (`keys.help` of the texts), except in a field. */
export function useReviewKeys(keys: ReviewKeys): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isInField(event.target) || isInDialog(event.target)) return;
      const act = actionOf(event, keys);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}

function actionOf({ key, shiftKey, target }: KeyboardEvent, keys: ReviewKeys): (() => void) | undefined {
  const { review, kinds, speed, search, onView, onMark, onHelp } = keys;
  const view = viewsOf(review, 0)[Number(key) - 1];
  if (view) return () => onView(view.name);
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
    case 'n':
      return () => {
        onView('notes');
        requestAnimationFrame(() => document.querySelector<HTMLElement>('#new-note')?.focus());
      };
    case 'm':
      return onMark;
    case '?':
      return onHelp;
    default:
      return undefined;
  }
}

/** Whether the keys belong to a field. The scrubber is one, but has the same keys; a radio button has its own arrow keys. */
function isInField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'range';
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null;
}
