import { createAgent, defineTool, type JsonObject, type SessionEvent } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, replay, ReplayError, type ReplayOptions, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';

interface PayOptions {
  readonly description?: string;
  readonly input?: JsonObject;
  readonly needsApproval?: boolean;
  readonly result?: string;
}

/** The tool of the recorded session, or a changed one. */
function payTool({ description = 'Pays an amount.', input, needsApproval = false, result = 'paid' }: PayOptions = {}) {
  return defineTool({
    name: 'pay',
    description,
    input: input ?? { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    needsApproval,
    execute: () => result,
  });
}

const recordedOptions = {
  instructions: 'Be brief.',
  model: 'm1',
  providerParams: { top_k: 1, seed: 2 },
  tools: [payTool()],
} satisfies ReplayOptions;

/** Records a session of two requests. */
async function recordPayment(): Promise<readonly SessionEvent[]> {
  const store = createMemoryStore();
  const client = createScriptedClient([[reply.call('pay', { n: 1 })], [reply.text('It is paid.')]]);
  const agent = createAgent({ ...recordedOptions, client, store });
  const session = await agent.openSession(agent.createSession());
  await session.send('Pay the bill.');
  await session.flushed();
  const events: readonly SessionEvent[] = JSON.parse(JSON.stringify((await store.read(session.id))?.events ?? []));
  return events;
}

async function differenceOf(log: readonly SessionEvent[], options: ReplayOptions): Promise<ReplayError> {
  const error: unknown = await replay(log, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ReplayError ? error : expect.unreachable(`No difference was found: ${String(error)}`);
}

describe('a replay with the options of the recorded agent', () => {
  test('passes', async () => {
    const { requests } = await replay(await recordPayment(), recordedOptions);
    expect(requests).toHaveLength(2);
  });

  const changes: Record<string, { readonly options: ReplayOptions; readonly what: string; readonly diff: string }> = {
    'changed instructions': {
      options: { instructions: 'Be long.' },
      what: 'request',
      diff: '- messages[0].content[0].text: "Be brief."\n+ messages[0].content[0].text: "Be long."',
    },
    'another model': { options: { model: 'm2' }, what: 'request', diff: '- model: "m1"\n+ model: "m2"' },
    'another order of the parameters': {
      options: { providerParams: { seed: 2, top_k: 1 } },
      what: 'request',
      diff: '- the fields of providerParams: top_k, seed\n+ the fields of providerParams: seed, top_k',
    },
    'a parameter that the agent did not have': {
      options: { temperature: 1 },
      what: 'request',
      diff: '- temperature: missing\n+ temperature: 1',
    },
    'another description of a tool': {
      options: { tools: [payTool({ description: 'Pays.' })] },
      what: 'request',
      diff: '- tools[0].description: "Pays an amount."\n+ tools[0].description: "Pays."',
    },
    'another schema of a tool': {
      options: { tools: [payTool({ input: { type: 'object', properties: { n: { type: 'integer' } } } })] },
      what: 'request',
      diff: '+ tools[0].inputSchema.properties.n.type: "integer"',
    },
    'a tool less': { options: { tools: [] }, what: 'request', diff: '+ tools: missing' },
    'a tool that has become gated': {
      options: { tools: [payTool({ needsApproval: true })] },
      what: 'call',
      diff: '+ {"type":"approval.requested"',
    },
    'another result of a tool': {
      options: { tools: [payTool({ result: 'refused' })] },
      what: 'call',
      diff: '- output: "paid"\n+ output: "refused"',
    },
    'another input of a call': {
      options: { client: createScriptedClient([[reply.call('pay', { n: 7 })]]) },
      what: 'call',
      diff: String.raw`+ text: "{\"n\":7}"`,
    },
    'another answer': {
      options: { client: createScriptedClient([[reply.call('pay', { n: 1 })], [reply.text('It is unpaid.')]]) },
      what: 'message',
      diff: '+ text: ',
    },
    'a limit that the agent did not have': {
      options: { maxSteps: 1 },
      what: 'request',
      diff: '+ {"type":"run.ended"',
    },
  };
  test.each(Object.entries(changes))('names %s', async (_name, { options, what, diff }) => {
    const error = await differenceOf(await recordPayment(), { ...recordedOptions, ...options });
    expect(error.message).toContain(diff);
    expect(error.what).toBe(what);
    expect(error.seq).toBeGreaterThan(1);
  });

  test('uses the descriptions and approvals of tools, and not their results, on request', async () => {
    const options: ReplayOptions = { ...recordedOptions, toolResults: 'recorded' };
    const tools = [payTool({ result: 'refused' })];
    await replay(await recordPayment(), { ...options, tools });
    const error = await differenceOf(await recordPayment(), { ...options, tools: [payTool({ description: 'Pays.' })] });
    expect(error.what).toBe('request');
  });

  test('names an answer that goes on after the recorded one', async () => {
    const log = await recordPayment();
    const client = createScriptedClient([[reply.call('pay', { n: 1 })], [reply.text('It is paid. Twice.')]]);
    expect((await differenceOf(log, { ...recordedOptions, client })).what).toBe('message');
  });
});

describe('a log that cannot be replayed', () => {
  /** Returns the log with a changed event. */
  async function changed(change: object, at: number): Promise<readonly SessionEvent[]> {
    const events = (await recordPayment()).map((event, index) => (index === at ? { ...event, ...change } : event));
    const log: readonly SessionEvent[] = JSON.parse(JSON.stringify(events));
    return log;
  }

  test.each([
    ['of a newer version', { v: 99 }, /seq 6, reply\.started: its version is 99/],
    ['with an unknown event', { type: 'mood.changed' }, /seq 6, mood\.changed: this package does not know/],
    ['with an event that was dropped', { type: 'event.dropped', of: 'message.added' }, /its content is lost/],
    ['whose replies have no request', { request: undefined }, /does not contain the request of the reply/],
    ['in another order', { seq: 2 }, /its seq does not follow 5/],
  ])('%s is refused with the place and the reason', async (_name, change, reason) => {
    const error = await differenceOf(await changed(change, 5), {});
    expect(error.what).toBe('unreplayable');
    expect(error.message).toMatch(reason);
  });

  test('that was masked is refused', async () => {
    const error = await differenceOf(await changed({ messages: [] }, 3), {});
    expect(error.message).toContain('instructions.changed: its content is not the recorded one');
  });

  test('that does not begin with the session is refused', async () => {
    const error = await differenceOf((await recordPayment()).slice(1), {});
    expect(error.message).toContain('a log begins with session.started');
    expect(error.seq).toBe(2);
  });
});
