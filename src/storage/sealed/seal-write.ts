import type { SessionWrite } from '../../core/model/store.ts';
import type { Packed } from '../indexeddb/blobs.ts';
import type { RowsWrite } from '../indexeddb/commit.ts';
import { toRows } from '../rows/to-rows.ts';
import { type HeadMark, sealHead, sealHeadNow } from './heads.ts';
import type { Place, Sealer } from './sealer.ts';

/** A write whose rows are encrypted, as `commit` takes it. */
export interface SealedWrite {
  readonly write: RowsWrite;
  readonly packed: Packed;
  readonly mark: HeadMark | undefined;
}

/** What a write is sealed with. */
export interface SealOptions {
  /** Whether the row of the list has to be written although the write would defer it. */
  readonly needsHead: boolean;
  readonly packed?: Packed | undefined;
  /** What the row of the list says of the others. */
  readonly mark: HeadMark | undefined;
}

export async function sealWrite(sealer: Sealer, given: SessionWrite, options: SealOptions): Promise<SealedWrite> {
  const plain = toPlainRows(given, options);
  const [head, rows, blobs] = await Promise.all([
    plain.hasHead ? sealHead(sealer, given.summary, options.mark) : bareHead(given),
    Promise.all(plain.rows.map(({ value, place }) => sealer.seal(value, place))),
    Promise.all(plain.blobs.map(async ([hash, value]) => [hash, await sealer.seal(value, ['blob', hash])] as const)),
  ]);
  return { ...toSealedWrite(given, plain, { head, rows, blobs }), mark: options.mark };
}

/** As `sealWrite`, within the call. Returns `undefined` where that is not possible. */
export function sealWriteNow(
  sealer: Sealer,
  given: SessionWrite,
  options: Omit<SealOptions, 'packed'>,
): SealedWrite | undefined {
  const plain = toPlainRows(given, options);
  const head = plain.hasHead ? sealHeadNow(sealer, given.summary, options.mark) : bareHead(given);
  if (head === undefined) return undefined;
  const rows: unknown[] = [];
  for (const { value, place } of plain.rows) {
    const sealed = sealer.sealNow(value, place);
    if (sealed === undefined) return undefined;
    rows.push(sealed);
  }
  return { ...toSealedWrite(given, plain, { head, rows, blobs: [] }), mark: options.mark };
}

/** What stands for a row of the list that is not written. */
function bareHead({ sessionId, summary }: SessionWrite): RowsWrite['summary'] {
  return { id: sessionId, seq: summary.seq };
}

interface PlainRows {
  readonly hasHead: boolean;
  readonly rows: readonly { readonly seq: number; readonly value: unknown; readonly place: Place }[];
  readonly blobs: readonly (readonly [hash: string, value: unknown])[];
  readonly refs: Packed['refs'];
}

/** Groups settled events before they are encrypted: a row is encrypted as a whole. */
function toPlainRows(
  { sessionId, events, phase, expectedSeq }: SessionWrite,
  { needsHead, packed }: Omit<SealOptions, 'mark'>,
): PlainRows {
  const values = packed?.rows ?? events;
  const rows =
    phase === 'settled' ? [...toRows(events, values)] : events.map(({ seq }, at) => ({ seq, value: values[at] }));
  return {
    hasHead: needsHead || phase !== 'streaming' || expectedSeq === 0,
    rows: rows.map(({ seq, value }) => ({ seq, value, place: ['event', sessionId, seq] })),
    blobs: Array.from(packed?.blobs ?? []),
    refs: packed?.refs ?? [],
  };
}

function toSealedWrite(
  { phase: _phase, ...write }: SessionWrite,
  { hasHead, rows, refs }: PlainRows,
  sealed: {
    readonly head: RowsWrite['summary'];
    readonly rows: readonly unknown[];
    readonly blobs: Iterable<readonly [string, unknown]>;
  },
): Omit<SealedWrite, 'mark'> {
  return {
    write: { ...write, events: rows, summary: sealed.head, ...(!hasHead && { phase: 'streaming' }) },
    packed: { rows: sealed.rows, refs, blobs: new Map(sealed.blobs) },
  };
}
