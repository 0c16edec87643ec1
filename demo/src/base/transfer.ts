import type { SessionStore } from 'brooklet';
import { exportAll } from 'brooklet/storage';

/** The result of an export. */
export interface Exported {
  readonly file: File;
  readonly sessions: number;
  /** Sessions that could not be read. */
  readonly skipped: number;
}

interface ExportRequest {
  /** Default: all sessions. */
  readonly sessionIds?: readonly string[];
  /** The beginning of the file's name. */
  readonly title: string;
  /** For the file's name. */
  readonly date: Date;
}

/** Exports some sessions or all of them. Rejects with the `AgentError` of the store. */
export async function exportFile(store: SessionStore, { sessionIds, title, date }: ExportRequest): Promise<Exported> {
  const pieces: string[] = [];
  let skipped = 0;
  const options = {
    onSkip: () => void (skipped += 1),
    ...(sessionIds && { sessionIds }),
  };
  for await (const piece of exportAll(store, options)) pieces.push(piece);
  const sessions = pieces.reduce((sum, piece) => sum + piece.split(header).length - 1, 0);
  const file = new File(pieces, fileName(title, date), { type: 'application/jsonl' });
  return { file, sessions, skipped };
}

/** The beginning of the first line of each session. A text in an event cannot contain it: its quotes are escaped. */
const header = '{"format":"brooklet"';

/** Returns a name that every file system accepts. */
export function fileName(title: string, date: Date): string {
  const name = title
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/gu, '');
  return `brooklet-${name === '' ? 'chat' : name}-${date.toISOString().slice(0, 10)}.jsonl`;
}

/** Hands a file to the browser's downloads. */
export function download(file: File): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  // The download has begun with the click; some browsers read the address a moment later.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
