import { createAgent, createChatCompletionsClient, type SessionEvent, type SessionSummary } from 'brooklet';
import { eventVersion } from 'brooklet/core';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply, type Script } from 'brooklet/testing';
import type { Line } from '../bench.ts';
import { importedSession, keep, longSession } from '../store.ts';

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
async function converse(lines: readonly Line[]): Promise<void> {
  const answers = lines.filter(({ role }) => role === 'assistant');
  const ids = [longSession];
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

keep({
  async fill(long, sessions) {
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
    const write = (id: string, more: typeof all): Promise<void> =>
      store.write({
        sessionId: id,
        events: [{ type: 'session.started', sessionId: id, seq: 1, at: 0, v: eventVersion }, ...more],
        summary: summaryOf(id, more.length + 1),
        expectedSeq: 0,
        durability: 'relaxed',
        // As an import writes it.
        phase: 'settled',
      });
    await converse(long);
    await write(importedSession, all);
    for (let from = 0; from < sessions; from += 500)
      await Promise.all(Array.from({ length: 500 }, (_, index) => write(`s${from + index}`, all.slice(0, 1))));
  },
  start: () => store.read('none'),
  open: async () => (await agent.openSession(longSession)).getMessages(),
  openImported: async () => (await agent.openSession(importedSession)).getMessages(),
  list: async () => (await store.list({ limit: 50 })).sessions,
  search: async (word) => (await store.list({ limit: 50, search: word })).sessions,
});
