import type { SessionStore } from 'brooklet';
import type { SessionWrite } from 'brooklet/core';

/** Performs a write, and notes what became of it. */
export async function noted(
  who: string,
  write: SessionWrite,
  store: SessionStore,
  note: (line: string) => void,
): Promise<void> {
  const { sessionId, events, expectedSeq, writeId, replaces } = write;
  const content = events.map(({ seq, type }) => `${seq} ${type}`).join(', ');
  const line = `${who} ${sessionId} ${writeId}${replaces?.length ? ', replacing' : ''}: ${content} upon ${expectedSeq}`;
  try {
    await store.write(write);
    note(line);
  } catch (thrown) {
    note(`${line}: ${String(thrown)}`);
    throw thrown;
  }
}
