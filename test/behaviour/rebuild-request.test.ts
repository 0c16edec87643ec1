import {
  createAgent,
  createChatCompletionsClient,
  createResponsesClient,
  defineOutput,
  defineTool,
  type LLMClient,
  type LLMRequest,
} from 'brooklet';
import { createAnthropicClient } from 'brooklet/anthropic';
import { rebuildRequest } from 'brooklet/context';
import { createMemoryStore, exportSession, importSessions } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import fc from 'fast-check';
import { Subscription } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { play, type PlayOptions, schedules } from '../support/schedule.ts';
import { seeded } from '../support/seeded.ts';

/** One client of each wire; `fetch` records the body and never answers. */
const wires: readonly ((fetch: typeof globalThis.fetch) => LLMClient)[] = [
  (fetch) => createChatCompletionsClient({ baseURL: 'https://api.example.com/v1', apiKey: 'key', model: 'm', fetch }),
  (fetch) => createResponsesClient({ baseURL: 'https://api.openai.com/v1', apiKey: 'key', model: 'm', fetch }),
  (fetch) => createAnthropicClient({ baseURL: 'https://api.anthropic.com/v1', apiKey: 'key', model: 'm', fetch }),
];

/** Returns the body that a request has on each wire. */
async function bodiesOf(request: LLMRequest): Promise<readonly string[]> {
  return Promise.all(
    wires.map(
      (createClient) =>
        new Promise<string>((resolve, reject) => {
          const subscription = new Subscription();
          const client = createClient((_url, init) => {
            resolve(typeof init?.body === 'string' ? init.body : 'no text');
            subscription.unsubscribe();
            return new Promise(() => {});
          });
          subscription.add(client.sendRequest(request).subscribe({ error: reject }));
        }),
    ),
  );
}

const output = defineOutput({
  name: 'sum',
  schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
});

const settings: Record<string, PlayOptions> = {
  'of an agent with instructions and tools': { agent: { instructions: 'Be brief.', model: 'm1', temperature: 0.5 } },
  'of runs with options of their own': {
    agent: { instructions: 'Be brief.', providerParams: { top_k: 1 } },
    run: (pick) =>
      pick % 2 ? { model: `m${pick}`, maxTokens: pick + 10, providerParams: { seed: pick }, output } : {},
  },
  'of runs that force a call, or allow none': {
    agent: {},
    run: (pick) => ({ toolChoice: (['auto', 'none', 'required', { name: 'look' }] as const)[pick % 4] ?? 'auto' }),
  },
  'of a conversation of few messages': { agent: { maxMessages: 3, presets: [{ role: 'user', content: 'Hi.' }] } },
  'of a small window with compactions and shortened outputs': {
    agent: {
      instructions: 'Be brief.',
      contextWindow: 900,
      context: { strategy: () => 'They talked.', toolOutput: 4, trigger: 0.3, target: 0.2 },
    },
  },
};

describe('every request that was sent can be rebuilt from the log alone, byte for byte on every wire,', () => {
  test.each(Object.entries(settings))('%s', { timeout: 120_000 }, async (_name, options) => {
    let rebuilt = 0;
    let compacted = 0;
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const { log, asked } = await play(schedule, options);
        const kept = new Set(log.flatMap((event) => (event.type === 'reply.started' ? [event.messageId] : [])));
        // A log is JSON: what a file or a database would lose must not be needed.
        const stored: typeof log = JSON.parse(JSON.stringify(log));
        for (const { messageId, request } of asked) {
          if (!kept.has(messageId)) continue;
          const again = rebuildRequest(stored, messageId);
          expect(again).toEqual(JSON.parse(JSON.stringify(request)));
          expect(again && (await bodiesOf(again))).toEqual(await bodiesOf(request));
          rebuilt++;
          if (JSON.stringify(request.messages).includes('They talked.')) compacted++;
        }
      }),
      seeded(40, 8),
    );
    expect(rebuilt).toBeGreaterThan(5);
    if (options.agent?.contextWindow) expect(compacted).toBeGreaterThan(5);
  });
});

describe('a rebuilt request', () => {
  test('is the one that was sent then, although instructions and tools have changed since', async () => {
    const store = createMemoryStore();
    const client = createScriptedClient([[reply.text('One.')], [reply.text('Two.')]]);
    const first = createAgent({ client, store, instructions: 'Be brief.' });
    const id = first.createSession();
    await first.getSession(id)?.send('1?');
    await first.getSession(id)?.flushed();
    const second = createAgent({ client, store, instructions: 'Be long.' });
    await (await second.openSession(id)).send('2?');
    await (await second.openSession(id)).flushed();

    const events = (await store.read(id))?.events ?? [];
    const replies = events.flatMap((event) => (event.type === 'reply.started' ? [event.messageId] : []));
    expect(replies.map((messageId) => rebuildRequest(events, messageId))).toEqual(client.requests);
    expect(events.filter(({ type }) => type === 'instructions.changed')).toHaveLength(2);
  });

  test('is the one that was sent, although the former instructions and tools have the same content ids', async () => {
    const store = createMemoryStore();
    const client = createScriptedClient(() => [reply.text('Yes.')]);
    const toolFor = (description: string) =>
      defineTool({ name: 'look', description, input: { type: 'object' }, execute: () => '' });
    const optionsFor = (text: string) => ({ client, store, instructions: text, tools: [toolFor(text)] });
    const first = createAgent(optionsFor('in'));
    const id = first.createSession();
    await first.getSession(id)?.send('1?');
    await first.getSession(id)?.flushed();
    const session = await createAgent(optionsFor('jO')).openSession(id);
    await session.send('2?');
    await session.flushed();

    const events = (await store.read(id))?.events ?? [];
    const replies = events.flatMap((event) => (event.type === 'reply.started' ? [event] : []));
    expect(replies[0]?.request).toEqual(replies[1]?.request);
    expect(replies.map(({ messageId }) => rebuildRequest(events, messageId))).toEqual(client.requests);
    expect(JSON.stringify(client.requests[1])).toContain('jO');
  });

  test('needs instructions and tools once in the log, however many requests have them', async () => {
    const client = createScriptedClient(() => [reply.text('Yes.')]);
    const agent = createAgent({ client, instructions: 'Be brief.' });
    const session = agent.getSession(agent.createSession());
    const types: string[] = [];
    session?.events$.subscribe(({ type }) => types.push(type));
    for (const text of ['1', '2', '3']) await session?.send(text);
    expect(types.filter((type) => type === 'instructions.changed')).toHaveLength(1);
    expect(types.filter((type) => type === 'reply.started')).toHaveLength(3);
  });

  test('survives an export and an import', async () => {
    const store = createMemoryStore();
    const client = createScriptedClient([[reply.text('{"n":1}')]]);
    const agent = createAgent({ client, store, instructions: 'Be brief.' });
    const session = agent.getSession(agent.createSession());
    const { message } = (await session?.send('1?', { output, maxTokens: 9 })) ?? {};
    await session?.flushed();
    const stored = await store.read(session?.id ?? '');
    if (stored === undefined || message === undefined) return expect.unreachable();
    const other = createMemoryStore();
    expect((await importSessions(other, exportSession(stored))).problems).toEqual([]);
    const events = (await other.read(stored.summary.id))?.events ?? [];
    expect(rebuildRequest(events, message.id)).toEqual(
      client.requests[0] && {
        ...client.requests[0],
        output: { name: output.name, schema: output.schema, strict: output.strict },
      },
    );
  });

  test('lacks the scratch, which is stored as its number of tokens only', async () => {
    const client = createScriptedClient([[reply.text('Ok.')]]);
    const store = createMemoryStore();
    const agent = createAgent({ client, store, scratch: 'It is Tuesday.' });
    const session = agent.getSession(agent.createSession());
    const { message } = (await session?.send('Which day?')) ?? {};
    await session?.flushed();
    const events = (await store.read(session?.id ?? ''))?.events ?? [];
    const again = rebuildRequest(events, message?.id ?? '');
    expect(JSON.stringify(events)).not.toContain('Tuesday');
    expect(again?.messages.at(-1)?.content).toEqual([{ type: 'text', text: 'Which day?' }]);
    expect(message?.context?.scratch).toBeGreaterThan(0);
  });

  test('does not exist for a reply that the log does not have, and for a log of version 1', () => {
    expect(rebuildRequest([], 'a')).toBeUndefined();
    const v1: never[] = JSON.parse(
      '[{"type":"session.started","sessionId":"s","seq":1,"at":1,"v":1},{"type":"run.started","runId":"r","seq":2,"at":2,"v":1},{"type":"reply.started","messageId":"a","seq":3,"at":3,"v":1}]',
    );
    expect(rebuildRequest(v1, 'a')).toBeUndefined();
  });
});
