import { useCallback, useEffect, useRef, useState } from 'react';
import { matches } from '../base/useMedia.ts';
import { usePageEffect } from '../base/usePageEffect.ts';

/** Result of `useStickToEnd`. The refs are those of React 18 and 19, whose types differ. */
export interface StickToEnd {
  /** For the element that scrolls. */
  readonly scroller: { readonly current: HTMLElement | null };
  /** For the element in it that grows. */
  readonly content: { readonly current: HTMLDivElement | null };
  /** Whether the end is in view. */
  readonly isAtEnd: boolean;
  /** Scrolls to the end, and follows it from then on. */
  readonly toEnd: (behavior?: ScrollBehavior) => void;
  /** To be called after the page has changed the position itself, as a virtualizer does: the person has not scrolled. */
  readonly onCorrected: () => void;
}

/** Distance from the end, in px, that still counts as the end. */
const near = 48;

/**
 * Keeps the end of a list in view while it grows. Stops when the person scrolls up, and starts again when the person is back at the end.
 *
 *     const { scroller, content, isAtEnd, toEnd } = useStickToEnd(sessionId);
 *     return <section ref={scroller}><div ref={content}>{rows}</div></section>;
 *
 * @param key what the list shows: for another value the list is shown from its end
 */
export function useStickToEnd(key: unknown): StickToEnd {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isStuck = useRef(true);
  const follower = useRef<Follower>(undefined);
  const [isAtEnd, setIsAtEnd] = useState(true);

  const toEnd = useCallback((behavior: ScrollBehavior = 'instant') => {
    const { current: frame } = scroller;
    isStuck.current = true;
    setIsAtEnd(true);
    if (!frame) return;
    if (behavior === 'smooth' && !matches('(prefers-reduced-motion: reduce)'))
      frame.scrollTo({ top: frame.scrollHeight, behavior });
    else frame.scrollTop = frame.scrollHeight;
  }, []);

  usePageEffect(() => toEnd(), [key, toEnd]);

  useEffect(() => {
    const frame = scroller.current;
    const inner = content.current;
    if (!frame || !inner) return undefined;
    const following = followEnd({ frame, inner, isStuck, onChange: setIsAtEnd });
    follower.current = following;
    return following.stop;
  }, []);
  const onCorrected = useCallback(() => follower.current?.onResize(), []);

  return { scroller, content, isAtEnd, toEnd, onCorrected };
}

interface FollowOptions {
  readonly frame: HTMLElement;
  readonly inner: HTMLElement;
  readonly isStuck: { current: boolean };
  readonly onChange: (isAtEnd: boolean) => void;
}

/** ms after a wheel, touch or key event in which a change of the position is its effect. */
const gestureTime = 500;
const gestures = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

interface Follower {
  /** Keeps or measures the place after a change that no person has made. */
  readonly onResize: () => void;
  readonly stop: () => void;
}

/** Follows the end of the content. */
function followEnd({ frame, inner, isStuck, onChange }: FollowOptions): Follower {
  let lastTop = frame.scrollTop;
  let lastHeight = frame.scrollHeight;
  let gestureAt = -gestureTime;
  const toEnd = (): number => frame.scrollHeight - frame.clientHeight - frame.scrollTop;
  const remember = (): void => {
    lastTop = frame.scrollTop;
    lastHeight = frame.scrollHeight;
  };

  /**
   * When content shrinks, the browser also moves the position up. Then the height has changed, no gesture came before, and the end is near. A search in
   * the page, a scroll bar and assistive technology move the position without a gesture here.
   */
  const isByUser = (at: number): boolean =>
    frame.scrollTop < lastTop - 1 &&
    (frame.scrollHeight === lastHeight ||
      at - gestureAt < gestureTime ||
      Math.min(lastTop - frame.scrollTop, toEnd()) > frame.clientHeight);

  const onResize = (): void => {
    if (isStuck.current) frame.scrollTop = frame.scrollHeight;
    else onChange(toEnd() <= near);
    remember();
  };
  const onScroll = ({ timeStamp }: Event): void => {
    const rest = toEnd();
    if (rest > 1 && isByUser(timeStamp)) isStuck.current = false;
    else if (rest <= 1 || (frame.scrollTop > lastTop && rest <= near)) isStuck.current = true;
    remember();
    onChange(isStuck.current || rest <= near);
  };
  const onGesture = ({ timeStamp }: Event): void => void (gestureAt = timeStamp);

  // Missing in old browsers and in tests: the end is then followed only by `toEnd`.
  const sizes = typeof ResizeObserver === 'function' ? new ResizeObserver(onResize) : undefined;
  sizes?.observe(inner);
  sizes?.observe(frame);
  frame.addEventListener('scroll', onScroll, { passive: true });
  for (const gesture of gestures) frame.addEventListener(gesture, onGesture, { passive: true });
  const stop = (): void => {
    sizes?.disconnect();
    frame.removeEventListener('scroll', onScroll);
    for (const gesture of gestures) frame.removeEventListener(gesture, onGesture);
  };
  return { onResize, stop };
}
