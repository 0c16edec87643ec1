import { agentTool } from 'brooklet/agents';
import { createAgent } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { ask, callIdOf, callsOf, recorded, sessionOf, stage, statusesOf, textsOf } from '../support/stage.ts';

const task = '{"task":"Find it."}';

/** An agent with a tool `research` that is an agent with these tools; its requests are those of `below`. */
function family(tools: Parameters<typeof createAgent>[0]['tools'] = [], more: object = {}) {
  const below = createManualClient();
  const research = agentTool({
    name: 'research',
    description: 'Researches.',
    options: { client: below, instructions: 'Research.', tools },
    ...more,
  });
  const store = createMemoryStore();
  const s = stage({ tools: [research], store });
  const childOf = (index = 0) => sessionOf(s.agent, callsOf(s.session)[index]?.session ?? '');
  return { ...s, store, below, research, childOf };
}

describe('an agent as a tool', () => {
  test('works on a call in a session of its own, and answers with its text', async () => {
    const s = family();
    await ask(s, ['research', task]);
    const child = s.childOf();
    expect(textsOf(child)).toEqual(['Find it.', '']);
    expect(s.below.last().request.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(child.getState().path).toEqual([{ sessionId: s.session.id, callId: callIdOf(s.session) }]);
    say(s.below.last(), 'Found.');
    await settled();
    expect(callsOf(s.session)[0]).toMatchObject({ status: 'succeeded', output: 'Found.', session: child.id });
    expect(s.client.asked).toHaveLength(2);
    say(s.client.last(), 'Done.');
    await settled();
    expect(s.session.getStatus()).toBe('idle');
  });

  test('is listed below its root only, and is stored with its place', async () => {
    const s = family();
    await ask(s, ['research', task]);
    await s.session.flushed();
    const ids = async (options = {}) => (await s.store.list(options)).sessions.map(({ id }) => id);
    expect(await ids()).toEqual([s.session.id]);
    expect(await ids({ children: true })).toHaveLength(2);
  });

  test('waits for a person at the root, who decides there', async () => {
    const pay = recorded('pay', { needsApproval: true });
    const s = family([pay.tool]);
    await ask(s, ['research', task]);
    call(s.below.last(), ['pay', '{}']);
    await settled();
    const [pending] = s.agent.getPending();
    expect(pending).toMatchObject({ name: 'pay', sessionId: s.childOf().id });
    await s.session.approve(pending?.callId ?? '');
    await settled();
    expect(pay.runs).toHaveLength(1);
    expect(s.below.asked).toHaveLength(2);
  });

  test('is cancelled with its root', async () => {
    const s = family();
    await ask(s, ['research', task]);
    const child = s.childOf();
    s.session.cancel();
    await settled();
    expect(s.below.last().aborted).toBe(true);
    expect(child.getState().run?.outcome).toBe('cancelled');
    expect(statusesOf(s.session)).toEqual(['cancelled']);
  });

  test('goes on after the page was left, when the root is resumed, with each call once', async () => {
    const look = recorded('look');
    const s = family([look.tool]);
    await ask(s, ['research', task]);
    call(s.below.last(), ['look', '{}']);
    await settled();
    s.ports.hide(true);
    await s.session.flushed();
    const again = stage({ tools: [s.research], store: s.store });
    const root = await again.agent.openSession(s.session.id);
    await settled();
    expect([root.getStatus(), statusesOf(root)]).toEqual(['interrupted', ['uncertain']]);
    const resumed = root.resume();
    await settled();
    say(s.below.last(), 'Found.');
    await settled();
    expect(callsOf(root)[0]).toMatchObject({ status: 'succeeded', output: 'Found.', attempt: 2 });
    say(again.client.last(), 'Done.');
    expect((await resumed).outcome).toBe('completed');
    expect(look.runs).toHaveLength(1);
  });
});
