import { createAgent, type Message, type ToolPart } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { expect, test } from 'vitest';
import { createManualClient, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, recorded, stage, statusesOf } from '../support/stage.ts';

type Options = Parameters<typeof recorded>[1];

/** A call of an idempotent tool that was running when its page was left, and the agent of the next page. */
async function cut(options: Options, later: Options) {
  const store = createMemoryStore();
  const before = recorded('work', { idempotent: true, ...options, execute: () => new Promise(() => {}) });
  const s = stage({ tools: [before.tool], store });
  await ask(s, ['work', '{"n":1}']);
  s.ports.hide(true);
  await s.session.flushed();
  const { tool, runs } = recorded('work', { idempotent: true, ...later });
  const agent = createAgent({
    client: createManualClient(),
    ports: createManualPorts('later'),
    store,
    tools: [tool],
  });
  return { runs, agent, id: s.session.id };
}

test('a call that was cut off does not run again without a person when its tool needs approval now', async () => {
  const { runs, agent, id } = await cut({}, { needsApproval: true });
  const session = await agent.openSession(id);
  void session.resume();
  await settled();
  expect([runs, statusesOf(session)]).toEqual([[], ['failed']]);
});

test('a call that was approved by the policy and never started does not run when its tool needs approval now', async () => {
  const store = createMemoryStore();
  const [alone, work] = [
    recorded('alone', { exclusive: true, execute: () => new Promise(() => {}) }),
    recorded('work', {}),
  ];
  const s = stage({ tools: [alone.tool, work.tool], store });
  await ask(s, ['alone', '{}'], ['work', '{}']);
  expect(statusesOf(s.session)).toEqual(['started', 'approved']);
  s.ports.hide(true);
  await s.session.flushed();
  const gated = recorded('work', { needsApproval: true });
  const agent = createAgent({
    client: createManualClient(),
    ports: createManualPorts('later'),
    store,
    tools: [alone.tool, gated.tool],
  });
  const session = await agent.openSession(s.session.id);
  void session.resume();
  await settled();
  expect([gated.runs, statusesOf(session)]).toEqual([[], ['uncertain', 'failed']]);
});

test('a call that was cut off does not run again in a fork; the model still reads that its outcome is unknown', async () => {
  const { runs, agent, id } = await cut({}, {});
  const fork = await agent.openSession(await agent.forkSession(id));
  expect(statusesOf(fork)).toEqual(['uncertain']);
  void fork.send('Go on.');
  await settled();
  expect(runs).toEqual([]);
});

test.each(['uncertain', 'approved', 'edited', 'started', 'requested', 'awaiting-approval'] as const)(
  'a call that came inside a message as %s never runs',
  async (status) => {
    const { tool, runs } = recorded('work', { idempotent: true });
    const client = createManualClient();
    const agent = createAgent({ client, tools: [tool], ports: createManualPorts('tab') });
    const session = await agent.openSession(agent.createSession());
    const part: ToolPart = {
      type: 'tool',
      callId: 'c',
      name: 'work',
      status,
      inputText: '{}',
      input: {},
      startedAt: 1,
      attempt: 1,
      approval: { verdict: 'approved', decidedBy: 'user' },
    };
    const reply: Pick<Message, 'role' | 'content' | 'status'> = {
      role: 'assistant',
      content: [part],
      status: 'interrupted',
    };
    void session.send('Work!');
    await settled();
    session.cancel();
    session.addMessage(reply);
    void session.resume();
    await settled();
    session.cancel();
    void session.send('And?');
    await settled();
    session.cancel();
    void session.resume();
    await settled();
    session.cancel();
    void session.regenerate();
    await settled();
    expect(runs).toEqual([]);
    await expect(session.approve('c')).rejects.toMatchObject({ code: 'CALL_NOT_PENDING' });
  },
);

test('a call that its run has decided runs, although its tool has come to need approval since', async () => {
  let isGated = false;
  const { tool, runs } = recorded('work', {
    needsApproval: () => {
      const needs = isGated;
      isGated = true;
      return needs;
    },
  });
  const s = stage({ tools: [tool] });
  await ask(s, ['work', '{}']);
  expect([runs.length, statusesOf(s.session)]).toEqual([1, ['succeeded']]);
});
