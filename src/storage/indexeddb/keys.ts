export type RowKey = [sessionId: string, seq: number];

export type RefKey = [sessionId: string, seq: number, index: number];

/** Without `writeId` where the last write had none, as in a database of version 3. */
export type FenceKey = RowKey | [sessionId: string, seq: number, writeId: string];

/** The keys of a session's rows in `events` and `refs`, from one `seq` to another, both included. */
export function keysOf(sessionId: string, from: number = -Infinity, to: number = Infinity): IDBKeyRange {
  // Key order: an array comes after every number, and a longer array after a shorter one with the same beginning.
  return IDBKeyRange.bound([sessionId, from], [sessionId, to, []]);
}

/** The keys of a session's rows above a `seq`. */
export function keysAfter(sessionId: string, seq: number): IDBKeyRange {
  return IDBKeyRange.bound([sessionId, seq, []], [sessionId, []], true);
}

/** Ends of the pieces in which a log is read: the page unpacks one piece while the browser reads the next. */
const pieceEnds = [4_096, 8_192, 16_384, 24_576, 32_768, 65_536];

/** The keys of `keysAfter`, in pieces that follow one another. */
export function piecesAfter(sessionId: string, seq: number): readonly IDBKeyRange[] {
  const ends = pieceEnds.filter((end) => end > seq);
  const starts = [seq, ...ends];
  return starts.map((start, index) => {
    const end = ends[index];
    const upper = end === undefined ? [sessionId, []] : [sessionId, end, []];
    return IDBKeyRange.bound([sessionId, start, []], upper, true);
  });
}

/** The key of the fence of a session that ends with this event and this write. */
export function fenceKey(sessionId: string, seq: number, writeId?: string): FenceKey {
  return writeId === undefined ? [sessionId, seq] : [sessionId, seq, writeId];
}

/** Returns the key of a fence as it was read; its `seq` is 0 where there is no fence. */
export function toFenceKey(key: IDBValidKey | undefined): FenceKey {
  const [sessionId, seq, writeId]: unknown[] = Array.isArray(key) ? key : [];
  return fenceKey(String(sessionId), Number(seq ?? 0), typeof writeId === 'string' ? writeId : undefined);
}
