import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface StickToBottom {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtBottom: boolean;
  readonly toBottom: (behavior?: ScrollBehavior) => void;
}

/** px from the end that still count as the end. */
const near = 48;

/** Keeps the newest in view while the content grows; lets go as soon as the person scrolls up, and takes hold again at the end. */
export function useStickToBottom(sessionId: string | undefined, isEmpty: boolean): StickToBottom {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isStuck = useRef(true);
  const [isAtBottom, setIsAtBottom] = useState(true);

  const toBottom = useCallback((behavior: ScrollBehavior = 'instant') => {
    isStuck.current = true;
    setIsAtBottom(true);
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: calm ? 'instant' : behavior });
  }, []);

  useLayoutEffect(() => toBottom(), [sessionId, toBottom]);

  useLayoutEffect(() => {
    // A welcome is read from its beginning.
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
      // Growing content moves the end away, not the person; content that shrinks leaves them at the end.
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
