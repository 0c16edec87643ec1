import { createAgent, createChatCompletionsClient, type SessionEvent, type SessionSummary } from 'brooklet';
import { eventVersion, latestMessages } from 'brooklet/core';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply, type Script } from 'brooklet/testing';
import type { Line } from '../bench.ts';
import { keep, waits } from '../store.ts';

const store = createIndexedDBStore();
const agent = createAgent({
  client: createChatCompletionsClient({ baseURL: 'http://127.0.0.1/v1', model: 'm' }),
  store,
});

/** An answer in five pieces, with time for each to be written on its own. */
function toScript(text: string): Script {
  const size = Math.ceil(text.length / 5);
  const pieces = Array.from({ length: 5 }, (_, index) => text.slice(index * size, (index + 1) * size));
  return [...pieces.flatMap((piece) => [reply.text(piece, { size }), reply.wait(4)]), reply.usage(1_000, 100)];
}

/** Plays a conversation turn by turn, so that the disk contains the rows of a real one. */
async function converse(id: string, lines: readonly Line[]): Promise<void> {
  const answers = lines.filter(({ role }) => role === 'assistant');
  const ids = [id];
  const talker = createAgent({
    client: createScriptedClient((_request, index) => toScript(answers[index]?.text ?? '')),
    store,
    ports: {
      id: () => ids.pop() ?? crypto.randomUUID(),
      // A hundred times as fast.
      delay(callback, ms) {
        const timer = setTimeout(callback, ms / 100);
        return () => clearTimeout(timer);
      },
    },
  });
  const session = talker.getSession(talker.createSession());
  for (const { role, text } of lines) {
    if (role === 'user') await session?.send(text);
    // A person reads the answer before the next prompt.
    await session?.flushed();
  }
}

let events: Promise<IDBDatabase> | undefined;

/** Opens the database of the store, which the store has made before. */
async function openEvents(): Promise<IDBDatabase> {
  await store.read('none');
  return (events ??= new Promise((resolve, reject) => {
    const opening = indexedDB.open('brooklet');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => resolve(opening.result);
  }));
}

/** Returns the events of a row as if they came in a later round, with other ids. `session.started` is in the first round only. */
function moved(row: unknown, round: number, by: number): readonly SessionEvent[] {
  const text = JSON.stringify([row].flat()).replaceAll(/"[\da-f]{8}-[\da-f-]{27}/g, `$&-${round}`);
  const list: SessionEvent[] = JSON.parse(text, (key, value) => (key === 'seq' ? value + by : value));
  return round === 0 ? list : list.filter(({ type }) => type !== 'session.started');
}

/** Stores a session with the rows of another one, several times, one after the other. */
async function repeat(from: string, to: string, times: number): Promise<void> {
  const { summary } = (await store.read(from)) ?? {};
  if (summary === undefined) throw new Error(`There is no session ${from}.`);
  const step = summary.seq - 1;
  const rows = await readRows(from);
  const copies = Array.from({ length: times }, (_, round) => rows.map((row) => moved(row, round, round * step))).flat();
  const end = copies.pop() ?? [];
  await store.write({
    sessionId: to,
    events: end,
    summary: { ...summary, id: to, seq: end.at(-1)?.seq ?? 0, messageCount: times * summary.messageCount },
    expectedSeq: 0,
    durability: 'relaxed',
  });
  const transaction = (await openEvents()).transaction('events', 'readwrite');
  const table = transaction.objectStore('events');
  for (const copy of copies)
    if (copy.length > 0) table.put(copy.length === 1 ? copy[0] : copy, [to, copy.at(-1)?.seq ?? 0]);
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Returns the rows of a session with one `getAll`. */
async function readRows(sessionId: string): Promise<readonly unknown[]> {
  const range = IDBKeyRange.bound([sessionId, 0], [sessionId, []]);
  const reading = (await openEvents()).transaction('events').objectStore('events').getAll(range);
  return new Promise((resolve, reject) => {
    reading.onsuccess = () => resolve(reading.result);
    reading.onerror = () => reject(reading.error);
  });
}

keep({
  async fill(wanted, long, count) {
    const all = long.map(({ id, role, text }, index): SessionEvent => ({
      type: 'message.added',
      message: { id, role, content: [{ type: 'text', text }], timestamp: index },
      seq: index + 2,
      at: index,
      v: eventVersion,
    }));
    const summaryOf = (id: string, seq: number): SessionSummary => ({
      id,
      title: `Session ${id}`,
      createdAt: 0,
      updatedAt: seq,
      status: 'idle',
      messageCount: seq - 1,
      usage: { input: 0, output: 0 },
      seq,
    });
    const waiting = [{ callId: 'c', name: 'pay', kind: 'approval', requestedAt: 0 }] as const;
    const write = (id: string, more: typeof all, isWaiting = false): Promise<void> =>
      store.write({
        sessionId: id,
        events: [{ type: 'session.started', sessionId: id, seq: 1, at: 0, v: eventVersion }, ...more],
        summary: { ...summaryOf(id, more.length + 1), ...(isWaiting && { status: 'waiting', waiting }) },
        expectedSeq: 0,
        durability: 'relaxed',
        // As an import writes it.
        phase: 'settled',
      });
    if (wanted === 'imported') await write(wanted, all);
    else {
      await converse('had', long);
      if (wanted === 'had long') await repeat('had', wanted, 10);
    }
    for (let from = 0; from < count; from += 500)
      await Promise.all(
        Array.from({ length: 500 }, (_, index) => write(`s${from + index}`, all.slice(0, 1), waits(from + index))),
      );
  },
  start: openEvents,
  open: async (id) => (await agent.openSession(id)).getMessages(),
  openLatest: async (id) => latestMessages(id, (await store.readLatest?.(id)) ?? []),
  readRows,
  list: async () => (await store.list({ limit: 50 })).sessions,
  waiting: async () => (await store.list({ limit: 100, waiting: true })).sessions,
  search: async (word) => (await store.list({ limit: 50, search: word })).sessions,
});
