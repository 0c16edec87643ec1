import type { MaskNotice } from '../../storage/files/mask/options.ts';
import type { ViewerTexts } from './texts/en.ts';

type Locale = Pick<ViewerTexts, 'locale'>;

/** Characters of one text that are shown: a longer text would block the page. */
const longest = 100_000;

const clocks = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();

/** Formats a moment: its time, and the time since the start of the session. */
export function formatMoment({ locale }: Locale, at: number, from: number): string {
  const clock = clocks.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  clocks.set(locale, clock);
  return `${clock.format(at)} (+${formatDuration(at - from)})`;
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

export function formatCount({ locale }: Locale, count: number): string {
  const format = numbers.get(locale) ?? new Intl.NumberFormat(locale);
  numbers.set(locale, format);
  return format.format(count);
}

/** Returns the text as far as it is shown. */
export function shorten(texts: ViewerTexts, text: string): string {
  return text.length > longest
    ? `${text.slice(0, longest)}\n${texts.more(formatCount(texts, text.length - longest))}`
    : text;
}

export function toJsonText(texts: ViewerTexts, value: unknown): string {
  return shorten(texts, JSON.stringify(value, null, 2));
}

/** Returns a sentence that says what is missing in the file. */
export function maskText(
  { masked, maskedParts }: ViewerTexts,
  { attachments, toolOutputs, instructions, patterns }: MaskNotice,
): string {
  return masked([
    ...(attachments ? [maskedParts.attachments] : []),
    ...(toolOutputs ? [maskedParts.toolOutputs] : []),
    ...(instructions ? [maskedParts.instructions] : []),
    ...(patterns > 0 ? [maskedParts.patterns(patterns)] : []),
  ]);
}
