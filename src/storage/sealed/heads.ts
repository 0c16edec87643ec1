import { isJsonObject } from '../../core/json.ts';
import type { SessionSummary } from '../../core/model/store.ts';
import { isSealed, type SealedPart } from '../indexeddb/sealed-row.ts';
import { type Marked, withMark } from '../indexeddb/waiting-mark.ts';
import { type Place, type Sealer, unlessForeign } from './sealer.ts';

// The row of a session for the list. `id`, `seq`, `updatedAt` and the mark of a session that waits are not encrypted: keys and indexes are
// made of them.

/** @param updatedAt is authenticated; `seq` is not, because a removal corrects the `seq` of a row */
function placeOf(id: string, updatedAt: number): Place {
  return ['head', id, updatedAt];
}

/** A row of the list whose other fields are encrypted. */
export type SealedHead = Marked<Pick<SessionSummary, 'id' | 'seq' | 'updatedAt'> & SealedPart>;

export async function sealHead({ seal }: Sealer, summary: SessionSummary): Promise<SealedHead> {
  return withKeys(summary, await seal(summary, placeOf(summary.id, summary.updatedAt)));
}

/** As `sealHead`, within the call; `undefined` where that is not possible. */
export function sealHeadNow({ sealNow }: Sealer, summary: SessionSummary): SealedHead | undefined {
  const sealed = sealNow(summary, placeOf(summary.id, summary.updatedAt));
  return sealed && withKeys(summary, sealed);
}

function withKeys(summary: SessionSummary, sealed: SealedPart): SealedHead {
  const { id, seq, updatedAt } = summary;
  return withMark({ id, seq, updatedAt, ...sealed }, summary);
}

/** Returns the decrypted row, unchecked. A damaged row, or one that is not encrypted, is returned as it is. */
export async function openHead({ open }: Sealer, row: unknown): Promise<unknown> {
  if (!isJsonObject(row) || !isSealed(row)) return row;
  const { id, seq, updatedAt } = { id: '', seq: 0, updatedAt: 0, ...row };
  const head = await open(row, placeOf(id, updatedAt));
  return isJsonObject(head) ? { ...head, id, seq, updatedAt } : row;
}

/** As `openHead`, for a list: a row that was encrypted with another key has no title, and can be removed. */
export function openListed(sealer: Sealer, row: unknown): Promise<unknown> {
  return unlessForeign(openHead(sealer, row), row);
}
