import type { SessionEvent } from 'brooklet';
import type { Annotation } from 'brooklet/review';
import { type ImportProblem, readExport } from 'brooklet/storage';

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
export async function readFile(file: Blob): Promise<OpenedFile> {
  const { sessions, problem } = await readExport(await withoutReport(file));
  const [session, ...others] = sessions;
  const reason = problem && sentenceOf(problem);
  if (session === undefined) throw new Error(`There is no session in this file. ${reason ?? ''}`);
  return {
    ...session,
    ...(others.length > 0 && { others }),
    ...(reason !== undefined && { problem: `Shown up to a line that cannot be read. ${reason}` }),
  };
}

function sentenceOf({ line, field, reason }: ImportProblem): string {
  const isNewer = field === 'version' || field === 'v';
  const hint = isNewer ? ' A newer version of Brooklet may have written it.' : '';
  return `Line ${line}: ${field || 'the line'} ${reason}.${hint}`;
}

/** Characters within which the first line of a bug report ends. */
const longestStart = 1_000_000;

/** Returns a bug report without its first line, which is about the page, not about the session; any other file as it is. */
async function withoutReport(file: Blob): Promise<Blob> {
  const start = await file.slice(0, longestStart).text();
  if (!start.startsWith('{"format":"brooklet-report"')) return file;
  const end = start.indexOf('\n') + 1;
  return file.slice(new Blob([start.slice(0, end)]).size);
}
