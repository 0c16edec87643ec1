import { createAgent, createChatCompletionsClient, type SessionHead } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { keep, longSession } from '../store.ts';

const store = createIndexedDBStore();
const agent = createAgent({
  client: createChatCompletionsClient({ baseURL: 'http://127.0.0.1/v1', model: 'm' }),
  store,
});

keep({
  async fill(long, sessions) {
    const added = long.map(({ id, role, text }, index) => ({
      type: 'message.added' as const,
      message: { id, role, content: [{ type: 'text' as const, text }], timestamp: index },
      seq: index + 2,
      at: index,
      v: 1 as const,
    }));
    const headOf = (id: string, seq: number): SessionHead => ({
      id,
      title: `Session ${id}`,
      createdAt: 0,
      updatedAt: seq,
      status: 'idle',
      messageCount: seq - 1,
      usage: { input: 0, output: 0 },
      seq,
    });
    const write = (id: string, more: typeof added): Promise<void> =>
      store.write({
        sessionId: id,
        events: [{ type: 'session.started', sessionId: id, seq: 1, at: 0, v: 1 }, ...more],
        head: headOf(id, more.length + 1),
        expects: 0,
        durability: 'relaxed',
      });
    await write(longSession, added);
    for (let from = 0; from < sessions; from += 500)
      await Promise.all(Array.from({ length: 500 }, (_, index) => write(`s${from + index}`, added.slice(0, 1))));
  },
  start: () => store.read('none'),
  open: async () => (await agent.openSession(longSession)).getMessages(),
  list: async () => (await store.list({ limit: 50 })).sessions,
  search: async (word) => (await store.list({ limit: 50, search: word })).sessions,
});
