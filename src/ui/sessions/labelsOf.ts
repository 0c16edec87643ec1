import type { SessionSummary } from '../../index.ts';

/** Labels of one session. */
export const maxLabels = 32;
/** Characters of a label. */
export const maxLabel = 64;

/** Returns a label as it is stored: without spaces around it, at most 64 characters. Empty for a text that is none. */
export function toLabel(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim().slice(0, maxLabel).trim();
}

/** Returns the labels of a session, `labels` in its metadata. A file from elsewhere may have anything there: at most 32 texts are read. */
export function labelsOf({ metadata }: Pick<SessionSummary, 'metadata'>): readonly string[] {
  const stored = metadata?.['labels'];
  if (!Array.isArray(stored)) return none;
  const labels = stored.flatMap((one) => (typeof one === 'string' && toLabel(one) === one && one !== '' ? [one] : []));
  return [...new Set(labels)].slice(0, maxLabels);
}

const none: readonly string[] = [];

/** Returns the labels of sessions, each once, in the order of the alphabet. */
export function allLabelsOf(sessions: readonly SessionSummary[]): readonly string[] {
  return sortLabels(new Set(sessions.flatMap(labelsOf)));
}

export function sortLabels(labels: Iterable<string>): readonly string[] {
  return [...labels].sort((a, b) => a.localeCompare(b));
}
