/** One line of a change, and what becomes of it. */
export interface DiffLine {
  readonly is: 'kept' | 'removed' | 'added';
  readonly text: string;
}

/** Lines on either side up to which they are compared with each other; beyond, everything counts as changed. */
const most = 600;

/** What changes from one text to the other, line by line: a longest common subsequence (Hunt, McIlroy 1976). */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [from, to] = [toLines(before), toLines(after)];
  const removed = from.map((text): DiffLine => ({ is: 'removed', text }));
  const added = to.map((text): DiffLine => ({ is: 'added', text }));
  if (from.length > most || to.length > most) return [...removed, ...added];

  // longest[i][j]: how many lines can be kept of those from i on the one side and from j on the other.
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
    const [old, young] = [removed[i], added[j]];
    if (old !== undefined && young !== undefined && old.text === young.text) {
      lines.push({ is: 'kept', text: old.text });
      i += 1;
      j += 1;
    } else if (old !== undefined && (young === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(old);
      i += 1;
    } else if (young !== undefined) {
      lines.push(young);
      j += 1;
    } else return lines;
  }
}

/** A line break at the end ends the last line and begins no other. */
function toLines(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
