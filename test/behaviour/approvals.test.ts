import { createAgent, defineTool, fingerprintOf } from 'brooklet';
import { resultText } from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createFaultyStore } from '../support/faulty-store.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callIdOf, callsOf, recorded, sessionOf, stage, statusesOf } from '../support/stage.ts';

const gated = () => recorded('pay', { needsApproval: true });

describe('a call that awaits approval', () => {
  test('can be one of several, decided in any order and one at a time; the model reads the results in the order of its calls', async () => {
    const pay = gated();
    const s = stage({ tools: [pay.tool] });
    await ask(s, ['pay', '{"n":1}'], ['pay', '{"n":2}'], ['pay', '{"n":3}']);
    const [one = '', two = '', three = ''] = callsOf(s.session).map(({ callId }) => callId);
    await s.session.approve(three);
    await settled();
    expect(statusesOf(s.session)).toEqual(['awaiting-approval', 'awaiting-approval', 'succeeded']);
    expect(s.session.getStatus()).toBe('waiting');
    await s.session.reject(one, { reason: 'No.' });
    await settled();
    expect(s.client.asked).toHaveLength(1);
    await s.session.approve(two);
    await settled();
    expect(pay.runs.map(([input]) => input)).toEqual([{ n: 3 }, { n: 2 }]);
    const told = s.client.last().request.messages.at(-1)?.content ?? [];
    expect(told.map((part) => part.type === 'tool' && resultText(part))).toEqual([
      'The user rejected this call, so it did not run. Reason: No.',
      'pay ran',
      'pay ran',
    ]);
  });

  test('cannot be decided if its input was invalid: the call has ended and never ran', async () => {
    const pay = recorded('pay', { needsApproval: true, input: { type: 'object', required: ['n'] } });
    const s = stage({ tools: [pay.tool] });
    await ask(s, ['pay', '{"n":'], ['pay', '{}']);
    expect(statusesOf(s.session)).toEqual(['invalid', 'invalid']);
    for (const { callId } of callsOf(s.session))
      await expect(s.session.approve(callId)).rejects.toMatchObject({ code: 'CALL_NOT_PENDING' });
    expect(pay.runs).toEqual([]);
  });

  test('rejects a decision that was made on a different version of the call', async () => {
    const pay = gated();
    const s = stage({ tools: [pay.tool] });
    await ask(s, ['pay', '{"n":1}'], ['pay', '{"n":2}']);
    const [shown, other] = callsOf(s.session);
    if (shown === undefined || other === undefined) return expect.unreachable();
    const fingerprint = fingerprintOf(shown);
    await expect(s.session.approve(other.callId, { fingerprint })).rejects.toMatchObject({ code: 'DECISION_STALE' });
    await expect(s.session.reject(other.callId, { fingerprint })).rejects.toMatchObject({ code: 'DECISION_STALE' });
    expect(statusesOf(s.session)).toEqual(['awaiting-approval', 'awaiting-approval']);
    await s.session.approve(shown.callId, { fingerprint });
    await settled();
    expect(pay.runs.map(([input]) => input)).toEqual([{ n: 1 }]);
  });

  test('is decided with its fingerprint, however long its input is', async () => {
    const pay = gated();
    const s = stage({ tools: [pay.tool] });
    await ask(s, ['pay', JSON.stringify({ note: 'x'.repeat(20_000) })]);
    const [shown] = callsOf(s.session);
    if (shown === undefined) return expect.unreachable();
    await s.session.approve(shown.callId, { fingerprint: fingerprintOf(shown) });
    await settled();
    expect(pay.runs).toHaveLength(1);
  });

  test('is cancelled with its run by terminate(); later decisions are rejected', async () => {
    const pay = gated();
    const s = stage({ tools: [pay.tool] });
    await ask(s, ['pay', '{}'], ['pay', '{}']);
    s.session.terminate();
    expect(statusesOf(s.session)).toEqual(['cancelled', 'cancelled']);
    expect(s.session.getStatus()).toBe('idle');
    for (const decide of [s.session.approve, s.session.reject])
      await expect(decide(callIdOf(s.session))).rejects.toMatchObject({ code: 'CALL_NOT_PENDING' });
    await settled();
    expect(pay.runs).toEqual([]);
    expect(s.client.asked).toHaveLength(1);
  });

  test('is decided in its own session only, even if a call of another session has the same id', async () => {
    const pay = gated();
    const ports = createManualPorts();
    let fixed: string | undefined;
    const client = createManualClient();
    const agent = createAgent({ client, ports: { ...ports, id: () => fixed ?? ports.id() }, tools: [pay.tool] });
    const sessions = [agent.createSession(), agent.createSession()].map((id) => sessionOf(agent, id));
    for (const session of sessions) {
      void session.send('go');
      await settled();
      fixed = 'the-call';
      call(client.last(), ['pay', '{}']);
      fixed = undefined;
      await settled();
    }
    const [a, b] = sessions;
    if (a === undefined || b === undefined) return expect.unreachable();
    expect([callIdOf(a), callIdOf(b)]).toEqual(['the-call', 'the-call']);
    await b.approve('the-call');
    await settled();
    expect([statusesOf(a), statusesOf(b)]).toEqual([['awaiting-approval'], ['succeeded']]);
    expect(pay.runs.map(([, context]) => context.sessionId)).toEqual([b.id]);
    await a.reject('the-call');
    expect([statusesOf(a), statusesOf(b)]).toEqual([['rejected'], ['succeeded']]);
  });

  test('reports who decided it to a later decision', async () => {
    const s = stage({ tools: [gated().tool] });
    await ask(s, ['pay', '{}']);
    await s.session.reject(callIdOf(s.session), { userName: 'Ada' });
    await expect(s.session.approve(callIdOf(s.session), { userName: 'Bob' })).rejects.toMatchObject({
      code: 'CALL_NOT_PENDING',
      message: expect.stringContaining('Ada'),
    });
    expect(callsOf(s.session)[0]?.approval).toMatchObject({ verdict: 'rejected', decidedBy: 'user', userName: 'Ada' });
  });

  test('stays pending when its run has failed; a decision resumes the run', async () => {
    const pay = gated();
    const s = stage({ tools: [pay.tool, defineTool({ ...plain('gone'), needsApproval: true })] });
    await ask(s, ['gone', '{}'], ['pay', '{}']);
    s.agent.removeTool('gone');
    await s.session.approve(callIdOf(s.session, 0));
    await settled();
    expect(s.session.getStatus()).toBe('failed');
    expect(s.session.getState().run?.error).toMatchObject({ code: 'TOOL_NOT_FOUND' });
    expect(statusesOf(s.session)).toEqual(['approved', 'awaiting-approval']);
    s.agent.addTool(defineTool(plain('gone')));
    await s.session.approve(callIdOf(s.session, 1));
    await settled();
    expect(statusesOf(s.session)).toEqual(['succeeded', 'succeeded']);
    expect(pay.runs).toHaveLength(1);
  });
});

const plain = (name: string) => ({ name, description: '', input: { type: 'object' }, execute: () => 'ok' }) as const;

test('a decision that the disk refuses is gone before the storage is reported as saved', async () => {
  const { store, arm } = createFaultyStore(createMemoryStore());
  const pay = gated();
  const s = stage({ tools: [pay.tool], store });
  await ask(s, ['pay', '{}']);
  await s.session.flushed();
  const shown: string[] = [];
  s.session.storage$.subscribe(({ state }) => shown.push(`${state}: ${statusesOf(s.session).join()}`));
  arm(['refused']);
  await expect(s.session.approve(callIdOf(s.session))).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  expect(shown.at(0)).toBe('saved: awaiting-approval');
  expect(shown.filter((line) => line.startsWith('saved')).at(-1)).toBe('saved: awaiting-approval');
});

describe('a tool that differs from the tool that a person approved', () => {
  /** A call that awaits approval in a closed tab, and an agent that has another tool under the same name. */
  async function reopened(later: ReturnType<typeof recorded> | undefined) {
    const store = createMemoryStore();
    const s = stage({ tools: [gated().tool], store });
    await ask(s, ['pay', '{}']);
    await s.session.flushed();
    const client = createManualClient();
    const agent = createAgent({
      client,
      ports: createManualPorts('later'),
      store,
      tools: later ? [later.tool] : [],
    });
    return { agent, client, session: await agent.openSession(s.session.id) };
  }

  test('does not run if its schema has changed; the model is asked to call again', async () => {
    const changed = recorded('pay', { needsApproval: true, input: { type: 'object', properties: { n: {} } } });
    const { session, client } = await reopened(changed);
    await session.approve(callIdOf(session));
    await settled();
    expect(changed.runs).toEqual([]);
    expect(callsOf(session)).toMatchObject([{ status: 'failed', output: expect.stringContaining('has changed') }]);
    call(client.last(), ['pay', '{}']);
    await settled();
    await session.approve(callIdOf(session, 1));
    await settled();
    expect(changed.runs).toHaveLength(1);
  });

  test('does not run with an edited input either', async () => {
    const changed = recorded('pay', { needsApproval: true, input: { type: 'object', properties: { n: {} } } });
    const { session } = await reopened(changed);
    await session.approve(callIdOf(session), { input: { n: 2 } });
    await settled();
    expect(changed.runs).toEqual([]);
  });

  test('runs if its schema is the same, even if its description has changed', async () => {
    const same = recorded('pay', { needsApproval: true, description: 'Pays, and says thanks.' });
    const { session } = await reopened(same);
    await session.approve(callIdOf(session));
    await settled();
    expect(same.runs).toHaveLength(1);
  });

  test('fails the run with a typed error if the tool is missing; the run resumes when the tool is there again', async () => {
    const { session, agent, client } = await reopened(undefined);
    await expect(session.approve(callIdOf(session), { input: {} })).rejects.toMatchObject({ code: 'TOOL_NOT_FOUND' });
    expect(statusesOf(session)).toEqual(['awaiting-approval']);
    await session.approve(callIdOf(session));
    await settled();
    expect(session.getStatus()).toBe('failed');
    expect(session.getState().run?.error).toMatchObject({ code: 'TOOL_NOT_FOUND' });
    const back = gated();
    agent.addTool(back.tool);
    const resumed = session.resume();
    await settled();
    expect(back.runs).toHaveLength(1);
    say(client.last(), 'done');
    expect((await resumed).outcome).toBe('completed');
  });
});
