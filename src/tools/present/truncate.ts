/** Characters. Details are for display; the output keeps the whole text. */
export const maxDetailsLength = 20_000;

export function truncate(text: string): string {
  if (text.length <= maxDetailsLength) return text;
  return `${text.slice(0, maxDetailsLength)}\n… ${text.length - maxDetailsLength} more characters`;
}
