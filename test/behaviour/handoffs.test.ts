import { type Agent, createAgent, type Tool } from 'brooklet';
import { agentTool, handoffTo } from 'brooklet/agents';
import { createMemoryStore, exportAll, importSessions } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { type Asked, call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { callsOf, recorded, sessionOf, stage, statusesOf, textsOf } from '../support/stage.ts';

/** What a request says of the agent that sends it. */
const seen = ({ request }: Asked) => ({
  instructions: request.messages.filter(({ role }) => role === 'system').flatMap(({ content }) => content)[0],
  tools: request.tools?.map(({ name }) => name),
});

/** A desk that passes to billing, which can pay and passes back. Each has a client of its own. */
function desks(more: object = {}, ofBilling: object = {}) {
  const [front, back] = [createManualClient(), createManualClient()];
  const pay = recorded('pay', { needsApproval: true });
  const toDesk = handoffTo({ name: 'desk', description: 'Everything else.', agent: () => s.agent });
  const billing = handoffTo({
    name: 'billing',
    description: 'Invoices.',
    options: { client: back, instructions: 'You handle invoices.', tools: [pay.tool, toDesk], ...ofBilling },
  });
  const store = createMemoryStore();
  const s = stage({ client: front, instructions: 'You are the desk.', tools: [billing], store, ...more });
  return { ...s, front, back, pay, billing, store };
}

async function pass(s: ReturnType<typeof desks>): Promise<void> {
  void s.session.send('My invoice is wrong.');
  await settled();
  call(s.front.last(), ['transfer_to_billing', '{}']);
  await settled();
}

/** The agent of the next page. */
async function reopen(s: ReturnType<typeof desks>, tools: readonly Tool[]) {
  const client = createManualClient();
  s.ports.hide(true);
  await s.session.flushed();
  const agent: Agent = createAgent({
    client,
    ports: createManualPorts('later'),
    store: s.store,
    instructions: 'You are the desk.',
    tools,
  });
  return { client, agent, session: await agent.openSession(s.session.id) };
}

describe('a handoff', () => {
  test('passes the conversation to the instructions, the tools and the client of the other agent, in one log and one run', async () => {
    const s = desks();
    await pass(s);
    expect(s.front.asked.map(seen)).toMatchObject([{ tools: ['transfer_to_billing'] }]);
    expect(s.back.asked.map(seen)).toMatchObject([
      { instructions: { text: 'You handle invoices.' }, tools: ['pay', 'transfer_to_desk'] },
    ]);
    expect(callsOf(s.session)).toMatchObject([{ status: 'succeeded', handoff: 'billing' }]);
    say(s.back.last(), 'Which one?');
    await settled();
    void s.session.send('The last one.');
    await settled();
    expect([s.front.asked.length, s.back.asked.length]).toEqual([1, 2]);
    expect(s.types().filter((type) => type === 'run.started')).toHaveLength(2);
  });

  test('lets a person decide the calls of the other agent, and hands back', async () => {
    const s = desks();
    await pass(s);
    call(s.back.last(), ['pay', '{}']);
    await settled();
    const [held] = s.session.getApprovals();
    expect(held).toMatchObject({ name: 'pay', status: 'awaiting-approval' });
    await s.session.approve(held?.callId ?? '');
    await settled();
    expect(s.pay.runs).toHaveLength(1);
    call(s.back.last(), ['transfer_to_desk', '{}']);
    await settled();
    expect(s.front.asked.map(seen).at(-1)).toMatchObject({ instructions: { text: 'You are the desk.' } });
    say(s.front.last(), 'Anything else?');
    await settled();
    expect(s.session.getState().run?.outcome).toBe('completed');
  });

  test('stands after a reload, and the calls that wait then are those of the agent that has the conversation', async () => {
    const s = desks();
    await pass(s);
    call(s.back.last(), ['pay', '{}']);
    await settled();
    const { session } = await reopen(s, [s.billing]);
    await session.approve(session.getApprovals()[0]?.callId ?? '');
    await settled();
    expect(s.pay.runs).toHaveLength(1);
    expect(seen(s.back.last()).tools).toEqual(['pay', 'transfer_to_desk']);
  });

  test('to an agent that the page has no more fails with TOOL_NOT_FOUND, and stands when the agent is back', async () => {
    const s = desks();
    await pass(s);
    say(s.back.last(), 'Which one?');
    await settled();
    const { session, agent, client } = await reopen(s, [recorded('other').tool]);
    const { outcome, error } = await session.send('The last one.');
    expect([outcome, error?.code, client.asked.length]).toEqual(['failed', 'TOOL_NOT_FOUND', 0]);
    expect(error?.message).toContain('"billing"');
    agent.addTool(s.billing);
    void session.resume();
    await settled();
    expect(seen(s.back.last())).toMatchObject({ instructions: { text: 'You handle invoices.' } });
  });

  test('is undone where a message before it is answered again, edited or forked', async () => {
    const s = desks();
    await pass(s);
    say(s.back.last(), 'Which one?');
    await settled();
    void s.session.regenerate(s.session.getMessages()[0]?.id);
    await settled();
    expect(s.front.asked).toHaveLength(2);
    say(s.front.last(), 'Hello.');
    await settled();
    void s.session.edit(s.session.getMessages()[0]?.id ?? '', 'Something else.');
    await settled();
    expect(s.front.asked).toHaveLength(3);
    expect(s.back.asked).toHaveLength(1);
  });

  test('stands in a fork from a point after it, and not in one from a point before it', async () => {
    const s = desks();
    await pass(s);
    say(s.back.last(), 'Which one?');
    await settled();
    const after = sessionOf(s.agent, await s.agent.forkSession(s.session.id));
    void after.send('The last one.');
    await settled();
    expect(s.back.asked).toHaveLength(2);
    const [first] = s.session.getMessages();
    const before = sessionOf(s.agent, await s.agent.forkSession(s.session.id, first && { messageId: first.id }));
    void before.send('Hello?');
    await settled();
    expect(s.front.asked).toHaveLength(2);
  });

  test('of two in one answer is the first, after the other calls of the answer have ended with the tools of their agent', async () => {
    const look = recorded('look', { needsApproval: true });
    const other = handoffTo({ name: 'other', description: 'Other.', options: { client: createManualClient() } });
    const s = desks();
    s.agent.addTool(look.tool);
    s.agent.addTool(other);
    void s.session.send('go');
    await settled();
    call(s.front.last(), ['transfer_to_billing', '{}'], ['look', '{}'], ['transfer_to_other', '{}']);
    await settled();
    expect(s.back.asked).toHaveLength(0);
    await s.session.approve(s.session.getApprovals()[0]?.callId ?? '');
    await settled();
    expect(look.runs).toHaveLength(1);
    expect(s.back.asked).toHaveLength(1);
  });

  test('back and forth ends at the steps of the session', async () => {
    const s = desks({ maxSteps: 4 }, { maxSteps: 100 });
    await pass(s);
    call(s.back.last(), ['transfer_to_desk', '{}']);
    await settled();
    call(s.front.last(), ['transfer_to_billing', '{}']);
    await settled();
    call(s.back.last(), ['transfer_to_desk', '{}']);
    await settled();
    expect(s.session.getState().run).toMatchObject({ outcome: 'limit', limit: 'steps', steps: 4 });
  });

  test('waits for a person where it needs approval, and a rejected one passes nothing', async () => {
    const back = createManualClient();
    const ask = handoffTo({ name: 'boss', description: 'Boss.', options: { client: back }, needsApproval: true });
    const s = stage({ tools: [ask] });
    void s.session.send('go');
    await settled();
    call(s.client.last(), ['transfer_to_boss', '{}']);
    await settled();
    await s.session.reject(s.session.getApprovals()[0]?.callId ?? '');
    await settled();
    expect([s.client.asked.length, back.asked.length]).toEqual([2, 0]);
  });

  test('applies the approval policy of the agent that has the conversation', async () => {
    const look = recorded('look');
    const s = desks({}, { tools: [look.tool], needsApproval: () => true });
    await pass(s);
    call(s.back.last(), ['look', '{}']);
    await settled();
    expect(statusesOf(s.session).at(-1)).toBe('awaiting-approval');
    expect(look.runs).toHaveLength(0);
  });

  test('has the agents as tools of the other agent, whose sessions are opened by their id', async () => {
    const below = createManualClient();
    const research = agentTool({ name: 'research', description: 'R.', options: { client: below } });
    const s = desks({}, { tools: [research] });
    await pass(s);
    call(s.back.last(), ['research', '{"task":"Find it."}']);
    await settled();
    expect(below.asked).toHaveLength(1);
    const id = callsOf(s.session).at(-1)?.session ?? '';
    const { agent } = await reopen(s, [s.billing]);
    const child = await agent.openSession(id);
    expect(textsOf(child)[0]).toBe('Find it.');
  });

  test('in a session that came in a file passes nothing', async () => {
    const s = desks();
    await pass(s);
    say(s.back.last(), 'Which one?');
    await settled();
    await s.session.flushed();
    let file = '';
    for await (const piece of exportAll(s.store)) file += piece;
    const { imported, problems } = await importSessions(s.store, file, { onConflict: 'copy', newId: () => 'copy' });
    expect([problems, imported[0]?.result]).toEqual([[], 'copied']);
    const copy = await s.agent.openSession('copy');
    void copy.send('Hello?');
    await settled();
    expect([s.front.asked.length, s.back.asked.length]).toEqual([2, 1]);
  });
});

describe('an option of a handoff', () => {
  const given = { name: 'billing', description: 'Invoices.', options: {} };
  test.each([
    ['without a name', { ...given, name: '' }],
    ['with a name that providers refuse', { ...given, name: 'billing desk' }],
    ['without an agent', { name: 'billing', description: 'Invoices.' }],
    ['with two agents', { ...given, agent: createAgent({}) }],
    ['with an agent of no createAgent', { name: 'billing', description: 'Invoices.', agent: {} }],
    ['with an unknown option', { ...given, tools: [] }],
    ['that is no object', null],
  ])('%s is refused', (_name, options) => {
    const made = (): unknown => Reflect.apply(handoffTo, undefined, [options]);
    expect(made).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });
});
