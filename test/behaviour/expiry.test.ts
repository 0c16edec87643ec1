import { createAgent } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test, vi } from 'vitest';
import { createGate } from '../support/gate.ts';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callIdOf, callsOf, recorded, stage, statusesOf } from '../support/stage.ts';
import { createBrowser } from '../support/tabs.ts';

const brief = () => recorded('pay', { needsApproval: true, approvalTimeout: 1_000 });

/** Waits for the code that a tab loads to expire a call. */
async function loaded(): Promise<void> {
  await vi.dynamicImportSettled();
  await settled();
}

describe('a call that is not decided in time', () => {
  test('expires, never runs, and the run continues', async () => {
    const pay = brief();
    const s = stage({ tools: [pay.tool] });
    await ask(s, ['pay', '{}']);
    await loaded();
    s.ports.pass(999);
    await settled();
    expect(statusesOf(s.session)).toEqual(['awaiting-approval']);
    s.ports.pass(1);
    await settled();
    expect(callsOf(s.session)).toMatchObject([
      { status: 'expired', approval: { verdict: 'expired', decidedBy: 'timeout' } },
    ]);
    expect(pay.runs).toEqual([]);
    expect(s.client.asked).toHaveLength(2);
    await expect(s.session.approve(callIdOf(s.session))).rejects.toMatchObject({ code: 'CALL_NOT_PENDING' });
  });

  test('expires alone; its sibling call still awaits approval', async () => {
    const pay = brief();
    const other = recorded('other', { needsApproval: true });
    const s = stage({ tools: [pay.tool, other.tool] });
    await ask(s, ['pay', '{}'], ['other', '{}']);
    await loaded();
    s.ports.pass(5_000);
    await settled();
    expect(statusesOf(s.session)).toEqual(['expired', 'awaiting-approval']);
    expect(s.client.asked).toHaveLength(1);
    await s.session.approve(callIdOf(s.session, 1));
    await settled();
    expect(other.runs).toHaveLength(1);
    expect(s.client.asked).toHaveLength(2);
  });

  test('leaves no timer after a decision or after the session is closed', async () => {
    for (const end of ['decided', 'removed']) {
      const s = stage({ tools: [brief().tool, recorded('other', { needsApproval: true }).tool] });
      await ask(s, ['pay', '{}'], ['other', '{}']);
      await loaded();
      const before = s.ports.awaited();
      if (end === 'decided') await s.session.reject(callIdOf(s.session, 0));
      else s.agent.removeSession(s.session.id);
      expect(s.ports.awaited()).toBe(before - 1);
    }
  });

  test('cannot be approved after its deadline, even if the timer is late', async () => {
    const pay = brief();
    const clock = createManualPorts();
    const s = stage({ tools: [pay.tool], ports: { ...clock, delay: () => () => {} } });
    await ask(s, ['pay', '{}']);
    clock.pass(1_000);
    for (const decide of [s.session.approve, s.session.reject])
      await expect(decide(callIdOf(s.session))).rejects.toMatchObject({
        code: 'CALL_NOT_PENDING',
        message: expect.stringContaining('expired'),
      });
    expect(pay.runs).toEqual([]);
  });

  test('may have a timeout longer than the maximum delay of a timer', async () => {
    const month = 31 * 24 * 3_600_000;
    const s = stage({ tools: [recorded('pay', { needsApproval: true, approvalTimeout: month }).tool] });
    await ask(s, ['pay', '{}']);
    await loaded();
    s.ports.pass(month - 1);
    await settled();
    expect(statusesOf(s.session)).toEqual(['awaiting-approval']);
    s.ports.pass(1);
    await settled();
    expect(statusesOf(s.session)).toEqual(['expired']);
  });
});

describe('a call that expired while no tab was open', () => {
  /** Opens a session with such calls, the given ms after the calls were made. */
  async function opened(ms: number, ...calls: readonly (readonly [string, string])[]) {
    const tools = [brief().tool, recorded('other', { needsApproval: true }).tool];
    const store = createMemoryStore();
    const before = stage({ tools, store });
    await ask(before, ...calls);
    await before.session.flushed();
    const ports = createManualPorts('later');
    ports.pass(ms);
    const client = createManualClient();
    const agent = createAgent({ client, ports, store, tools });
    const session = await agent.openSession(before.session.id);
    await loaded();
    ports.pass(0);
    await settled();
    return { session, client, ports };
  }

  test('has expired, once, when the session is opened; no request is sent until the user acts', async () => {
    const { session, client } = await opened(5_000, ['pay', '{}']);
    expect(statusesOf(session)).toEqual(['expired']);
    expect(session.getStatus()).toBe('interrupted');
    expect(client.asked).toHaveLength(0);
    const resumed = session.resume();
    await settled();
    say(client.last(), 'Then not.');
    expect((await resumed).outcome).toBe('completed');
    await session.flushed();
  });

  test('can be one of several: no expiry sends a request to the model', async () => {
    const { session, client } = await opened(5_000, ['pay', '{}'], ['pay', '{}'], ['pay', '{}']);
    expect(statusesOf(session)).toEqual(['expired', 'expired', 'expired']);
    expect(session.getStatus()).toBe('interrupted');
    expect(client.asked).toHaveLength(0);
  });

  test('leaves its sibling to a person, whose decision continues the run', async () => {
    const { session, client } = await opened(5_000, ['pay', '{}'], ['other', '{}']);
    expect(statusesOf(session)).toEqual(['expired', 'awaiting-approval']);
    expect(session.getStatus()).toBe('waiting');
    await session.approve(callIdOf(session, 1));
    await settled();
    expect(client.asked).toHaveLength(1);
  });

  test('differs from a call that expires after the session was opened: then the run continues', async () => {
    const { session, client, ports } = await opened(0, ['pay', '{}']);
    expect(statusesOf(session)).toEqual(['awaiting-approval']);
    ports.pass(1_000);
    await settled();
    expect(statusesOf(session)).toEqual(['expired']);
    expect(client.asked).toHaveLength(1);
  });

  test('cannot be approved after its deadline, even before its expiry is recorded', async () => {
    const pay = brief();
    const store = createMemoryStore();
    const before = stage({ tools: [pay.tool], store });
    await ask(before, ['pay', '{}']);
    await before.session.flushed();
    const ports = createManualPorts('later');
    ports.pass(5_000);
    const agent = createAgent({ client: createManualClient(), ports, store, tools: [pay.tool] });
    const session = await agent.openSession(before.session.id);
    await expect(session.approve(callIdOf(session))).rejects.toMatchObject({ code: 'CALL_NOT_PENDING' });
    expect(pay.runs).toEqual([]);
  });
});

describe('an expiry', () => {
  test('does not resume a run that has ended: a call that an interrupted run left open only expires', async () => {
    const never = createGate();
    const tools = [brief().tool, recorded('slow', { execute: () => never.opened.then(() => '') }).tool];
    const s = stage({ tools });
    await ask(s, ['pay', '{}'], ['slow', '{}']);
    await loaded();
    s.ports.hide(true);
    expect(s.session.getStatus()).toBe('interrupted');
    s.ports.pass(5_000);
    await settled();
    expect(statusesOf(s.session)).toEqual(['expired', 'uncertain']);
    expect(s.session.getStatus()).toBe('interrupted');
    expect(s.client.asked).toHaveLength(1);
  });

  test('has one winner: one of several tabs expires the call and continues the run', async () => {
    const browser = createBrowser();
    const clients = [createManualClient(), createManualClient(), createManualClient()];
    const pay = brief();
    const tabs = clients.map((client) => browser.open({ client, tools: [pay.tool] }));
    const id = tabs[0]?.agent.createSession() ?? '';
    await settled();
    const sessions = await Promise.all(tabs.map(({ agent }) => agent.openSession(id)));
    const [a] = sessions;
    if (a === undefined) return expect.unreachable();
    const sent = a.send('buy');
    await settled();
    if (clients[0]) call(clients[0].last(), ['pay', '{}']);
    await loaded();
    expect(sessions.map((session) => session.getStatus())).toEqual(['waiting', 'waiting', 'waiting']);
    for (const { ports } of tabs) ports.pass(1_000);
    await settled();
    const asked = clients.flatMap((client) => client.asked.slice(client === clients[0] ? 1 : 0));
    expect(asked).toHaveLength(1);
    for (const one of asked) say(one, 'Too late.');
    expect((await sent).outcome).toBe('completed');
    await settled();
    const decided = (await browser.store.read(id))?.events.filter(({ type }) => type === 'approval.decided');
    expect(decided).toMatchObject([{ verdict: 'expired', decidedBy: 'timeout' }]);
    for (const session of sessions) expect(session.getState()).toEqual(a.getState());
  });
});
