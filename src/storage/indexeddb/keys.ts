/** The keys of a session's rows in `events` and `refs`, from one `seq` to another, both included. */
export function keysOf(sessionId: string, from: number = -Infinity, to: number = Infinity): IDBKeyRange {
  // Key order: an array comes after every number, and a longer array after a shorter one with the same beginning.
  return IDBKeyRange.bound([sessionId, from], [sessionId, to, []]);
}

/** The keys of a session's rows above a `seq`. */
export function keysAfter(sessionId: string, seq: number): IDBKeyRange {
  return IDBKeyRange.bound([sessionId, seq, []], [sessionId, []], true);
}
