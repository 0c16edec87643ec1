import type { SessionEvent, SessionStore } from 'brooklet';
import { eventVersion } from 'brooklet/core';
import { openRaw, textAt, writeOf } from '../raw.ts';

/** A text that nothing else contains. */
export const canary = 'kQ7vXw2LmZ9tRb4N';

/** An event with an attachment that becomes a blob. */
export function attachmentAt(seq: number): SessionEvent {
  const content = [{ type: 'image', mediaType: 'image/png', data: canary.repeat(400) }] as const;
  return {
    type: 'message.added',
    message: { id: `m${seq}`, role: 'user', content, timestamp: 1 },
    seq,
    at: 1,
    v: eventVersion,
  };
}

/** Writes a session with the canary wherever text can be. */
export async function writeCanary(store: SessionStore, id = 'a'): Promise<void> {
  const write = writeOf(id, 0, 1, 2);
  const summary = { ...write.summary, title: canary, metadata: { note: canary } };
  await store.write({ ...write, summary, events: [textAt(1, canary), attachmentAt(2)] });
  await store.meta?.update(`annotations:${id}`, () => ({ text: canary }));
  await store.list({ search: canary });
}

/** Returns everything in a database as text: bytes as characters. */
export async function dump(name: string): Promise<string> {
  const db = await openRaw(name);
  const all: unknown[] = [];
  for (const table of db.objectStoreNames) {
    const store = db.transaction(table).objectStore(table);
    for (const request of [store.getAllKeys(), store.getAll()]) {
      await new Promise((resolve) => request.addEventListener('success', resolve));
      all.push(request.result);
    }
  }
  db.close();
  return JSON.stringify(all, (_key, value: unknown) =>
    value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : value,
  );
}
