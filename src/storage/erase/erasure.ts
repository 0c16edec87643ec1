/** What a store knows of an erasure by a person (`eraseEverything`): which sessions are of the time before it. */
export interface Erasure {
  /** Everything that is stored is being erased. */
  begin(): void;
  /** Notes the first write of a session: the session is of the time after an erasure that has begun. */
  noteBegun(sessionId: string): void;
  /** Whether a session that is no longer stored is of the time before an erasure, as far as this page knows. */
  concerns(sessionId: string): boolean;
}

export function createErasure(): Erasure {
  /** The sessions that this page began since the last erasure; `undefined` where there was none. A read proves nothing: it may have begun before. */
  let since: Set<string> | undefined;
  return {
    begin: () => void (since = new Set()),
    noteBegun: (sessionId) => void since?.add(sessionId),
    concerns: (sessionId) => since !== undefined && !since.has(sessionId),
  };
}
