import { maxCompared } from './limits.ts';

/** One line of a diff. */
export interface DiffLine {
  readonly is: 'kept' | 'removed' | 'added';
  readonly text: string;
}

/** Returns the line diff of two texts: a longest common subsequence (Hunt, McIlroy 1976). */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [from, to] = [toLines(before), toLines(after)];
  const removed = from.map((text): DiffLine => ({ is: 'removed', text }));
  const added = to.map((text): DiffLine => ({ is: 'added', text }));
  if (from.length > maxCompared || to.length > maxCompared) return [...removed, ...added];

  // longest[i][j]: the number of lines that can be kept from line i of `before` and line j of `after` on.
  const longest = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1));
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (let i = from.length - 1; i >= 0; i -= 1) {
    const row = longest[i] ?? [];
    for (let j = to.length - 1; j >= 0; j -= 1)
      row[j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }

  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [oldLine, newLine] = [removed[i], added[j]];
    if (oldLine !== undefined && newLine !== undefined && oldLine.text === newLine.text) {
      lines.push({ is: 'kept', text: oldLine.text });
      i += 1;
      j += 1;
    } else if (oldLine !== undefined && (newLine === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(oldLine);
      i += 1;
    } else if (newLine !== undefined) {
      lines.push(newLine);
      j += 1;
    } else return lines;
  }
}

/** A line break at the end of the text does not start another line. */
function toLines(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
