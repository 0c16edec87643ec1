import { type AgentSession, askPerson, defineTool, extractTextContent, toolParts } from 'brooklet';
import { holdAfterUntrusted } from 'brooklet/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createGate } from '../support/gate.ts';
import { call, say } from '../support/manual-client.ts';
import { until } from '../support/until.ts';
import { untyped } from '../support/untyped.ts';
import { createWorkerWorld, type WorldPage } from '../support/worker-world.ts';

const callOf = (session: AgentSession) => session.getMessages().flatMap(toolParts)[0];

async function openNew({ agent }: WorldPage): Promise<AgentSession> {
  return agent.openSession(agent.createSession());
}

/** A tool of a page, and what it was given. */
function createSelection(more: { readonly idempotent?: boolean; readonly until?: Promise<unknown> } = {}) {
  const ran: { readonly color: string; readonly attempt: number; readonly idempotencyKey: string }[] = [];
  const aborted: string[] = [];
  const tool = defineTool({
    name: 'select',
    description: 'Selects what has a color.',
    input: z.object({ color: z.string().transform((color) => color.toUpperCase()) }),
    needsApproval: ({ color }) => color === 'RED',
    idempotent: more.idempotent ?? false,
    async execute({ color }, { attempt, idempotencyKey, progress, signal, callId }) {
      ran.push({ color, attempt, idempotencyKey });
      signal.addEventListener('abort', () => aborted.push(callId));
      progress({ half: true });
      await more.until;
      return { color, from: 'the page' };
    },
    present: ({ color }) => ({ summary: `selected ${color}` }),
  });
  return { tool, ran, aborted };
}

describe('a tool of a page', () => {
  test('runs in the page, with its schema and what it presents', async () => {
    const world = createWorkerWorld();
    const { tool, ran } = createSelection();
    const session = await openNew(world.openPage({ tools: [tool] }));
    const sent = session.send('Select');
    await until(() => expect(world.client.asked).toHaveLength(1));
    expect(world.client.last().request.tools?.map(({ name }) => name)).toEqual(['select']);
    call(world.client.last(), ['select', '{"color":"blue"}']);
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'Done.');
    await sent;
    expect(ran).toMatchObject([{ color: 'BLUE', attempt: 1 }]);
    expect(callOf(session)).toMatchObject({
      status: 'succeeded',
      output: { color: 'BLUE', from: 'the page' },
      summary: 'selected BLUE',
    });
  });

  test('is held by a rule of the worker that decides by the conversation', async () => {
    const world = createWorkerWorld({
      agent: { wrapTool: (tool) => holdAfterUntrusted([tool], { isUntrustedMessage: () => true })[0] },
    });
    const { tool, ran } = createSelection();
    const session = await openNew(world.openPage({ tools: [tool] }));
    void session.send('Select');
    await until(() => expect(world.client.asked).toHaveLength(1));
    // Its own function asks for no approval.
    call(world.client.last(), ['select', '{"color":"blue"}']);
    await until(() => expect(session.getStatus()).toBe('waiting'));
    expect(callOf(session)?.approval).toMatchObject({ cause: 'untrusted' });
    expect(ran).toEqual([]);
  });

  test('is not used without the rules of a `wrapTool` of the worker that returns no tool', async () => {
    const errors: string[] = [];
    const { tool, ran } = createSelection();
    // A page of another build has another `wrapTool`.
    let made = 0;
    const world = createWorkerWorld({ agent: { wrapTool: (one) => (made++ === 0 ? one : untyped(undefined)) } });
    const page = world.openPage({ tools: [tool], onError: ({ code }) => errors.push(code) });
    const session = await openNew(page);
    void session.send('Select');
    await until(() => expect(world.client.asked).toHaveLength(1));
    expect(world.client.last().request.tools ?? []).toEqual([]);
    expect([ran, errors]).toEqual([[], ['INVALID_CONFIG']]);
  });

  test('asks for approval by its own function, and refuses an input by its own schema', async () => {
    const world = createWorkerWorld();
    const { tool, ran } = createSelection();
    const session = await openNew(world.openPage({ tools: [tool] }));
    void session.send('Select');
    await until(() => expect(world.client.asked).toHaveLength(1));
    call(world.client.last(), ['select', '{"color":"red"}'], ['select', '{"color":7}']);
    await until(() => expect(session.getStatus()).toBe('waiting'));
    expect(
      session
        .getMessages()
        .flatMap(toolParts)
        .map(({ status }) => status),
    ).toEqual(['awaiting-approval', 'invalid']);
    expect(ran).toEqual([]);
    await session.approve(callOf(session)?.callId ?? '', { input: { color: 'green' } });
    await until(() => expect(world.client.asked).toHaveLength(2));
    expect(ran).toMatchObject([{ color: 'GREEN' }]);
    say(world.client.last(), 'Done.');
    await until(() => expect(session.getStatus()).toBe('idle'));
  });

  test('waits, unstarted, for a page that has it, and every page is told', async () => {
    const world = createWorkerWorld();
    const { tool, ran } = createSelection();
    const first = world.openPage({ tools: [tool] });
    const { id, send } = await openNew(first);
    void send('Select').catch(() => {});
    await until(() => expect(world.client.asked).toHaveLength(1));
    first.kill();
    const without = world.openPage();
    const session = await without.agent.openSession(id);
    await until(() => expect(without.agent.getHost().state).toBe('worker'));
    call(world.client.last(), ['select', '{"color":"blue"}']);
    await until(() => expect(without.agent.getHost()).toMatchObject({ waits: [{ sessionId: id, name: 'select' }] }));
    expect(callOf(session)?.startedAt).toBeUndefined();
    world.openPage({ tools: [tool] });
    await until(() => expect(world.client.asked).toHaveLength(2));
    expect(without.agent.getHost()).toMatchObject({ waits: [] });
    expect(ran).toHaveLength(1);
    say(world.client.last(), 'Done.');
    await until(() => expect(session.getStatus()).toBe('idle'));
  });

  test('that no page has in time is no result, and the model reads why', async () => {
    const world = createWorkerWorld({ pageTimeout: 30 });
    const { tool, ran } = createSelection();
    const first = world.openPage({ tools: [tool] });
    const { id, send } = await openNew(first);
    void send('Select').catch(() => {});
    await until(() => expect(world.client.asked).toHaveLength(1));
    first.kill();
    call(world.client.last(), ['select', '{"color":"blue"}']);
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'I could not.');
    const session = await world.openPage().agent.openSession(id);
    await until(() => expect(session.getStatus()).toBe('idle'));
    expect(callOf(session)).toMatchObject({ status: 'invalid', output: expect.stringContaining('No page is open') });
    expect(ran).toEqual([]);
  });

  test('is uncertain where its page is closed before it has a result, and runs nowhere again', async () => {
    const world = createWorkerWorld();
    const { tool, ran } = createSelection({ until: new Promise(() => {}) });
    const other = createSelection();
    const first = world.openPage({ tools: [tool] });
    const second = world.openPage();
    const { id, send } = await openNew(first);
    void send('Select').catch(() => {});
    await until(() => expect(world.client.asked).toHaveLength(1));
    call(world.client.last(), ['select', '{"color":"blue"}']);
    await until(() => expect(ran).toHaveLength(1));
    second.agent.addTool(other.tool);
    first.kill();
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'I do not know.');
    const session = await second.agent.openSession(id);
    await until(() => expect(session.getStatus()).toBe('idle'));
    expect(callOf(session)?.status).toBe('uncertain');
    expect(other.ran).toEqual([]);
  });

  test('runs again in another page where it is idempotent, with the same key', async () => {
    const world = createWorkerWorld();
    const { tool, ran } = createSelection({ until: new Promise(() => {}), idempotent: true });
    const other = createSelection({ idempotent: true });
    const first = world.openPage({ tools: [tool] });
    const { id, send } = await openNew(first);
    void send('Select').catch(() => {});
    await until(() => expect(world.client.asked).toHaveLength(1));
    call(world.client.last(), ['select', '{"color":"blue"}']);
    await until(() => expect(ran).toHaveLength(1));
    const second = world.openPage({ tools: [other.tool] });
    await until(() => expect(second.agent.getHost().state).toBe('worker'));
    first.kill();
    await until(() => expect(other.ran).toMatchObject([{ attempt: 2, idempotencyKey: ran[0]?.idempotencyKey }]));
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'Done.');
    const session = await second.agent.openSession(id);
    await until(() => expect(session.getStatus()).toBe('idle'));
    expect(callOf(session)?.status).toBe('succeeded');
  });

  test('asks the person in the midst of its work, and continues with the answer', async () => {
    const states: unknown[] = [];
    const tool = defineTool({
      name: 'book',
      description: '',
      input: { type: 'object' },
      execute(_input, { answer, state }) {
        states.push(state ?? 'none');
        return answer === undefined
          ? askPerson({ type: 'string', title: 'Which?' }, { found: 2 })
          : `booked ${JSON.stringify(answer)}`;
      },
    });
    const world = createWorkerWorld();
    const session = await openNew(world.openPage({ tools: [tool] }));
    void session.send('Book');
    await until(() => expect(world.client.asked).toHaveLength(1));
    call(world.client.last(), ['book', '{}']);
    await until(() => expect(session.getStatus()).toBe('waiting'));
    await session.answer(callOf(session)?.callId ?? '', 'the first');
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'Done.');
    await until(() => expect(session.getStatus()).toBe('idle'));
    expect(callOf(session)).toMatchObject({ status: 'succeeded', output: 'booked "the first"' });
    expect(states).toEqual(['none', { found: 2 }]);
  });

  test('is aborted with its run', async () => {
    const world = createWorkerWorld();
    const gate = createGate();
    const { tool, ran, aborted } = createSelection({ until: gate.opened });
    const session = await openNew(world.openPage({ tools: [tool] }));
    void session.send('Select');
    await until(() => expect(world.client.asked).toHaveLength(1));
    call(world.client.last(), ['select', '{"color":"blue"}']);
    await until(() => expect(ran).toHaveLength(1));
    session.cancel();
    await until(() => expect(aborted).toHaveLength(1));
    gate.open();
  });
});

describe('the words of a message', () => {
  test('keep the id that the page chose, and no second message has it', async () => {
    const world = createWorkerWorld();
    const session = await openNew(world.openPage());
    const sent = session.send({ id: 'mine', content: 'Hello' });
    await until(() => expect(world.client.asked).toHaveLength(1));
    say(world.client.last(), 'Hi');
    await sent;
    expect(session.getMessages()[0]).toMatchObject({ id: 'mine' });
    expect(extractTextContent(session.getMessages()[0] ?? '')).toBe('Hello');
  });
});
