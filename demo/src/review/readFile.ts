import type { SessionEvent } from 'brooklet';
import { parentOf } from 'brooklet/core';
import type { Annotation } from 'brooklet/review';
import { type ExportedSession, type ImportProblem, readExport } from 'brooklet/storage';
import type { ReviewTexts } from '../texts/en/review.ts';

export type FileTexts = ReviewTexts['open'];

/** A session of a file. */
export interface OpenedFile {
  readonly events: readonly SessionEvent[];
  /** Notes of reviewers. */
  readonly annotations?: readonly Annotation[];
  /** Why the file could not be read to its end. */
  readonly problem?: string;
  /** The other sessions of the file; without those that are below another one. */
  readonly others?: readonly OpenedFile[];
  /** All sessions of the file. */
  readonly sessions: readonly ExportedSession[];
}

/** Reads an exported file, or a bug report with a session. Rejects with a sentence for the user when the file has no session. */
export async function readFile(file: Blob, words: FileTexts): Promise<OpenedFile> {
  const start = await startOf(file);
  const { sessions, problem } = await readExport(start === '' ? file : file.slice(new Blob([start]).size));
  const reason = problem && sentenceOf(problem, start === '' ? 0 : 1, words);
  const ids = new Set(sessions.map(({ id }) => id));
  const tops = sessions.filter(({ events }) => !ids.has(parentOf(events) ?? ''));
  // A damaged file may have sessions that are below one another in a circle.
  const roots = tops.length > 0 ? tops : sessions;
  const [first, ...others] = roots.map((one, index): OpenedFile => {
    // The line that cannot be read is in the last session, or below it.
    const isLast = index === roots.length - 1;
    return { ...one, sessions, ...(isLast && reason !== undefined && { problem: words.cut(reason) }) };
  });
  if (first === undefined) throw new Error(words.empty(reason ?? ''));
  return others.length === 0 ? first : { ...first, others };
}

/** Returns a problem as a sentence, with the line of the whole file. */
function sentenceOf({ line, field, reason }: ImportProblem, linesBefore: number, words: FileTexts): string {
  const isNewer = field === 'version' || field === 'v';
  const hint = isNewer ? ` ${words.newer}` : '';
  return words.problem(line + linesBefore, field, reason) + hint;
}

/** Bytes within which the first line of a bug report ends. */
const longestStart = 1_000_000;

/** Returns the first line of a bug report, which is about the page, not about the session; nothing of any other file. */
async function startOf(file: Blob): Promise<string> {
  const start = await file.slice(0, longestStart).text();
  return start.startsWith('{"format":"brooklet-report"') ? start.slice(0, start.indexOf('\n') + 1) : '';
}
