import type { SessionStore } from 'brooklet';
import { eventVersion, type SessionWrite } from 'brooklet/core';
import { createAesCodec } from 'brooklet/encryption';
import { createIndexedDBStore } from 'brooklet/storage';
import { now } from '../bench.ts';

const key = await crypto.subtle.importKey('raw', crypto.getRandomValues(new Uint8Array(32)), 'HKDF', false, [
  'deriveKey',
]);

/** By what the harness asks for. */
const stores: Readonly<Record<string, SessionStore>> = {
  plain: createIndexedDBStore({ name: 'plain' }),
  encrypted: createIndexedDBStore({ name: 'encrypted', codec: createAesCodec(key) }),
};

const ends: Record<string, number> = {};

/** Writes text that streams, or the end of a run where `size` is more than a write of streaming text. */
async function write(name: string, size: number): Promise<void> {
  const store = stores[name];
  if (store === undefined) throw new Error(`There is no store "${name}".`);
  const expectedSeq = ends[name] ?? 0;
  const seq = expectedSeq + 1;
  const text = Array.from({ length: size / 8 }, () => Math.random().toString(36).slice(2, 10)).join('');
  const phase = size > 2_048 ? 'settled' : 'streaming';
  const usage = { input: 0, output: 0 };
  const row = {
    id: 'a',
    title: 'A title',
    createdAt: 0,
    updatedAt: seq,
    status: 'running',
    messageCount: 2,
    seq,
  } as const;
  const next: SessionWrite = {
    sessionId: 'a',
    events: [{ type: 'text.delta', text, seq, at: seq, v: eventVersion }],
    summary: { ...row, usage },
    expectedSeq,
    writeId: `a/${seq}`,
    ...(expectedSeq > 0 && { expectedWriteId: `a/${expectedSeq}` }),
    durability: 'relaxed',
    phase,
  };
  await store.write(next);
  ends[name] = seq;
}

globalThis.bench = { now, ask: write };
