import type { Annotation } from '../../core/model/annotation.ts';
import { parentOf } from '../../core/model/children.ts';
import type { StoredSession } from '../../core/model/store.ts';
import { linesOf, linksOf } from '../../storage/files/export.ts';
import { defaultLimits } from '../../storage/files/limits.ts';
import type { Masking } from '../../storage/files/mask/mask-log.ts';
import type { MaskNotice } from '../../storage/files/mask/options.ts';
import { escapeLines } from './page.ts';

/** A session for the file. */
export interface SourceSession {
  readonly stored: StoredSession;
  readonly notes: readonly Annotation[];
  /** What an earlier export has left out. */
  readonly masked?: MaskNotice | undefined;
}

/** Returns a session by its id. */
export type ReadSession = (sessionId: string) => Promise<SourceSession | undefined>;

/** Returns the lines of one session, with their ends. */
export function sessionLines({ stored, notes, masked }: SourceSession, masking: Masking | undefined): string {
  return [...linesOf(stored, { masking, annotations: notes, ...(masked && !masking && { masked }) })].join('');
}

interface TreeOptions {
  readonly read: ReadSession;
  readonly masking: Masking | undefined;
  /** Characters of the file that the lines of the root have taken. */
  readonly size: number;
}

/**
 * Returns the escaped lines of the sessions below a session, at any depth, parents first. Left out are a session that cannot be read, one that is
 * not below by its own path (a log from elsewhere may name any session of the store), and what the reader of the file would refuse as too much.
 */
export async function treeLines({ stored: root }: SourceSession, options: TreeOptions): Promise<readonly string[]> {
  const { read, masking } = options;
  const lines: string[] = [];
  const seen = new Set([root.summary.id]);
  const queue = linksOf(root.summary.id, root.events);
  let { size } = options;
  // The queue grows while it is read.
  for (const { id, parent } of queue) {
    if (seen.has(id)) continue;
    const session = await read(id).catch(() => undefined);
    if (session === undefined || parentOf(session.stored.events) !== parent) continue;
    // Not before: a log may name a session that its true parent names later.
    seen.add(id);
    const text = textOf(session, masking);
    if (text === undefined || size + text.length > defaultLimits.size) continue;
    if (lines.length + 2 > defaultLimits.sessions) break;
    size += text.length;
    lines.push(text);
    queue.push(...linksOf(session.stored.summary.id, session.stored.events));
  }
  return lines;
}

/** Returns `undefined` for a session that cannot be written: the others matter more. */
function textOf(session: SourceSession, masking: Masking | undefined): string | undefined {
  try {
    return escapeLines(sessionLines(session, masking));
  } catch {
    return undefined;
  }
}
