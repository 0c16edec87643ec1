import type { Packed } from './blobs.ts';
import { cleanUp } from './clean-up.ts';
import { commit, type RowsWrite } from './commit.ts';
import { purgeRemoved } from './removal.ts';
import type { SessionDisk } from './schema.ts';

/** The writes of one connection. */
export interface Writer {
  /** Notes that this connection has seen a fence of the session. Invariant: such a fence is replaced, but never removed. */
  noteFence(sessionId: string): void;
  /** Begins within its call. Settles as `commit` does. */
  put(write: RowsWrite, packed?: Packed): Promise<void>;
}

export function createWriter(disk: SessionDisk): Writer {
  const seen = new Set<string>();

  async function commitNew(write: RowsWrite, packed: Packed | undefined): Promise<void> {
    try {
      await commit(disk, write, { isKnown: false, packed });
    } catch (thrown) {
      // A new session may take the id of a removed one, of which rows may still be stored.
      const wasRemoved = isConstraintError(thrown) && (await purgeRemoved(disk, write.sessionId));
      if (!wasRemoved) throw thrown;
      await commit(disk, write, { isKnown: false, packed, wasRemoved });
    }
  }

  async function put(write: RowsWrite, packed: Packed | undefined): Promise<void> {
    const { sessionId, expectedSeq, summary, replaces = [] } = write;
    // The numbers of the log do not grow: what is replaced has to be gone before later rows take its numbers.
    const isRenumbered = expectedSeq > 0 && summary.seq <= expectedSeq;
    if (isRenumbered) await cleanUp(disk, sessionId);
    await (expectedSeq === 0
      ? commitNew(write, packed)
      : commit(disk, write, { isKnown: seen.has(sessionId), packed }));
    seen.add(sessionId);
    if (replaces.length === 0) return;
    // The write stands even if what it has replaced stays on the disk.
    const cleaning = cleanUp(disk, sessionId).catch(() => {});
    if (isRenumbered) await cleaning;
  }

  return {
    noteFence: (sessionId) => void seen.add(sessionId),
    put: (write, packed) => put(write, packed),
  };
}

function isConstraintError(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'ConstraintError';
}
