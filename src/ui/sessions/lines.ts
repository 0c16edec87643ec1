import type { SessionSummary } from '../../index.ts';
import type { Group } from './groups.ts';

/** A line of the list: a heading, or a session with its number in the list. */
export type Line =
  | { readonly is: 'heading'; readonly group: Group }
  | { readonly is: 'row'; readonly group: Group; readonly session: SessionSummary; readonly number: number };

/** Heights of lines, in px. */
export interface Heights {
  readonly row: number;
  readonly heading: number;
}

/** The lines of a group that are in the page, with room for those between them that are not. */
export interface Block {
  readonly group: Group;
  readonly hasHeading: boolean;
  /** px above the block, of lines that are not in the page. */
  readonly above: number;
  readonly rows: readonly { readonly session: SessionSummary; readonly number: number; readonly above: number }[];
}

/** Returns the lines of groups. A group of `closed` has its heading only. */
export function toLines(groups: readonly Group[], closed: ReadonlySet<string>): readonly Line[] {
  let number = 0;
  return groups.flatMap((group): readonly Line[] => [
    ...(group.label === undefined ? [] : [{ is: 'heading' as const, group }]),
    ...(closed.has(group.key)
      ? []
      : group.sessions.map((session) => ({ is: 'row' as const, group, session, number: (number += 1) }))),
  ]);
}

/** Returns where each line begins, in px from the top, and at last where the list ends. */
export function toOffsets(lines: readonly Line[], heights: Heights): readonly number[] {
  let top = 0;
  return [0, ...lines.map((line) => (top += heights[line.is]))];
}

/** Returns the first line that ends below a place, in px from the top. */
export function lineAt(offsets: readonly number[], place: number): number {
  let [from, to] = [0, Math.max(0, offsets.length - 2)];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((offsets[middle + 1] ?? 0) > place) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * Returns the blocks of the page: the lines from `from` to `to` (without `to`), and `kept` wherever it is, since it may have the focus. `below`:
 * px of the lines after the last block.
 */
export function toBlocks(
  lines: readonly Line[],
  offsets: readonly number[],
  { from, to, kept }: { readonly from: number; readonly to: number; readonly kept: number },
): { readonly blocks: readonly Block[]; readonly below: number } {
  const indexes = [
    ...(kept >= 0 && kept < from ? [kept] : []),
    ...Array.from({ length: Math.max(0, Math.min(to, lines.length) - from) }, (_one, at) => from + at),
    ...(kept >= to && kept < lines.length ? [kept] : []),
  ];
  const blocks: { group: Group; hasHeading: boolean; above: number; rows: Block['rows'][number][] }[] = [];
  const at = (index: number): number => offsets[index] ?? 0;
  let end = 0;
  for (const index of indexes) {
    const line = lines[index];
    if (!line) continue;
    const above = at(index) - at(end);
    const last = blocks.at(-1);
    const isNew = last?.group !== line.group;
    const block = isNew ? { group: line.group, hasHeading: line.is === 'heading', above, rows: [] } : last;
    if (isNew) blocks.push(block);
    if (line.is === 'row') block.rows.push({ session: line.session, number: line.number, above: isNew ? 0 : above });
    end = index + 1;
  }
  return { blocks, below: at(lines.length) - at(end) };
}
