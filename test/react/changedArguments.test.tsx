import { act, renderHook, waitFor } from '@testing-library/react';
import { type Agent, createAgent, type SessionStore } from 'brooklet';
import { useChat } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { expect, test } from 'vitest';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { recorded } from '../support/stage.ts';
import { around } from './stage.tsx';

type Chat = ReturnType<typeof useChat>;

const gated = () => recorded('pay', { needsApproval: true });
const question = () => recorded('choose', { answer: { type: 'object' } });

/** A chat over a stored session that is not in memory yet: each action has to open the session first. */
async function stage(tool = gated()) {
  const memory = createMemoryStore();
  const client = createManualClient();
  const options = { client, tools: [tool.tool] };
  const before = createAgent({ ...options, store: memory });
  const session = await before.openSession(before.createSession());
  void session.send('Hello.');
  await settled();
  call(client.last(), [tool.tool.name, '{"n":1}']);
  await settled();
  await session.flushed();
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const store: SessionStore = {
    ...memory,
    async read(...args) {
      await opened;
      return memory.read(...args);
    },
  };
  const agent: Agent = createAgent({ ...options, store });
  const { result } = renderHook(() => useChat({ sessionId: session.id }), { wrapper: around(agent) });
  const [callId = ''] = session
    .getMessages()
    .flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool' ? [part.callId] : [])));
  return { ...tool, client, agent, sessionId: session.id, chat: result, callId, open };
}

type Stage = Awaited<ReturnType<typeof stage>>;

/** Calls an action, then changes what it was given, and lets the session open. */
async function play({ chat, open }: Stage, action: (chat: Chat) => readonly [Promise<unknown>, () => void]) {
  await act(async () => {
    const [done, change] = action(chat.current);
    change();
    open();
    await Promise.race([done, settled()]);
  });
}

test('an approval runs the input of the call of `approve`, whatever the form shows later', async () => {
  const its = await stage();
  const form = { n: 2 };
  await play(its, (chat) => [chat.approve(its.callId, { input: form }), () => (form.n = 1_000)]);
  await waitFor(() => expect(its.runs.map(([input]) => input)).toEqual([{ n: 2 }]));
});

test('an answer is the value of the call of `answer`', async () => {
  const its = await stage(question());
  const answer = { choice: 'this' };
  await play(its, (chat) => [chat.answer(its.callId, answer), () => (answer.choice = 'that')]);
  await waitFor(() => expect(its.runs).toHaveLength(1));
  const stored = await its.agent.store?.read(its.sessionId);
  expect(stored?.events.find(({ type }) => type === 'approval.decided')).toMatchObject({ answer: { choice: 'this' } });
});

test('a rejection has the reason of the call of `reject`', async () => {
  const its = await stage();
  const options = { reason: 'as said' };
  await play(its, (chat) => [chat.reject(its.callId, options), () => (options.reason = 'changed')]);
  const stored = await its.agent.store?.read(its.sessionId);
  expect(stored?.events.find(({ type }) => type === 'approval.decided')).toMatchObject({ reason: 'as said' });
});

/** A chat whose stored conversation is at rest. */
async function resting() {
  const its = await stage();
  its.open();
  await act(async () => void (await its.chat.current.reject(its.callId)));
  await settled();
  await act(async () => say(its.client.last(), 'Well.'));
  await waitFor(() => expect(its.chat.current.status).toBe('idle'));
  return its;
}

const asked = ({ client }: Stage) => client.last().request;

test('`edit` sends the text and the options of its call', async () => {
  const its = await resting();
  const [first] = its.chat.current.messages;
  const part = { type: 'text' as const, text: 'as sent' };
  const options = { temperature: 0.5 };
  await act(async () => {
    void its.chat.current.edit(first?.id ?? '', { content: [part] }, options);
    part.text = 'changed';
    options.temperature = 1;
    await settled();
  });
  expect(JSON.stringify(asked(its).messages)).toContain('as sent');
  expect([JSON.stringify(asked(its).messages).includes('changed'), asked(its).temperature]).toEqual([false, 0.5]);
});

test.each(['regenerate', 'resume', 'send', 'send with a file'])('`%s` uses the options of its call', async (verb) => {
  const its = await resting();
  const options = { temperature: 0.5 };
  const input = { content: 'as sent', metadata: { tags: ['as sent'] } };
  await act(async () => {
    const { current: chat } = its.chat;
    if (verb === 'regenerate') void chat.regenerate(undefined, options);
    else if (verb === 'resume') void chat.resume(options);
    else if (verb === 'send') void chat.send(input, options);
    else void chat.send(input, { ...options, files: [new File(['a'], 'a.txt', { type: 'text/plain' })] });
    options.temperature = 1;
    input.metadata.tags.push('changed');
    await settled();
  });
  if (verb === 'resume') return expect(its.chat.current.error?.code).toBe('NOTHING_TO_RESUME');
  await waitFor(() => expect(asked(its).temperature).toBe(0.5));
  if (verb.startsWith('send'))
    expect(its.chat.current.messages.findLast(({ role }) => role === 'user')?.metadata).toEqual({ tags: ['as sent'] });
});
