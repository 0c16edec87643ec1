import type { MaskNotice } from '../storage/files/mask/options.ts';

/** Characters of one text that are shown: a longer text would block the page. */
const longest = 100_000;

const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const numbers = new Intl.NumberFormat('en');

/** Formats a moment: its time, and the time since the start of the session. */
export function formatMoment(at: number, from: number): string {
  return `${clock.format(at)} (+${formatDuration(at - from)})`;
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

export function formatCount(count: number): string {
  return numbers.format(count);
}

/** Returns the text as far as it is shown. */
export function shorten(text: string): string {
  return text.length > longest
    ? `${text.slice(0, longest)}\n… ${formatCount(text.length - longest)} more characters are in the file.`
    : text;
}

export function toJsonText(value: unknown): string {
  return shorten(JSON.stringify(value, null, 2));
}

/** Returns a sentence that says what is missing in the file. */
export function maskText({ attachments, toolOutputs, instructions, patterns }: MaskNotice): string {
  const left = [
    ...(attachments ? ['attachments'] : []),
    ...(toolOutputs ? ['outputs of tools'] : []),
    ...(instructions ? ['instructions'] : []),
    ...(patterns > 0 ? [`what matches ${patterns === 1 ? 'a pattern' : `${patterns} patterns`}`] : []),
  ];
  return `Left out of this file: ${left.join(', ') || 'nothing'}.`;
}
