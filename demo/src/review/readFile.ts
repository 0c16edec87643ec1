import type { SessionEvent } from 'brooklet';
import type { Annotation } from 'brooklet/review';
import { type ImportProblem, readExport } from 'brooklet/storage';
import type { ReviewTexts } from '../texts/en/review.ts';

export type FileTexts = ReviewTexts['open'];

/** A session of a file. */
export interface OpenedFile {
  readonly events: readonly SessionEvent[];
  /** Notes of reviewers. */
  readonly annotations?: readonly Annotation[];
  /** Why the file could not be read to its end. */
  readonly problem?: string;
  /** The other sessions of the file. */
  readonly others?: readonly OpenedFile[];
}

/** Reads an exported file, or a bug report with a session. Rejects with a sentence for the user when the file has no session. */
export async function readFile(file: Blob, words: FileTexts): Promise<OpenedFile> {
  const start = await startOf(file);
  const { sessions, problem } = await readExport(start === '' ? file : file.slice(new Blob([start]).size));
  const [session, ...others] = sessions;
  const reason = problem && sentenceOf(problem, start === '' ? 0 : 1, words);
  if (session === undefined) throw new Error(words.empty(reason ?? ''));
  // The line that cannot be read is in the last session.
  const shown = reason === undefined ? {} : { problem: words.cut(reason) };
  const last = others.at(-1);
  if (last === undefined) return { ...session, ...shown };
  return { ...session, others: [...others.slice(0, -1), { ...last, ...shown }] };
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
