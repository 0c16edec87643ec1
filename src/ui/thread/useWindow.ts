import { type RefObject, useRef, useState } from 'react';
import type { Message } from '../../core/model/index.ts';
import { usePageEffect } from '../base/usePageEffect.ts';
import { turnStart } from './places.ts';

interface Window {
  /** The first message that is shown. */
  readonly start: number;
  /** Shows earlier messages, too. The messages in view stay where they are. */
  readonly showEarlier: () => void;
}

interface WindowOptions {
  readonly messages: readonly Message[];
  /** What the messages belong to: another one is shown from its end. */
  readonly owner: unknown;
  /** Messages above which only the last ones are shown; `Infinity` where all are. */
  readonly limit: number;
  readonly isAtEnd: boolean;
  readonly list: RefObject<HTMLElement | null>;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** Returns which messages of a long conversation are in the page: the last ones, and earlier ones on request. */
export function useWindow({ messages, owner, limit, isAtEnd, list, scroller }: WindowOptions): Window {
  const latestStart = messages.length > limit ? turnStart(messages, messages.length - limit) : 0;
  const [shown, setShown] = useState({ owner, start: latestStart, count: messages.length });
  // While the end is followed, the first rows leave the page by and by; never while a person reads above.
  const hasGrown = isAtEnd && messages.length > shown.count && messages.length - shown.start > 2 * limit;
  const isOther = shown.owner !== owner;
  if (isOther || shown.start > latestStart || (hasGrown && shown.start < latestStart))
    setShown({ owner, start: latestStart, count: messages.length });

  /** The row that was the first, and its place in the view before the earlier ones came. */
  const anchor = useRef<{ readonly row: Element; readonly top: number }>(undefined);
  usePageEffect(() => {
    const { current: kept } = anchor;
    anchor.current = undefined;
    if (!kept?.row.isConnected) return;
    if (scroller.current) moveBy(scroller.current, kept.row.getBoundingClientRect().top - kept.top);
  }, [shown, scroller]);

  return {
    start: Math.min(shown.start, messages.length),
    showEarlier: () => {
      const row = list.current?.firstElementChild;
      if (row) anchor.current = { row, top: row.getBoundingClientRect().top };
      setShown({ owner, start: turnStart(messages, Math.max(0, shown.start - limit)), count: messages.length });
    },
  };
}

function moveBy(frame: Element, px: number): void {
  frame.scrollTop += px;
}
