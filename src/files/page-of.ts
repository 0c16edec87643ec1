/** Returns the `size` characters of a text that begin at `from`, with a note for the model where there are more. */
export function pageOf(text: string, from: number, size: number): string {
  const end = from + size;
  const page = text.slice(from, end);
  return end < text.length ? `${page}\n[… ${text.length - end} more characters: call again with from ${end}]` : page;
}
