import { type AgentSession, createAgent, type LLMRequest, type Message } from 'brooklet';
import { createMemoryStore, exportSession, importSessions } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { brought } from '../../src/core/model/origin.ts';
import { allText, createStage, textOf } from '../support/context-stage.ts';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, recorded, stage as manualStage, statusesOf, textsOf } from '../support/stage.ts';
import { twoTabs } from '../support/tabs.ts';

/** An agent whose nth answer is the number n. */
async function stage(store = createMemoryStore()) {
  const requests: LLMRequest[] = [];
  const client = createScriptedClient((request, index) => {
    requests.push(request);
    return [reply.text(`answer ${index + 1}`)];
  });
  const agent = createAgent({ client, store });
  const session = await agent.openSession(agent.createSession());
  return { agent, session, store, requests };
}

const idAt = (session: AgentSession, index: number): string => session.getMessages().at(index)?.id ?? '';
const versionAt = (session: AgentSession, index: number) => {
  const { index: shown, count } = session.alternatives(idAt(session, index));
  return `${shown + 1}/${count}`;
};

describe('regenerate', () => {
  test('keeps the earlier answers as alternatives', async () => {
    const { session } = await stage();
    await session.send('question');
    await session.regenerate();
    await session.regenerate();
    expect([textsOf(session), versionAt(session, 1)]).toEqual([['question', 'answer 3'], '3/3']);
    await session.selectAlternative(idAt(session, 1), 0);
    expect([textsOf(session), versionAt(session, 1)]).toEqual([['question', 'answer 1'], '1/3']);
    await session.selectAlternative(idAt(session, 1), 1);
    expect([textsOf(session), versionAt(session, 1)]).toEqual([['question', 'answer 2'], '2/3']);
  });

  test('shows a version by its id, too, and appends nothing where it is shown already', async () => {
    const { session } = await stage();
    await session.send('question');
    const first = idAt(session, 1);
    await session.regenerate();
    await session.selectAlternative(idAt(session, 1), first);
    expect([textsOf(session), versionAt(session, 1)]).toEqual([['question', 'answer 1'], '1/2']);
    const { seq } = session.getState();
    await session.selectAlternative(first, first);
    await session.selectAlternative(first, 0);
    expect(session.getState().seq).toBe(seq);
  });

  test('shows its place among the versions while the new answer streams', async () => {
    const { session, client } = manualStage();
    void session.send('question');
    await settled();
    say(client.last(), 'one');
    await settled();
    void session.regenerate();
    await settled();
    client.last().chunks.next({ type: 'text', text: 'tw' });
    expect(versionAt(session, 1)).toBe('2/2');
    say(client.last(), 'o');
    await settled();
    expect([textsOf(session), versionAt(session, 1)]).toEqual([['question', 'two'], '2/2']);
  });
});

describe('edit', () => {
  test('answers the new text, and keeps the old message with all that followed', async () => {
    const { session, requests } = await stage();
    await session.send('first');
    await session.send('second');
    const { outcome } = await session.edit(idAt(session, 0), 'first, edited');
    expect(outcome).toBe('completed');
    expect([textsOf(session), versionAt(session, 0)]).toEqual([['first, edited', 'answer 3'], '2/2']);
    expect(requests.at(-1)?.messages.map(textOf)).toEqual(['first, edited']);
    await session.selectAlternative(idAt(session, 0), 0);
    expect(textsOf(session)).toEqual(['first', 'answer 1', 'second', 'answer 2']);
    await session.send('third');
    expect(requests.at(-1)?.messages.map(textOf)).toEqual(['first', 'answer 1', 'second', 'answer 2', 'third']);
  });

  test('keeps the images and the metadata of a message whose text it replaces', async () => {
    const { session } = await stage();
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    await session.send({ content: [{ type: 'text', text: 'What is this?' }, image], metadata: { by: 'voice' } });
    await session.edit(idAt(session, 0), 'What is that?');
    expect(session.getMessages()[0]).toMatchObject({
      content: [image, { type: 'text', text: 'What is that?' }],
      metadata: { by: 'voice' },
    });
    await session.edit(idAt(session, 0), { content: 'no image' });
    expect(session.getMessages()[0]?.content).toEqual([{ type: 'text', text: 'no image' }]);
  });

  test('asks with the settings of the run that answered the old message', async () => {
    const { session, requests } = await stage();
    await session.send('question', { model: 'other-1' });
    await session.edit(idAt(session, 0), 'question, edited');
    expect(requests.map(({ model }) => model)).toEqual(['other-1', 'other-1']);
    await session.edit(idAt(session, 0), 'again', { model: 'other-2' });
    expect(requests.at(-1)?.model).toBe('other-2');
  });

  test('asks the client of the run that answered the old message', async () => {
    const { session } = manualStage();
    const own = createManualClient();
    void session.send('question', { client: own });
    await settled();
    say(own.last(), 'one');
    await settled();
    void session.edit(idAt(session, 0), 'edited');
    await settled();
    expect(own.asked).toHaveLength(2);
  });

  test('is shown with its error when there is no answer, and the old answer is one step away', async () => {
    const { session, client } = manualStage();
    void session.send('question');
    await settled();
    say(client.last(), 'one');
    await settled();
    const edited = session.edit(idAt(session, 0), 'edited');
    await settled();
    client.last().chunks.error(new Error('gone'));
    expect((await edited).outcome).toBe('failed');
    expect([textsOf(session), versionAt(session, 0)]).toEqual([['edited'], '2/2']);
    await session.selectAlternative(idAt(session, 0), 0);
    expect([textsOf(session), session.getStatus()]).toEqual([['question', 'one'], 'idle']);
  });

  test.each<[string, (session: AgentSession) => Promise<unknown>, string]>([
    ['a message that nobody has', (session) => session.edit('nobody', 'text'), 'MESSAGE_NOT_FOUND'],
    ['a reply', (session) => session.edit(idAt(session, 1), 'text'), 'MESSAGE_NOT_FOUND'],
    ['an empty text', (session) => session.edit(idAt(session, 0), ' '), 'INVALID_INPUT'],
    ['a version that there is not', (session) => session.selectAlternative(idAt(session, 0), 1), 'MESSAGE_NOT_FOUND'],
    ['the version before the first', (session) => session.selectAlternative(idAt(session, 0), -1), 'MESSAGE_NOT_FOUND'],
    ['a version of nobody', (session) => session.selectAlternative('nobody', 0), 'MESSAGE_NOT_FOUND'],
  ])('%s is refused, and nothing changes', async (_what, act, code) => {
    const { session } = await stage();
    await session.send('question');
    const before = session.getState();
    await expect(act(session)).rejects.toMatchObject({ code });
    expect(session.getState()).toBe(before);
  });

  test('during a run both verbs are refused', async () => {
    const { session } = manualStage();
    void session.send('question');
    await settled();
    const busy = { code: 'SESSION_BUSY' };
    await expect(session.edit(idAt(session, 0), 'text')).rejects.toMatchObject(busy);
    await expect(session.selectAlternative(idAt(session, 0), 0)).rejects.toMatchObject(busy);
  });
});

describe('the versions of a session', () => {
  /** Two questions, each answered twice; then the first answer of the first question is shown. */
  async function branched() {
    const { agent, session, store } = await stage();
    await session.send('first');
    await session.regenerate();
    await session.send('second');
    await session.edit(idAt(session, 2), 'second, edited');
    await session.selectAlternative(idAt(session, 1), 0);
    await session.flushed();
    return { agent, session, store };
  }

  async function expectAllVersions(session: AgentSession): Promise<void> {
    expect([textsOf(session), versionAt(session, 1)]).toEqual([['first', 'answer 1'], '1/2']);
    await session.selectAlternative(idAt(session, 1), 1);
    expect([textsOf(session), versionAt(session, 2)]).toEqual([
      ['first', 'answer 2', 'second, edited', 'answer 4'],
      '2/2',
    ]);
    await session.selectAlternative(idAt(session, 2), 0);
    expect(textsOf(session)).toEqual(['first', 'answer 2', 'second', 'answer 3']);
  }

  test('are there after a reload', async () => {
    const { session, store } = await branched();
    const later = createAgent({ client: createScriptedClient([]), store });
    await expectAllVersions(await later.openSession(session.id));
  });

  test('are in an export and an import', async () => {
    const { session, store } = await branched();
    const stored = await store.read(session.id);
    const there = createMemoryStore();
    const report = await importSessions(there, stored ? exportSession(stored) : '');
    expect(report.problems).toEqual([]);
    await expectAllVersions(
      await createAgent({ client: createScriptedClient([]), store: there }).openSession(session.id),
    );
  });

  test('are in a fork, stored, and a fork within them has those up to its message', async () => {
    const { agent, session, store } = await branched();
    const forkId = await agent.forkSession(session.id);
    await expectAllVersions(await agent.openSession(forkId));
    const later = createAgent({ client: createScriptedClient([]), store });
    expect((await later.openSession(forkId)).getState().alternatives.length).toBeGreaterThan(0);
    const short = await agent.openSession(await agent.forkSession(session.id, { messageId: idAt(session, 0) }));
    expect([textsOf(short), short.getState().alternatives]).toEqual([['first'], []]);
  });

  test('are the same in other tabs, which may step through them', async () => {
    const { a, b, one } = await twoTabs();
    for (const act of [() => a.send('question'), () => a.regenerate()]) {
      void act();
      await settled();
      say(one.last(), `answer ${one.asked.length}`);
      await settled();
    }
    expect(versionAt(b, 1)).toBe('2/2');
    await b.selectAlternative(idAt(b, 1), 0);
    await settled();
    expect([textsOf(a), textsOf(b)]).toEqual([
      ['question', 'answer 1'],
      ['question', 'answer 1'],
    ]);
    expect(versionAt(a, 1)).toBe('1/2');
  });

  test('an edit whose write another tab has forestalled takes the place of its message afterwards', async () => {
    const { a, b, one } = await twoTabs();
    void a.send('question');
    await settled();
    say(one.last(), 'answer');
    await settled();
    b.addMessage({ role: 'user', content: 'from b' });
    const edited = a.edit(idAt(a, 0), 'edited');
    await settled();
    say(one.last(), 'new answer');
    expect((await edited).outcome).toBe('completed');
    await settled();
    expect([textsOf(a), textsOf(b)]).toEqual([
      ['edited', 'new answer'],
      ['edited', 'new answer'],
    ]);
    await a.selectAlternative(idAt(a, 0), 0);
    expect(textsOf(a)).toEqual(['question', 'answer', 'from b']);
  });

  test('an id of a message that is not shown cannot be used again', async () => {
    const { session } = await branched();
    const [hidden] = session.getState().alternatives.flatMap(({ messages }) => messages);
    const message: Message = { id: hidden?.id ?? '', role: 'user', content: [], timestamp: 0 };
    expect(() => session.addMessage(message)).toThrow('already');
  });
});

test('a call of an alternative never runs again, even if its tool may run again and the run is resumed', async () => {
  const work = recorded('work', { idempotent: true, execute: () => new Promise(() => {}) });
  const store = createMemoryStore();
  const s = manualStage({ tools: [work.tool], store });
  await ask(s, ['work', '{}']);
  s.ports.hide(true);
  await s.session.flushed();
  const client = createManualClient();
  const agent = createAgent({ client, ports: createManualPorts('later'), store, tools: [work.tool] });
  const session = await agent.openSession(s.session.id);
  expect([session.getStatus(), statusesOf(session)]).toEqual(['interrupted', ['uncertain']]);
  void session.regenerate();
  await settled();
  say(client.last(), 'another answer');
  await settled();
  await session.selectAlternative(idAt(session, 1), 0);
  expect([session.getStatus(), statusesOf(session)]).toEqual(['interrupted', ['uncertain']]);
  void session.resume();
  await settled();
  expect([work.runs.length, statusesOf(session)]).toEqual([1, ['uncertain']]);
});

test('a compaction applies to the versions that follow its last message, and to no other', async () => {
  const long = 'word '.repeat(300);
  const { session, asked } = await createStage(
    { contextWindow: 1_000, context: { trigger: 0.6 } },
    { chat: (_request, index) => [reply.text(index < 3 ? long : 'short')], summary: () => [reply.text('SUMMARY')] },
  );
  const lastAsked = (): string => asked().slice(-1).map(allText).join('');
  await session.send('one');
  const first = idAt(session, 0);
  await session.send('two');
  await session.send('three');
  expect(lastAsked()).toContain('SUMMARY');
  await session.edit(first, 'one, edited');
  expect(lastAsked()).not.toContain('SUMMARY');
  await session.selectAlternative(idAt(session, 0), 0);
  await session.send('four');
  expect(lastAsked()).toContain('SUMMARY');
});

test('an edit that another agent brings is not the message of the person', async () => {
  const client = createScriptedClient([[reply.text('One')], [reply.text('Two')]]);
  const agent = createAgent({ client });
  const session = await agent.openSession(agent.createSession());
  await session.send('First');
  const [{ id } = expect.unreachable()] = session.getMessages();
  await session.edit(id, brought({ content: 'Second' }, { type: 'agent' }));
  expect(session.getMessages()[0]).toMatchObject({ content: [{ text: 'Second' }], origin: { type: 'agent' } });
});
