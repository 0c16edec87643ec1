import { createAgent } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Connection } from '../../demo/src/model/connection.ts';

let connection: Connection = { kind: 'offline' };
vi.mock('../../demo/src/model/connection.ts', () => ({ getConnection: () => connection }));
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { userAgent: '', languages: ['en'] });
const {
  chatSettingsOf,
  getDraftSettings,
  noSettings,
  runOptionsOf,
  saveChatSettings,
  setDraftSettings,
  withChatSettings,
} = await import('../../demo/src/model/chatSettings.ts');
const { defaults } = await import('../../demo/src/model/defaults.ts');

const base = 'You are an agent.';

/** An agent, and the instructions of each request that it has sent. */
function setUp() {
  const store = createMemoryStore();
  const sent: (string | undefined)[] = [];
  const scripted = createScriptedClient(() => [reply.text('Yes.')]);
  const create = () => {
    const client = {
      sendRequest: (request: Parameters<typeof scripted.sendRequest>[0]) => {
        const [first] = request.messages;
        const [part] = first?.role === 'system' ? first.content : [];
        sent.push(part?.type === 'text' ? part.text : undefined);
        return scripted.sendRequest(request);
      },
    };
    return withChatSettings(createAgent({ client, store, instructions: base }), { instructions: base });
  };
  return { store, sent, create };
}

describe('the model of one chat', () => {
  afterEach(() => setDraftSettings(noSettings));
  const endpoint = { providerId: 'custom', baseURL: 'http://localhost/v1', model: 'default', needsKey: true };

  it.each<readonly [Connection, object]>([
    [{ kind: 'model', endpoint }, { model: 'own' }],
    // The message waits for its key, and is sent as it is.
    [{ kind: 'locked', endpoint }, { model: 'own' }],
    [{ kind: 'offline' }, {}],
    [{ kind: 'browser' }, {}],
  ])('is an option of a run where the provider can change models: %j', (chosen, options) => {
    connection = chosen;
    setDraftSettings({ ...noSettings, model: 'own' });
    expect(runOptionsOf(undefined)).toEqual(options);
  });
});

describe('the instructions of one chat', () => {
  afterEach(() => setDraftSettings(noSettings));

  it('are added to those of the agent, in this chat only, and also after a reload', async () => {
    const { sent, create } = setUp();
    const agent = create();
    const [id, other] = [agent.createSession(), agent.createSession()];
    await (await agent.openSession(id)).send('Hello?');
    await saveChatSettings(agent, id, { ...noSettings, instructions: 'Answer in French.' });
    await (await agent.openSession(id)).send('Hello?');
    await (await agent.openSession(other)).send('Hello?');
    await agent.dispose();
    await (await create().openSession(id)).send('Hello?');
    const own = `${base}\n\nAnswer in French.`;
    expect(sent).toEqual([base, own, base, own]);
  });

  it('are those of the draft in a new chat, and in no other', async () => {
    const { sent, create } = setUp();
    const agent = create();
    setDraftSettings({ ...noSettings, model: 'm', instructions: 'Be brief.' });
    const session = await agent.openSession(agent.createSession({ metadata: { owner: 'me' } }));
    await session.send('Hello?');
    expect(session.getState().metadata).toEqual({ owner: 'me', model: 'm', instructions: 'Be brief.' });
    expect(chatSettingsOf(session)).toMatchObject({ model: 'm', instructions: 'Be brief.' });
    expect(getDraftSettings()).toEqual(noSettings);
    await (await agent.openSession(agent.createSession())).send('Hello?');
    expect(sent).toEqual([`${base}\n\nBe brief.`, base]);
  });
});

describe('the instructions for all chats', () => {
  afterEach(() => defaults.change(() => ({ instructions: '' })));

  it('come before those of a chat, and hold for every session that is opened from then on', async () => {
    const { sent, create } = setUp();
    const agent = create();
    defaults.change(() => ({ instructions: 'Use metric units.' }));
    const id = agent.createSession();
    await saveChatSettings(agent, id, { ...noSettings, instructions: 'Answer in French.' });
    await (await agent.openSession(id)).send('Hello?');
    expect(sent).toEqual([`${base}\n\nUse metric units.\n\nAnswer in French.`]);
    await agent.dispose();
  });
});

describe('how the model answers in one chat', () => {
  it('is stored with the chat, beside what others store, and an option of its runs', async () => {
    connection = { kind: 'offline' };
    const { create } = setUp();
    const agent = create();
    const session = await agent.openSession(agent.createSession({ metadata: { owner: 'me' } }));
    await saveChatSettings(agent, session.id, { ...noSettings, answers: { temperature: 0, maxSteps: 3 } });
    expect(session.getState().metadata).toEqual({ owner: 'me', answers: { temperature: 0, maxSteps: 3 } });
    expect(runOptionsOf(session)).toEqual({ temperature: 0, maxSteps: 3 });
    await agent.dispose();
  });
});
