import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface StickToBottom {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtBottom: boolean;
  readonly toBottom: (behavior?: ScrollBehavior) => void;
}

/** Event of the scroller: the list has corrected the position. Its scroll event alone would look like a person who scrolls up. */
export const corrected = 'corrected';

/** Distance from the end, in px, that still counts as the end. */
const near = 48;

/** Keeps the end in view while the content grows. Stops when the user scrolls up, and starts again when the user is back at the end. */
export function useStickToBottom(sessionId: string | undefined, isEmpty: boolean): StickToBottom {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isStuck = useRef(true);
  const [isAtBottom, setIsAtBottom] = useState(true);

  const toBottom = useCallback((behavior: ScrollBehavior = 'instant') => {
    isStuck.current = true;
    setIsAtBottom(true);
    const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: isReduced ? 'instant' : behavior });
  }, []);

  useLayoutEffect(() => toBottom(), [sessionId, toBottom]);

  useLayoutEffect(() => {
    // The welcome page is shown from its start.
    isStuck.current = !isEmpty;
    if (isEmpty) scroller.current?.scrollTo({ top: 0 });
  }, [isEmpty]);

  useEffect(() => {
    const frame = scroller.current;
    const inner = content.current;
    if (!frame || !inner) return undefined;
    return followEnd({ frame, inner, isStuck, onChange: setIsAtBottom });
  }, []);

  return { scroller, content, isAtBottom, toBottom };
}

interface FollowOptions {
  readonly frame: HTMLElement;
  readonly inner: HTMLElement;
  readonly isStuck: RefObject<boolean>;
  readonly onChange: (isAtBottom: boolean) => void;
}

/** ms after a wheel, touch or key event in which a change of the position is its effect. */
const gestureTime = 500;
const gestures = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** Follows the end of the content. Returns a function that stops it. */
function followEnd({ frame, inner, isStuck, onChange }: FollowOptions): () => void {
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

  const sizes = new ResizeObserver(onResize);
  sizes.observe(inner);
  sizes.observe(frame);
  frame.addEventListener(corrected, onResize);
  frame.addEventListener('scroll', onScroll, { passive: true });
  for (const gesture of gestures) frame.addEventListener(gesture, onGesture, { passive: true });
  return () => {
    sizes.disconnect();
    frame.removeEventListener(corrected, onResize);
    frame.removeEventListener('scroll', onScroll);
    for (const gesture of gestures) frame.removeEventListener(gesture, onGesture);
  };
}
