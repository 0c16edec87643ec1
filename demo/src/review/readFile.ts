import type { SessionEvent } from 'brooklet';
import { readExport } from 'brooklet/storage';

/** The first session of a file. */
export interface OpenedFile {
  readonly events: readonly SessionEvent[];
  /** Why the file could not be read to its end. */
  readonly problem?: string;
}

/** Reads an exported file. Rejects with a sentence for the user when the file has no session. */
export async function readFile(file: Blob): Promise<OpenedFile> {
  const { sessions, problem } = await readExport(file);
  const [session] = sessions;
  const reason = problem && `Line ${problem.line}: ${problem.field || 'the line'} ${problem.reason}.`;
  if (session === undefined) throw new Error(`There is no session in this file. ${reason ?? ''}`);
  return { events: session.events, ...(reason !== undefined && { problem: `Shown up to a damaged line. ${reason}` }) };
}
