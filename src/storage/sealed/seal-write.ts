import type { SessionWrite } from '../../core/model/store.ts';
import type { Packed } from '../indexeddb/blobs.ts';
import type { RowsWrite } from '../indexeddb/commit.ts';
import { toRows } from '../rows/to-rows.ts';
import { type HeadMark, sealHead } from './heads.ts';
import type { Sealer } from './sealer.ts';

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

/** Begins the encryption of all rows within the call. Settled events are grouped before: a row is encrypted as a whole. */
export async function sealWrite(
  sealer: Sealer,
  { phase, ...given }: SessionWrite,
  { needsHead, packed, mark }: SealOptions,
): Promise<SealedWrite> {
  const { sessionId, events, expectedSeq, summary } = given;
  const values = packed?.rows ?? events;
  const plain =
    phase === 'settled' ? [...toRows(events, values)] : events.map(({ seq }, at) => ({ seq, value: values[at] }));
  const hasHead = needsHead || phase !== 'streaming' || expectedSeq === 0;
  const [head, rows, blobs] = await Promise.all([
    // A row of the list that is not written is stood for by its key.
    hasHead ? sealHead(sealer, summary, mark) : { id: sessionId, seq: summary.seq },
    Promise.all(plain.map(({ seq, value }) => sealer.seal(value, ['event', sessionId, seq]))),
    Promise.all(
      Array.from(
        packed?.blobs ?? [],
        async ([hash, value]) => [hash, await sealer.seal(value, ['blob', hash])] as const,
      ),
    ),
  ]);
  return {
    write: { ...given, events: plain, summary: head, ...(!hasHead && { phase: 'streaming' }) },
    packed: { rows, refs: packed?.refs ?? [], blobs: new Map(blobs) },
    mark,
  };
}
