import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface StickToBottom {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtBottom: boolean;
  readonly toBottom: (behavior?: ScrollBehavior) => void;
}

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

    let lastTop = frame.scrollTop;
    const toEnd = (): number => frame.scrollHeight - frame.clientHeight - frame.scrollTop;
    const onResize = (): void => {
      if (isStuck.current) frame.scrollTop = frame.scrollHeight;
      else setIsAtBottom(toEnd() <= near);
    };
    const onScroll = (): void => {
      const rest = toEnd();
      // Only the user scrolls up: growing content moves the end, and shrinking content leaves the user at the end.
      if (frame.scrollTop < lastTop - 1 && rest > 1) isStuck.current = false;
      else if (rest <= 1 || (frame.scrollTop > lastTop && rest <= near)) isStuck.current = true;
      lastTop = frame.scrollTop;
      setIsAtBottom(isStuck.current || rest <= near);
    };
    const sizes = new ResizeObserver(onResize);
    sizes.observe(inner);
    sizes.observe(frame);
    frame.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      sizes.disconnect();
      frame.removeEventListener('scroll', onScroll);
    };
  }, []);

  return { scroller, content, isAtBottom, toBottom };
}
