import { askPerson, createAgent, defineTool, type SessionEvent, toolParts } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, replay, ReplayError, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { engine } from '../../src/core/tools/tool.ts';

const found = ['Ann Ash', 'Ann Birch'];
const answers = () => [[reply.call('write_to', '{"name":"Ann"}')], [reply.text('Done.')]];

/** A tool that looks for a name, asks which one is meant, and then asks whether the letter is right. */
function createMail() {
  const seen: unknown[] = [];
  const tool = defineTool({
    name: 'write_to',
    description: 'Writes to a person.',
    input: z.object({ name: z.string() }),
    output: z.object({ sent: z.string() }),
    async execute(_input, { answer, state, attempt }) {
      seen.push({ answer, state, attempt });
      if (state === undefined)
        return askPerson(z.enum(['Ann Ash', 'Ann Birch']).meta({ title: 'Which Ann?' }), { found });
      if (typeof answer === 'string')
        return askPerson({ type: 'boolean', title: `Send to ${answer}?` }, { to: answer });
      if (answer === false) throw new Error('The person does not want to send it.');
      return { sent: JSON.stringify(state) };
    },
  });
  return { tool, seen };
}

async function createAsked(store = createMemoryStore()) {
  const { tool, seen } = createMail();
  const agent = createAgent({ client: createScriptedClient(answers()), tools: [tool], store });
  const session = await agent.openSession(agent.createSession());
  const run = session.send('Write to Ann');
  await expect.poll(() => session.getStatus()).toBe('waiting');
  const callOf = () => session.getMessages().flatMap(toolParts)[0] ?? expect.unreachable();
  return { store, agent, session, run, seen, callOf, tool };
}

describe('a tool that asks in the midst of its work', () => {
  test('gets each answer with the state of its question', async () => {
    const { session, run, seen, callOf, store } = await createAsked();
    expect(callOf()).toMatchObject({
      status: 'awaiting-approval',
      approval: { elicitation: { title: 'Which Ann?', enum: found } },
    });
    await session.answer(callOf().callId, 'Ann Birch');
    await expect.poll(() => callOf().approval?.elicitation?.title).toBe('Send to Ann Birch?');
    await session.answer(callOf().callId, true);
    await run;
    expect(callOf()).toMatchObject({ status: 'succeeded', output: { sent: '{"to":"Ann Birch"}' } });
    expect(seen).toEqual([
      { answer: undefined, state: undefined, attempt: 1 },
      { answer: 'Ann Birch', state: { found }, attempt: 1 },
      { answer: true, state: { to: 'Ann Birch' }, attempt: 1 },
    ]);

    const log: readonly SessionEvent[] = (await store.read(session.id))?.events ?? [];
    await replay(log);
    await replay(log, { tools: [createMail().tool] });
  });

  test('still waits after an answer that does not fit the question', async () => {
    const { session, seen, callOf } = await createAsked();
    await expect(session.answer(callOf().callId, 'Bob')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(session.approve(callOf().callId)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(callOf().status).toBe('awaiting-approval');
    expect(seen).toHaveLength(1);
  });

  test('does not run again when the person declines', async () => {
    const { session, run, seen, callOf } = await createAsked();
    await session.reject(callOf().callId, { reason: 'Neither' });
    await run;
    expect([callOf().status, seen.length]).toEqual(['rejected', 1]);
  });

  test('is answered after a reload, by another agent over the same store', async () => {
    const { store, session, callOf, agent } = await createAsked();
    await session.flushed();
    await agent.dispose();
    const { tool, seen } = createMail();
    const reloaded = createAgent({ client: createScriptedClient(answers().slice(1)), tools: [tool], store });
    const again = await reloaded.openSession(session.id);
    await again.answer(callOf().callId, 'Ann Ash');
    await expect.poll(() => seen).toEqual([{ answer: 'Ann Ash', state: { found }, attempt: 1 }]);
  });

  test('may have an `answer`, whose schema does not check the answer to its question', async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      name: 'write_to',
      description: 'Writes.',
      input: { type: 'object' },
      answer: z.number(),
      execute(_input, { answer, ...context }) {
        seen.push(answer);
        return 'state' in context && context.state !== undefined ? 'done' : askPerson({ type: 'string' });
      },
    });
    const agent = createAgent({ client: createScriptedClient(answers()), tools: [tool] });
    const session = await agent.openSession(agent.createSession());
    const run = session.send('Go');
    const callOf = () => session.getMessages().flatMap(toolParts)[0] ?? expect.unreachable();
    await expect.poll(() => callOf().status).toBe('awaiting-approval');
    await session.answer(callOf().callId, 7);
    await expect.poll(() => callOf().approval?.elicitation?.type).toBe('string');
    await session.answer(callOf().callId, 'text');
    await run;
    expect(seen).toEqual([7, 'text']);
  });

  test('has the time of `approvalTimeout` for its question, and a replay repeats it', async () => {
    const tool = defineTool({
      name: 'write_to',
      description: 'Writes.',
      input: { type: 'object' },
      approvalTimeout: 60_000,
      execute: (_input, { answer }) => (answer === undefined ? askPerson({ type: 'string' }) : 'done'),
    });
    const store = createMemoryStore();
    const agent = createAgent({ client: createScriptedClient(answers()), tools: [tool], store });
    const session = await agent.openSession(agent.createSession());
    const run = session.send('Go');
    const callOf = () => session.getMessages().flatMap(toolParts)[0] ?? expect.unreachable();
    await expect.poll(() => callOf().status).toBe('awaiting-approval');
    const { expiresAt = 0 } = callOf().approval ?? {};
    expect(expiresAt).toBeGreaterThan(Date.now());
    await session.answer(callOf().callId, 'yes');
    await run;
    const log = (await store.read(session.id))?.events ?? [];
    await replay(log);
    const asked = log.findIndex(({ type }) => type === 'approval.requested');
    const shorter = log.flatMap((event, index) => (index === asked ? [] : [event]));
    await expect(replay(shorter)).rejects.toBeInstanceOf(ReplayError);
  });
});

describe('a question that cannot be stored', () => {
  test.each([
    ['a state with a function', () => askPerson({ type: 'string' }, { call: () => {} })],
    ['a state that is too long', () => askPerson({ type: 'string' }, 'x'.repeat(262_144))],
    ['a schema that is not JSON', () => askPerson({ default: 1n } as never)],
  ])('is refused: %s', (_what, make) => {
    expect(make).toThrow(expect.objectContaining({ name: 'AgentError' }));
  });

  test('is not taken from an object that only looks like one', async () => {
    const tool = defineTool({
      name: 'write_to',
      description: 'Writes.',
      input: { type: 'object' },
      execute: () => ({ 'brooklet.question': { type: 'string' }, 'x-brooklet-asked': {} }),
    });
    expect(tool[engine]).toBeDefined();
    const agent = createAgent({ client: createScriptedClient(answers()), tools: [tool] });
    const session = await agent.openSession(agent.createSession());
    await session.send('Go');
    expect(session.getMessages().flatMap(toolParts)[0]?.status).toBe('succeeded');
  });
});
