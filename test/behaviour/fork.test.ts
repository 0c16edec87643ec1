import { createAgent, extractTextContent, toolParts, type AgentSession } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { createManualClient, settled } from '../support/manual-client.ts';

const texts = (session: AgentSession | undefined): readonly string[] =>
  session?.getMessages().map((message) => extractTextContent(message)) ?? [];

async function stage(store = createMemoryStore()) {
  const agent = createAgent({
    client: createScriptedClient([[reply.text('One.')], [reply.text('Two.')], [reply.text('Three.')]]),
    store,
  });
  const session = await agent.openSession(agent.createSession());
  await session.send('First');
  await session.send('Second');
  await session.flushed();
  return { agent, session, store };
}

describe('a fork', () => {
  test('starts with the messages that the other session shows', async () => {
    const { agent, session } = await stage();
    const fork = await agent.openSession(await agent.forkSession(session.id));
    expect(fork.id).not.toBe(session.id);
    expect(fork.getMessages()).toEqual(session.getMessages());
    expect(fork.getState()).toMatchObject({ id: fork.id, title: 'First', usage: { input: 0, output: 0 } });
  });

  test('ends after the given message, continues independently, and leaves the other session unchanged', async () => {
    const { agent, session } = await stage();
    const [, first] = session.getMessages();
    const fork = await agent.openSession(await agent.forkSession(session.id, { messageId: first?.id ?? '' }));
    expect(texts(fork)).toEqual(['First', 'One.']);
    await fork.send('Otherwise');
    expect(texts(fork)).toEqual(['First', 'One.', 'Otherwise', 'Three.']);
    expect(texts(session)).toEqual(['First', 'One.', 'Second', 'Two.']);
  });

  test('is stored before its first read, and is restored from the store unchanged', async () => {
    const { agent, session, store } = await stage();
    const id = await agent.forkSession(session.id);
    const later = await createAgent({ client: createScriptedClient([]), store }).openSession(id);
    expect(later.getState()).toEqual(agent.getSession(id)?.getState());
    expect((await store.list()).sessions.map((one) => one.id).toSorted()).toEqual([session.id, id].toSorted());
  });

  test('of a session that is not in memory opens that session', async () => {
    const { session, store } = await stage();
    const other = createAgent({ client: createScriptedClient([]), store });
    const id = await other.forkSession(session.id);
    expect(texts(other.getSession(id))).toEqual(texts(session));
  });

  test('of a session without a store lasts as long as that session', async () => {
    const agent = createAgent({ client: createScriptedClient([[reply.text('One.')]]) });
    const session = agent.getSession(agent.createSession());
    await session?.send('First');
    expect(texts(agent.getSession(await agent.forkSession(session?.id ?? '')))).toEqual(['First', 'One.']);
  });

  test('of an answer in progress contains the received text, with nothing left open', async () => {
    const client = createManualClient();
    const agent = createAgent({ client, store: createMemoryStore() });
    const session = await agent.openSession(agent.createSession());
    void session.send('First');
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Half' });
    client.last().chunks.next({ type: 'call', index: 0, name: 'add', text: '{' });
    const fork = await agent.openSession(await agent.forkSession(session.id));
    expect(texts(fork)).toEqual(['First', 'Half']);
    expect(fork.getStatus()).toBe('idle');
    expect(fork.getMessages()[1]).toMatchObject({ status: 'interrupted' });
    expect(fork.getMessages().flatMap(toolParts)).toMatchObject([{ status: 'cancelled' }]);
    expect(session.getStatus()).toBe('running');
    session.cancel();
  });

  test('from an unknown message is rejected', async () => {
    const { agent, session, store } = await stage();
    await expect(agent.forkSession(session.id, { messageId: 'x' })).rejects.toMatchObject({
      code: 'MESSAGE_NOT_FOUND',
    });
    await expect(agent.forkSession('x')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect((await store.list()).sessions).toHaveLength(1);
  });
});
