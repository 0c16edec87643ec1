import { isJsonObject } from '../../core/json.ts';
import type { SessionSummary } from '../../core/model/store.ts';
import { isSealed, type SealedPart } from '../rows/sealed-row.ts';
import { type Marked, withMark } from '../rows/waiting-mark.ts';
import { type Place, type Sealer, unlessForeign } from './sealer.ts';

// The row of a session for the list. `id`, `seq`, `updatedAt` and the mark of a session that waits are not encrypted: keys and indexes are
// made of them.

/** @param updatedAt is authenticated; `seq` is not, because a removal corrects the `seq` of a row */
function placeOf(id: string, updatedAt: number): Place {
  return ['head', id, updatedAt];
}

/** A row of the list whose other fields are encrypted. */
export type SealedHead = Marked<Pick<SessionSummary, 'id' | 'seq' | 'updatedAt'> & SealedPart>;

/**
 * What a row of the list says of the rows of its session when it was written: `rows`: each of them is encrypted; `all`: and so is everything in the
 * database.
 */
export type HeadMark = 'rows' | 'all';

/** The field of the encrypted row that has the mark. */
const markField = 'isSealed';

export async function sealHead({ seal }: Sealer, summary: SessionSummary, mark?: HeadMark): Promise<SealedHead> {
  const { id, seq, updatedAt } = summary;
  const marked = mark === undefined ? summary : { ...summary, [markField]: mark };
  return withMark({ id, seq, updatedAt, ...(await seal(marked, placeOf(id, updatedAt))) }, summary);
}

/** A decrypted row of the list, unchecked. */
interface OpenedHead {
  readonly row: unknown;
  readonly mark?: HeadMark | undefined;
}

/** Returns the decrypted row. A damaged row, or one that is not encrypted, is returned as it is. */
export async function openMarked({ open }: Sealer, row: unknown): Promise<OpenedHead> {
  if (!isJsonObject(row) || !isSealed(row)) return { row };
  const { id, seq, updatedAt } = { id: '', seq: 0, updatedAt: 0, ...row };
  const head = await open(row, placeOf(id, updatedAt));
  if (!isJsonObject(head)) return { row };
  const { [markField]: mark, ...summary } = head;
  return { row: { ...summary, id, seq, updatedAt }, mark: mark === 'rows' || mark === 'all' ? mark : undefined };
}

export async function openHead(sealer: Sealer, row: unknown): Promise<unknown> {
  return (await openMarked(sealer, row)).row;
}

export async function markOf(sealer: Sealer, row: unknown): Promise<HeadMark | undefined> {
  return (await openMarked(sealer, row)).mark;
}

/**
 * As `openHead`, for a list: a row that was encrypted with another key has no title, and can be removed.
 *
 * @param isStrict whether a row that is not encrypted is damage: it has no title, either
 */
export function openListed(sealer: Sealer, row: unknown, isStrict: boolean): Promise<unknown> {
  return unlessForeign(openHead(sealer, isStrict ? bareUnlessSealed(row) : row), row);
}

/** Returns what the keys of a row are made of where it is not encrypted. */
export function bareUnlessSealed(row: unknown): unknown {
  if (isSealed(row) || !isJsonObject(row)) return row;
  const { id, seq, updatedAt } = row;
  return { id, seq, updatedAt };
}
