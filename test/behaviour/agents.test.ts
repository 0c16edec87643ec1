import { agentTool } from 'brooklet/agents';
import { createAgent, type Tool } from 'brooklet';
import { createMemoryStore, exportAll, importSessions } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callIdOf, callsOf, recorded, sessionOf, stage, statusesOf, textsOf } from '../support/stage.ts';

const task = '{"task":"Find it."}';

/** The agent of the next page. */
function reopen({ store, research }: Pick<ReturnType<typeof family>, 'store'> & { readonly research?: Tool }) {
  const client = createManualClient();
  const agent = createAgent({ client, ports: createManualPorts('later'), store, tools: research ? [research] : [] });
  return { client, agent };
}

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
    const again = reopen(s);
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

describe('the sessions below a root', () => {
  /** A root whose agent waits for a person. */
  async function waiting() {
    const pay = recorded('pay', { needsApproval: true });
    const s = family([pay.tool]);
    await ask(s, ['research', task]);
    call(s.below.last(), ['pay', '{}']);
    await settled();
    await s.session.flushed();
    await s.childOf().flushed();
    return { ...s, pay, childId: s.childOf().id };
  }

  test('are shown in the approvals of the root, with their path, and after a reload, where a decision resumes the root', async () => {
    const s = await waiting();
    const seen: number[] = [];
    s.session.approvals$.subscribe((calls) => seen.push(calls.length));
    expect(s.session.getApprovals()).toMatchObject([{ name: 'pay', status: 'awaiting-approval' }]);
    expect(s.agent.getPending()[0]?.path).toMatchObject([{ sessionId: s.session.id }]);
    s.ports.hide(true);
    await s.session.flushed();
    const again = reopen(s);
    const root = await again.agent.openSession(s.session.id);
    await settled();
    const [one] = root.getApprovals();
    await root.approve(one?.callId ?? '');
    await settled();
    expect(s.pay.runs).toHaveLength(1);
    expect(root.getStatus()).toBe('running');
    say(s.below.last(), 'Paid.');
    await settled();
    say(again.client.last(), 'Done.');
    await settled();
    expect([root.getStatus(), statusesOf(root)]).toEqual(['idle', ['succeeded']]);
    expect(seen).toEqual([1, 0]);
  });

  test('are opened by their id with the tools of their own agent', async () => {
    const s = await waiting();
    s.ports.hide(true);
    await s.session.flushed();
    const again = reopen(s);
    const child = await again.agent.openSession(s.childId);
    await child.reject(child.getApprovals()[0]?.callId ?? '');
    await settled();
    expect(s.below.last().request.tools?.map(({ name }) => name)).toEqual(['pay']);
    const without = reopen({ store: s.store });
    await expect(without.agent.openSession(s.childId)).rejects.toMatchObject({ code: 'TOOL_NOT_FOUND' });
  });

  test('are removed and restored with the root', async () => {
    const s = await waiting();
    s.agent.removeSession(s.session.id);
    await s.agent.removed(s.session.id);
    await settled();
    expect((await s.store.list({ children: true })).sessions).toEqual([]);
    expect(s.agent.getSession(s.childId)).toBeUndefined();
    expect(await s.agent.restoreSession(s.session.id)).toBe(true);
    expect((await s.store.list({ children: true })).sessions).toHaveLength(2);
  });

  test('are removed with a root that is not in memory', async () => {
    const s = await waiting();
    const again = reopen(s);
    again.agent.removeSession(s.session.id);
    await again.agent.removed(s.session.id);
    await settled();
    expect((await s.store.list({ children: true })).sessions).toEqual([]);
  });

  test('cost a removal from the list nothing where there are none: the log is not read', async () => {
    const s = stage({ store: createMemoryStore() });
    void s.session.send('go');
    await settled();
    say(s.client.last(), 'Done.');
    await s.session.flushed();
    const { store } = s.agent;
    if (store === undefined) throw new Error('no store');
    const reads: unknown[] = [];
    const read: typeof store.read = (...args) => {
      reads.push(args);
      return store.read(...args);
    };
    const next = createAgent({ client: createManualClient(), store: { ...store, read } });
    next.removeSession(s.session.id);
    await next.removed(s.session.id);
    expect(reads).toEqual([[s.session.id, { after: Number.MAX_SAFE_INTEGER }]]);
    expect((await store.list()).sessions).toEqual([]);
  });

  test('that wait for a person make the root wait, which runs again when they do', async () => {
    const s = await waiting();
    const seen: string[] = [];
    s.session.status$.subscribe((status) => seen.push(status));
    expect(s.session.getStatus()).toBe('waiting');
    await s.session.approve(s.session.getApprovals()[0]?.callId ?? '');
    await settled();
    say(s.below.last(), 'Paid.');
    await settled();
    say(s.client.last(), 'Done.');
    await settled();
    expect(seen).toEqual(['waiting', 'running', 'idle']);
  });

  test('are exported and imported with the root, also as copies that belong together', async () => {
    const s = await waiting();
    let file = '';
    for await (const piece of exportAll(s.store, { sessionIds: [s.session.id] })) file += piece;
    let copies = 0;
    const { imported, problems } = await importSessions(s.store, file, {
      onConflict: 'copy',
      newId: () => `copy${++copies}`,
    });
    expect(problems).toEqual([]);
    expect(imported.map(({ id }) => id)).toEqual([s.session.id, s.childId]);
    const [root, child] = await Promise.all(imported.map(({ storedAs }) => s.store.read(storedAs)));
    expect(child?.summary.path?.[0]?.sessionId).toBe(root?.summary.id);
    expect(root?.events.find(({ type }) => type === 'call.started')).toMatchObject({ session: child?.summary.id });
    expect(child?.summary.status).toBe('idle');
  });

  test('end when the page sends another message instead of resuming the root', async () => {
    const s = await waiting();
    s.ports.hide(true);
    await s.session.flushed();
    const again = reopen(s);
    const root = await again.agent.openSession(s.session.id);
    await settled();
    void root.send('Something else.');
    await settled();
    expect(root.getApprovals()).toEqual([]);
    expect((await s.store.read(s.childId))?.summary.status).toBe('idle');
  });
});
