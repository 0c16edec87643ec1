import { createAgent, extractTextContent, type SessionStore } from 'brooklet';
import { createMemoryStore, defineStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';

/** A store as a page may write it: a class, whose methods are on the prototype. */
class MyStore implements SessionStore {
  readonly #sessions = createMemoryStore();
  readonly changes$ = this.#sessions.changes$;
  list(...args: Parameters<SessionStore['list']>): ReturnType<SessionStore['list']> {
    return this.#sessions.list(...args);
  }
  read(...args: Parameters<SessionStore['read']>): ReturnType<SessionStore['read']> {
    return this.#sessions.read(...args);
  }
  write(...args: Parameters<SessionStore['write']>): ReturnType<SessionStore['write']> {
    return this.#sessions.write(...args);
  }
  remove(...args: Parameters<SessionStore['remove']>): ReturnType<SessionStore['remove']> {
    return this.#sessions.remove(...args);
  }
  close(): void {}
}

/** Sends a message with one agent, and returns what another agent reads from the store. */
async function storedTexts(store: SessionStore): Promise<readonly string[]> {
  const agent = createAgent({ client: createScriptedClient([reply.text('Hello.')]), store });
  const session = await agent.openSession(agent.createSession());
  await session.send('Hi');
  await session.flushed();
  const later = await createAgent({ client: createScriptedClient([]), store }).openSession(session.id);
  return later.getMessages().map(extractTextContent);
}

describe('defineStore', () => {
  test('lets an agent keep its sessions in a store of the page', async () => {
    expect(await storedTexts(defineStore(new MyStore()))).toEqual(['Hi', 'Hello.']);
  });

  test('returns the store itself, and is kept by a store that wraps it', async () => {
    const store = new MyStore();
    expect(defineStore(store)).toBe(store);
    const { read, write, list, remove } = createMemoryStore();
    const defined = defineStore({ read, write, list, remove, changes$: store.changes$, close() {} });
    expect(await storedTexts({ ...defined })).toEqual(['Hi', 'Hello.']);
  });
});
