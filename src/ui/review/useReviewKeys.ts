import { type RefObject, useRef } from 'react';
import type { EventKind, Review } from '../../review/index.ts';
import { isComposing } from '../base/isComposing.ts';
import { usePageEffect } from '../base/usePageEffect.ts';
import type { ReviewViewName } from './props.ts';
import type { OfferedView } from './views.ts';

interface ReviewKeys {
  readonly review: Review;
  readonly kinds: readonly EventKind[] | undefined;
  readonly speed: number;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Where the keys are pressed. `undefined` for the page. */
  readonly target: RefObject<HTMLElement | null> | undefined;
  readonly views: readonly OfferedView[];
  readonly onView: (view: ReviewViewName) => void;
  /** Marks the moment for a comparison. */
  readonly onMark: (() => void) | undefined;
  readonly onNote: (() => void) | undefined;
  /** Opens the session of the last call up to the moment; missing where the page opens no sessions. */
  readonly onOpen: (() => void) | undefined;
  /** Shows the session above; missing at the root. */
  readonly onUp: (() => void) | undefined;
  readonly onHelp: () => void;
}

/** Binds the keys that the help lists (`keys.help` of the texts), except in a field. */
export function useReviewKeys(keys: ReviewKeys): void {
  const latest = useRef(keys);
  // At once: a key may follow before the page is painted.
  usePageEffect(() => void (latest.current = keys));
  const { target } = keys;
  usePageEffect(() => {
    const place = target === undefined ? globalThis : target.current;
    const onKeyDown = (event: Event): void => {
      if (!(event instanceof KeyboardEvent) || event.defaultPrevented || isComposing(event)) return;
      const [origin = null] = event.composedPath();
      if (event.ctrlKey || event.metaKey || event.altKey || isInField(origin) || isInDialog(origin)) return;
      const act = actionOf(event, origin, latest.current);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    place?.addEventListener('keydown', onKeyDown);
    return () => place?.removeEventListener('keydown', onKeyDown);
  }, [target]);
}

function actionOf(
  { key, shiftKey }: KeyboardEvent,
  origin: EventTarget | null,
  keys: ReviewKeys,
): (() => void) | undefined {
  const { review, kinds, speed, search, views, onView, onMark, onNote, onOpen, onUp, onHelp } = keys;
  const view = views.length > 1 ? views[Number(key) - 1] : undefined;
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
      if (origin instanceof Element && origin.closest('button, summary, a') !== null) return undefined;
      return () => (review.getView().isPlaying ? review.pause() : review.play({ speed }));
    case '/':
      return () => search.current?.focus();
    case 'n':
      return onNote;
    case 'm':
      return onMark;
    case 'o':
      return onOpen;
    case 'u':
      return onUp;
    case '?':
      return onHelp;
    default:
      return undefined;
  }
}

/** Whether the keys belong to a field. The scrubber is one, but has the same keys; a radio button has its own arrow keys. */
function isInField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'range';
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLElement && target.isContentEditable;
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null;
}
