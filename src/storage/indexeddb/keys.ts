/** The keys of a session's events, and of what belongs to them, from one `seq` to another, both included. */
export function keysOf(sessionId: string, from: number = -Infinity, to: number = Infinity): IDBKeyRange {
  // Every array comes after every number, and a longer key after a shorter one that begins alike.
  return IDBKeyRange.bound([sessionId, from], [sessionId, to, []]);
}

/** Those above a `seq`. */
export function keysAfter(sessionId: string, seq: number): IDBKeyRange {
  return IDBKeyRange.bound([sessionId, seq, []], [sessionId, []], true);
}
