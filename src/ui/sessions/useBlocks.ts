import { type RefObject, useMemo, useState } from 'react';
import { usePageEffect } from '../base/usePageEffect.ts';
import { type Block, type Heights, type Line, lineAt, toBlocks, toOffsets } from './lines.ts';

/** Lines that are in the page from the beginning, and where the environment has no layout. */
const atFirst = 80;

/** The window moves in steps of so many lines, so that not every scroll renders. */
const step = 20;

/** Before the first line has been measured. */
const usual: Heights = { row: 36, heading: 32 };

interface View extends Heights {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the lines that are in the page: those that can be seen, a screen above and below them, and `kept`. All lines of a kind have the
 * same height, which is measured.
 *
 * @param list holds the lines, in its full height
 * @param kept index of the line that may have the focus
 */
export function useBlocks(
  list: RefObject<HTMLElement | null>,
  lines: readonly Line[],
  kept: number,
): { readonly blocks: readonly Block[]; readonly below: number } {
  const [view, setView] = useState<View>({ ...usual, from: 0, to: atFirst });
  const { row, heading, from, to } = view;
  const offsets = useMemo(() => toOffsets(lines, { row, heading }), [lines, row, heading]);

  usePageEffect(() => {
    const root = list.current;
    if (!root) return undefined;
    const update = (): void => setView((before) => keepSame(before, toView(root, before, offsets)));
    update();
    const options = { capture: true, passive: true } as const;
    // A scroll within a shadow tree does not reach the window.
    const places = new Set<EventTarget>([window, root.getRootNode()]);
    for (const place of places) place.addEventListener('scroll', update, options);
    addEventListener('resize', update);
    return () => {
      for (const place of places) place.removeEventListener('scroll', update, options);
      removeEventListener('resize', update);
    };
  }, [list, offsets]);

  return useMemo(() => toBlocks(lines, offsets, { from, to, kept }), [lines, offsets, from, to, kept]);
}

function toView(root: HTMLElement, before: View, offsets: readonly number[]): View {
  const heightOf = (selector: string, known: number): number =>
    root.querySelector<HTMLElement>(selector)?.getBoundingClientRect().height || known;
  const row = heightOf('.bk-session', before.row);
  const heading = heightOf('.bk-session-heading', before.heading);
  const { top, height } = root.getBoundingClientRect();
  if (height === 0) return { row, heading, from: 0, to: atFirst };
  const first = lineAt(offsets, -top - innerHeight);
  const last = lineAt(offsets, -top + 2 * innerHeight);
  return { row, heading, from: Math.floor(first / step) * step, to: Math.ceil((last + 1) / step) * step };
}

function keepSame(before: View, next: View): View {
  const isSame =
    before.from === next.from && before.to === next.to && before.row === next.row && before.heading === next.heading;
  return isSame ? before : next;
}
