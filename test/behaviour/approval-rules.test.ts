import { type AgentOptions, createAgent } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { createApprovalRules } from '../../src/core/tools/approval-rules.ts';
import { createMeta } from '../../src/core/log/meta.ts';
import { call, createManualClient, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callIdOf, callsOf, recorded, sessionOf, stage, statusesOf } from '../support/stage.ts';
import { engine } from '../../src/core/tools/tool.ts';

const gated = (options: Parameters<typeof recorded>[1] = {}) => recorded('pay', { needsApproval: true, ...options });

/** Another page with the same store, with a session of its own. */
function elsewhere(store: NonNullable<AgentOptions['store']>, tools: AgentOptions['tools'] = [], name?: string) {
  const client = createManualClient();
  const agent = createAgent({
    client,
    ports: createManualPorts(`other-${name}`),
    store,
    tools,
    ...(name !== undefined && { name }),
  });
  return { agent, client, session: sessionOf(agent, agent.createSession()) };
}

/** Makes the model request one more step. */
async function askOn({ client }: { readonly client: ReturnType<typeof createManualClient> }): Promise<void> {
  call(client.last(), ['pay', '{}']);
  await settled();
}

describe('an approval rule for the session', () => {
  test('approves later calls of the tool, and records who made the rule', async () => {
    const pay = gated();
    const s = stage({ tools: [pay.tool] });
    await ask(s, ['pay', '{}']);
    await s.session.approve(callIdOf(s.session), { remember: 'session', userName: 'Ada' });
    await settled();
    await askOn(s);
    expect(statusesOf(s.session)).toEqual(['succeeded', 'succeeded']);
    expect(callsOf(s.session)[1]?.approval).toMatchObject({
      verdict: 'approved',
      decidedBy: 'rule',
      userName: 'Ada',
    });
    expect(pay.runs).toHaveLength(2);
    expect(s.session.getState().approvalRules).toMatchObject([{ name: 'pay', verdict: 'approved', userName: 'Ada' }]);
  });

  test('rejects later calls of the tool, with the reason', async () => {
    const pay = gated();
    const s = stage({ tools: [pay.tool] });
    await ask(s, ['pay', '{}']);
    await s.session.reject(callIdOf(s.session), { remember: 'session', reason: 'Never.' });
    await settled();
    await askOn(s);
    expect(statusesOf(s.session)).toEqual(['rejected', 'rejected']);
    expect(callsOf(s.session)[1]?.approval).toMatchObject({
      verdict: 'rejected',
      decidedBy: 'rule',
      reason: 'Never.',
    });
    expect(pay.runs).toEqual([]);
  });

  test('is not created by a decision without `remember`: that decision applies once', async () => {
    const s = stage({ tools: [gated().tool] });
    await ask(s, ['pay', '{}']);
    await s.session.approve(callIdOf(s.session), { remember: 'once' });
    await settled();
    await askOn(s);
    expect(statusesOf(s.session)).toEqual(['succeeded', 'awaiting-approval']);
  });

  test('leaves sibling calls that already await approval to a person, whose decision on a call takes precedence', async () => {
    const pay = gated();
    const s = stage({ tools: [pay.tool] });
    await ask(s, ['pay', '{}'], ['pay', '{}']);
    await s.session.approve(callIdOf(s.session, 0), { remember: 'session' });
    await settled();
    expect(statusesOf(s.session)).toEqual(['succeeded', 'awaiting-approval']);
    await s.session.reject(callIdOf(s.session, 1));
    await settled();
    expect(statusesOf(s.session)).toEqual(['succeeded', 'rejected']);
    await askOn(s);
    expect(statusesOf(s.session)).toEqual(['succeeded', 'rejected', 'succeeded']);
  });

  test('survives a reload, and applies neither to another session nor to another tool', async () => {
    const store = createMemoryStore();
    const [pay, other] = [gated(), recorded('other', { needsApproval: true })];
    const s = stage({ tools: [pay.tool, other.tool], store });
    await ask(s, ['pay', '{}']);
    await s.session.approve(callIdOf(s.session), { remember: 'session' });
    await settled();
    s.session.cancel();
    await s.session.flushed();
    const later = elsewhere(store, [pay.tool, other.tool]);
    const again = { session: await later.agent.openSession(s.session.id), client: later.client };
    await ask(again, ['pay', '{}'], ['other', '{}']);
    expect(statusesOf(again.session)).toEqual(['succeeded', 'succeeded', 'awaiting-approval']);
    await ask(later, ['pay', '{}']);
    expect(statusesOf(later.session)).toEqual(['awaiting-approval']);
  });

  test('does not apply to a tool of the same name with another schema: the person is asked again', async () => {
    const s = stage({ tools: [gated().tool] });
    await ask(s, ['pay', '{}']);
    await s.session.approve(callIdOf(s.session), { remember: 'session' });
    await settled();
    const changed = gated({ input: { type: 'object', properties: { to: { type: 'string' } } } });
    s.agent.addTool(changed.tool);
    await askOn(s);
    expect(statusesOf(s.session)).toEqual(['succeeded', 'awaiting-approval']);
    expect(changed.runs).toEqual([]);
  });

  test('approves a call for one version of the tool: a tool that changes before the call runs does not run', async () => {
    const store = createMemoryStore();
    const first = gated({ exclusive: true, execute: () => new Promise(() => {}) });
    const s = stage({ tools: [first.tool], store });
    await ask(s, ['pay', '{}']);
    await s.session.approve(callIdOf(s.session), { remember: 'session' });
    await settled();
    s.ports.hide(true);
    const resumed = s.session.resume();
    await settled();
    call(s.client.last(), ['pay', '{"n":1}'], ['pay', '{"n":2}']);
    await settled();
    expect(statusesOf(s.session)).toEqual(['uncertain', 'started', 'approved']);
    s.ports.hide(true);
    await resumed;
    const changed = gated({ input: { type: 'object', properties: { n: {} } } });
    s.agent.addTool(changed.tool);
    void s.session.resume();
    await settled();
    expect(statusesOf(s.session)).toEqual(['uncertain', 'uncertain', 'failed']);
    expect(changed.runs).toEqual([]);
  });

  test('applies until it is revoked', async () => {
    const s = stage({ tools: [gated().tool] });
    await ask(s, ['pay', '{}']);
    await s.session.approve(callIdOf(s.session), { remember: 'session' });
    s.session.revokeApprovalRule('pay');
    await settled();
    expect(s.session.getState().approvalRules).toEqual([]);
    await askOn(s);
    expect(statusesOf(s.session)).toEqual(['succeeded', 'awaiting-approval']);
  });

  test('is replaced by a later rule', async () => {
    const s = stage({ tools: [gated().tool] });
    await ask(s, ['pay', '{}'], ['pay', '{}']);
    await s.session.approve(callIdOf(s.session, 0), { remember: 'session' });
    await s.session.reject(callIdOf(s.session, 1), { remember: 'session' });
    await settled();
    expect(s.session.getState().approvalRules).toMatchObject([{ verdict: 'rejected' }]);
    await askOn(s);
    expect(statusesOf(s.session)).toEqual(['succeeded', 'rejected', 'rejected']);
  });
});

describe('an approval rule for the agent', () => {
  async function allowed() {
    const store = createMemoryStore();
    const pay = gated();
    const s = stage({ tools: [pay.tool], store });
    await ask(s, ['pay', '{}']);
    await s.session.approve(callIdOf(s.session), { remember: 'agent', userName: 'Ada' });
    await settled();
    return { ...s, pay, store };
  }

  test('applies in all sessions of the agent, also on a page that is opened later, and is listed', async () => {
    const { store, pay } = await allowed();
    const later = elsewhere(store, [pay.tool]);
    expect(await later.agent.listApprovalRules()).toMatchObject([
      { name: 'pay', verdict: 'approved', userName: 'Ada' },
    ]);
    await ask(later, ['pay', '{}']);
    expect(statusesOf(later.session)).toEqual(['succeeded']);
  });

  test('does not apply to an agent with another name', async () => {
    const { store, pay } = await allowed();
    const later = elsewhere(store, [pay.tool], 'another');
    expect(await later.agent.listApprovalRules()).toEqual([]);
    await ask(later, ['pay', '{}']);
    expect(statusesOf(later.session)).toEqual(['awaiting-approval']);
  });

  test('applies until it is revoked', async () => {
    const { store, pay } = await allowed();
    const later = elsewhere(store, [pay.tool]);
    await later.agent.revokeApprovalRule('pay');
    expect(await later.agent.listApprovalRules()).toEqual([]);
    await ask(later, ['pay', '{}']);
    expect(statusesOf(later.session)).toEqual(['awaiting-approval']);
  });

  test('yields to a rule for the session', async () => {
    const { store, pay } = await allowed();
    const later = elsewhere(store, [pay.tool]);
    await later.agent.revokeApprovalRule('pay');
    await ask(later, ['pay', '{}']);
    await later.session.reject(callIdOf(later.session), { remember: 'session' });
    await createApprovalRules(store.meta, '').remember({
      name: 'pay',
      verdict: 'approved',
      toolVersion: pay.tool[engine].version,
      at: 1,
    });
    await settled();
    await askOn(later);
    expect(statusesOf(later.session)).toEqual(['rejected', 'rejected']);
  });

  test('lasts as long as the page if the store keeps no meta entries', async () => {
    const { meta: _none, ...store } = createMemoryStore();
    const pay = gated();
    const s = stage({ tools: [pay.tool], store });
    await ask(s, ['pay', '{}']);
    await s.session.approve(callIdOf(s.session), { remember: 'agent' });
    await settled();
    expect(await s.agent.listApprovalRules()).toHaveLength(1);
    expect(await elsewhere(store, [pay.tool]).agent.listApprovalRules()).toEqual([]);
  });

  test('still decides its own call if the rule cannot be stored, and the caller receives the error', async () => {
    const store = {
      ...createMemoryStore(),
      meta: { get: () => Promise.reject(new Error('no')), update: () => Promise.reject(new Error('no')) },
    };
    const pay = gated();
    const s = stage({ tools: [pay.tool], store });
    await ask(s, ['pay', '{}']);
    await expect(s.session.approve(callIdOf(s.session), { remember: 'agent' })).rejects.toThrow('no');
    await settled();
    expect(statusesOf(s.session)).toEqual(['succeeded']);
    // A rule that cannot be read approves nothing.
    await askOn(s);
    expect(statusesOf(s.session)).toEqual(['succeeded', 'awaiting-approval']);
  });
});

describe('stored approval rules', () => {
  test('are read as far as they are valid', async () => {
    const meta = createMeta();
    const good = { name: 'pay', verdict: 'approved', toolVersion: 'b', at: 1 } as const;
    await meta.update('standing/', () => [good, null, 'pay', { ...good, verdict: 'expired' }, { name: 'x' }, [good]]);
    expect(await createApprovalRules(meta, '').list()).toEqual([good]);
    await createApprovalRules(meta, '').remember({ ...good, name: 'other', verdict: 'rejected' });
    expect((await createApprovalRules(meta, '').list()).map(({ name }) => name)).toEqual(['pay', 'other']);
    await meta.update('standing/', () => 'nonsense');
    expect(await createApprovalRules(meta, '').list()).toEqual([]);
    await createApprovalRules(meta, '').revoke('nobody');
    expect(await meta.get('standing/')).toEqual([]);
  });
});
