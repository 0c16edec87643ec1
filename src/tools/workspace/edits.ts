/** One replacement within a file. */
export interface Edit {
  readonly old_text: string;
  readonly new_text: string;
}

/** A text after its edits, and the character at which each edit began, in the text that the edits before it had left. */
export interface Edited {
  readonly text: string;
  readonly at: readonly number[];
}

/**
 * Applies edits in their order.
 *
 * @throws Error for a text that does not occur exactly once: nothing is guessed
 */
export function applyEdits(text: string, edits: readonly Edit[], path: string): Edited {
  const at: number[] = [];
  let edited = text;
  edits.forEach(({ old_text: before, new_text: after }, index) => {
    const start = edited.indexOf(before);
    if (start === -1 || edited.includes(before, start + 1))
      throw new Error(
        `Nothing was changed: the old text of edit ${index + 1} occurs ${start === -1 ? 'nowhere' : 'more than once'} in ${path}. Give it exactly, with enough of its surroundings.`,
      );
    edited = edited.slice(0, start) + after + edited.slice(start + before.length);
    at.push(start);
  });
  return { text: edited, at };
}

/** Returns the text before edits; `undefined` if the text is not the result of these edits. */
export function revertEdits(text: string, edits: readonly Edit[], at: readonly number[]): string | undefined {
  let reverted = text;
  for (const [index, { old_text: before, new_text: after }] of [...edits.entries()].toReversed()) {
    const start = at[index];
    if (start === undefined || !reverted.startsWith(after, start)) return undefined;
    reverted = reverted.slice(0, start) + before + reverted.slice(start + after.length);
  }
  return reverted;
}
