import { createAgent, extractTextContent, type SessionStore } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';

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

test('an agent keeps its sessions in a store of the page: an object of a class, or a store that wraps another', async () => {
  expect(await storedTexts(new MyStore())).toEqual(['Hi', 'Hello.']);
  const { read, write, list, remove, changes$, close } = createMemoryStore();
  expect(await storedTexts({ read, write, list, remove, changes$, close })).toEqual(['Hi', 'Hello.']);
});

test.each(['list', 'read', 'write', 'remove', 'close', 'changes$'])(
  'an agent refuses a store without %s, and names what is missing',
  (verb) => {
    const store = { ...createMemoryStore(), [verb]: undefined };
    expect(() => createAgent({ client: createScriptedClient([]), store })).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        message: `The option \`${verb === 'changes$' ? 'store.changes$' : 'store'}\` of the agent has no method ${verb === 'changes$' ? 'subscribe' : verb}.`,
      }),
    );
  },
);
