import {
  AgentError,
  createAgent,
  type AgentSession,
  isToolPart,
  type Message,
  type MessageInput,
  type Part,
  type SessionEvent,
  toMediaPart,
} from 'brooklet';
import { createMemoryStore, exportSession, importSessions } from 'brooklet/storage';
import { describe, expect, test, vi } from 'vitest';
import { initialState } from 'brooklet/core';
import { createLog } from '../../src/core/log/log.ts';
import { browserPorts } from '../../src/core/ports.ts';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callIdOf, callsOf, recorded, stage, statusesOf, textsOf } from '../support/stage.ts';
import { untyped } from '../support/untyped.ts';

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

const notJson: readonly (readonly [name: string, value: unknown])[] = [
  ['a function', () => {}],
  ['a symbol', Symbol('s')],
  ['a BigInt', 10n],
  ['a cycle', cycle],
  ['a promise', Promise.resolve()],
  ['a Map', new Map()],
  ['an object of a class', new AbortController()],
  [
    'a proxy that throws',
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('revoked');
        },
      },
    ),
  ],
  [
    'a getter that throws',
    {
      get secret() {
        throw new Error('no');
      },
    },
  ],
  ['a proxy around a function', new Proxy(() => {}, {})],
];

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof AgentError ? error.code : `not an AgentError: ${String(error)}`;
  }
  return 'accepted';
}

function problemOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof AgentError && error.code === 'INVALID_INPUT' ? error.message : `other: ${String(error)}`;
  }
  return 'accepted';
}

/** The session still answers, and the whole of it is stored and can be exported. */
async function expectAlive({ session, client }: Pick<ReturnType<typeof stage>, 'session' | 'client'>): Promise<void> {
  const sent = session.send('Still there?');
  await settled();
  say(client.last(), 'Yes');
  expect(await sent).toMatchObject({ outcome: 'completed' });
  await session.flushed();
  expect(['memory', 'saved']).toContain(session.getStorage().state);
  expect(textsOf(session).slice(-2)).toEqual(['Still there?', 'Yes']);
}

describe('a value that JSON cannot represent', () => {
  const verbs: readonly (readonly [name: string, verb: (session: AgentSession, metadata: never) => unknown])[] = [
    ['addMessage', (session, x) => session.addMessage({ role: 'user', content: 'Hi', metadata: { x } })],
    ['send', (session, x) => session.send({ content: 'Hi', metadata: { x } })],
    ['send of a part', (session, x) => session.send({ content: [{ type: 'provider', name: 'n', data: { x } }] })],
    ['updateMessage', (session, x) => session.updateMessage('m', (message) => ({ ...message, metadata: { x } }))],
    ['an option of a run', (session, x) => session.send('Hi', { providerParams: { x } })],
  ];
  test.each(notJson.flatMap(([what, value]) => verbs.map(([name, verb]) => [what, name, value, verb] as const)))(
    '%s in %s is refused at once, and the session goes on',
    async (_what, _name, value, verb) => {
      const on = stage({ store: createMemoryStore() });
      on.session.addMessage({ id: 'm', role: 'user', content: 'First' });
      const seq = on.session.getState().seq;
      expect(codeOf(() => verb(on.session, untyped(value)))).toBe('INVALID_INPUT');
      expect(on.session.getState().seq).toBe(seq);
      await expectAlive(on);
    },
  );

  test('the error names the path', () => {
    const { session } = stage();
    const metadata = untyped({ a: [{ b: () => {} }] });
    expect(problemOf(() => session.addMessage({ role: 'user', content: 'Hi', metadata }))).toBe(
      'The message cannot be stored. metadata.a.0.b: a function cannot be stored as JSON.',
    );
  });

  test('a proxy of a state library is stored as plain JSON', () => {
    const { session } = stage();
    const metadata = new Proxy({ tags: new Proxy(['a'], {}) }, {});
    session.addMessage({ role: 'user', content: 'Hi', metadata });
    expect(structuredClone(session.getMessages()[0]?.metadata)).toEqual({ tags: ['a'] });
  });
});

describe('a message of the wrong shape', () => {
  const wrong: readonly (readonly [input: unknown, problem: string])[] = [
    [undefined, 'is not an object'],
    [null, 'is not an object'],
    [5, 'is not an object'],
    [{}, 'content is missing'],
    [{ content: 5 }, 'content is not a list'],
    [{ content: [null] }, 'content.0 is not an object'],
    [{ content: [{ type: 'text' }] }, 'content.0.text is missing'],
    [{ content: [{ type: 'text', text: 5 }] }, 'content.0.text is not a text'],
    [{ content: ['Hi'] }, 'content.0 is not an object'],
    [{ content: [{ type: 'video', url: 'u' }] }, 'content.0.type is not known here'],
    [{ content: [{ text: 'Hi' }] }, 'content.0.type is not known here'],
    [{ content: [{ type: 'image', data: 'AA==' }] }, 'content.0.mediaType is missing'],
    [{ content: 'Hi', metadata: [] }, 'metadata is not an object'],
    [{ content: 'Hi', metadata: 'tag' }, 'metadata is not an object'],
  ];
  test.each(wrong)('%j is refused by send: %s', async (input, problem) => {
    const on = stage();
    expect(problemOf(() => on.session.send(untyped(input)))).toContain(problem);
    await expectAlive(on);
  });

  const wrongFields: readonly (readonly [fields: object, problem: string])[] = [
    [{ role: 'bogus' }, 'role is not one of system, user, assistant'],
    [{ role: undefined }, 'role is missing'],
    [{ id: 5 }, 'id is not a text'],
    [{ id: '' }, 'id is empty'],
    [{ id: 'x'.repeat(1001) }, 'id is longer than 1000 characters'],
    [{ timestamp: 'now' }, 'timestamp is not a time in ms'],
    [{ timestamp: Number.NaN }, 'timestamp is not a time in ms'],
    [{ content: undefined }, 'content is missing'],
  ];
  test.each(wrongFields)('%j is refused by addMessage: %s', async (fields, problem) => {
    const on = stage();
    const input: MessageInput = untyped({ role: 'user', content: 'Hi', ...fields });
    expect(problemOf(() => on.session.addMessage(input))).toContain(problem);
    await expectAlive(on);
  });

  const wrongUpdates: readonly (readonly [update: (message: Message) => unknown, problem: string])[] = [
    [(message) => ({ ...message, content: 'text' }), 'content is not a list'],
    [(message) => ({ ...message, content: 5 }), 'content is not a list'],
    [(message) => ({ ...message, content: undefined }), 'content is missing'],
    [() => undefined, 'is not an object'],
    [() => Promise.resolve(), 'Promise cannot be stored'],
    [(message) => ({ ...message, metadata: 5 }), 'metadata is not an object'],
    [(message) => ({ ...message, timestamp: Number.NaN }), 'timestamp is not a time in ms'],
    [(message) => ({ ...message, content: [{ type: 'text' }] }), 'content.0.text is missing'],
  ];
  test.each(wrongUpdates)('an updater %s: %s', async (update, problem) => {
    const on = stage();
    on.session.addMessage({ id: 'm', role: 'user', content: 'First' });
    expect(problemOf(() => on.session.updateMessage('m', untyped(update)))).toContain(problem);
    await expectAlive(on);
  });

  test('an updater changes content, metadata and time; what the model and its run have said stays', async () => {
    const { session, client } = stage();
    const sent = session.send('Hello');
    await settled();
    say(client.last(), 'Hi');
    await sent;
    const reply = session.getMessages().at(-1);
    const edited = [{ type: 'text', text: 'Edited' }];
    session.updateMessage(reply?.id ?? '', ({ id: _id, ...message }) =>
      untyped({
        ...message,
        role: 'user',
        status: 'streaming',
        finish: 'pause',
        usage: 5,
        content: edited,
        timestamp: 7,
      }),
    );
    expect(session.getMessages().at(-1)).toEqual({
      ...reply,
      content: [{ type: 'text', text: 'Edited' }],
      timestamp: 7,
    });
  });
});

describe('any other argument', () => {
  const verbs: readonly (readonly [name: string, verb: (session: AgentSession) => unknown])[] = [
    ['rename(5)', (session) => session.rename(untyped(5))],
    ['rename(undefined)', (session) => session.rename(untyped(undefined))],
    ['rename(function)', (session) => session.rename(untyped(() => 'title'))],
    ['rename of a text beyond any title', (session) => session.rename('x'.repeat(10_001))],
    ['pin(5)', (session) => session.pin(untyped(5))],
    ['pin(id, text)', (session) => session.pin('m', untyped('yes'))],
    ['setMetadata(text)', (session) => session.setMetadata(untyped('tag'))],
    ['setMetadata with a function', (session) => session.setMetadata(untyped({ x: () => {} }))],
    ['unqueue({})', (session) => session.unqueue(untyped({}))],
    ['restoreContext(5)', (session) => session.restoreContext(untyped(5))],
    ['revokeApprovalRule(5)', (session) => session.revokeApprovalRule(untyped(5))],
    ['send with an unknown whenBusy', (session) => session.send('Hi', untyped({ whenBusy: 'sometimes' }))],
  ];
  test.each(verbs)('%s is refused at once, and the session goes on', async (_name, verb) => {
    const on = stage({ store: createMemoryStore() });
    on.session.addMessage({ id: 'm', role: 'user', content: 'First' });
    const { seq } = on.session.getState();
    expect(codeOf(() => verb(on.session))).toBe('INVALID_INPUT');
    expect(on.session.getState().seq).toBe(seq);
    await expectAlive(on);
  });

  test('every event that a verb records can be imported', async () => {
    const store = createMemoryStore();
    const { session } = stage({ store });
    session.addMessage({ id: 'm', role: 'user', content: [{ type: 'text', text: 'Hi' }] });
    session.rename('A title');
    session.pin('m');
    session.setMetadata({ project: 'p' });
    session.updateMessage('m', (message) => ({ ...message, metadata: { read: true } }));
    await session.flushed();
    const file = exportSession((await store.read(session.id)) ?? untyped(undefined));
    expect(await importSessions(createMemoryStore(), file)).toMatchObject({ sessions: 1, problems: [] });
  });
});

describe('what was passed in or handed out', () => {
  test('changing parts after addMessage changes nothing', () => {
    const { session } = stage();
    const part = { type: 'text', text: 'Before' };
    const metadata = { tags: ['a'] };
    session.addMessage(untyped({ role: 'user', content: [part], metadata }));
    part.text = 'After';
    metadata.tags.push('b');
    expect(session.getMessages()[0]).toMatchObject({ content: [{ text: 'Before' }], metadata: { tags: ['a'] } });
  });

  test('changing what an updater returned changes nothing', () => {
    const { session } = stage();
    session.addMessage({ id: 'm', role: 'user', content: 'Before' });
    const content: Part[] = [{ type: 'text', text: 'Updated' }];
    session.updateMessage('m', (message) => ({ ...message, content }));
    content.push({ type: 'text', text: 'More' });
    expect(textsOf(session)).toEqual(['Updated']);
  });
});

describe('a data: URL in the data of a part', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'data:image/png;base64,AAEC' } as const;

  test('is taken as its base64', async () => {
    const { session, client } = stage();
    session.addMessage({ id: 'm', role: 'user', content: [image] });
    void session.send({ content: [image] });
    await settled();
    const sent = client.last().request.messages.flatMap(({ content }) => content);
    expect(sent).toEqual([
      { ...image, data: 'AAEC' },
      { ...image, data: 'AAEC' },
    ]);
    session.updateMessage('m', (message) => ({ ...message, content: [image] }));
    expect(session.getMessages()[0]?.content).toEqual([{ ...image, data: 'AAEC' }]);
  });

  test('is refused without base64', () => {
    const content = [{ ...image, data: 'data:image/svg+xml,<svg/>' }];
    expect(problemOf(() => stage().session.send({ content }))).toBe(
      'The message: content.0.data is a data: URL without base64: pass it as `url`.',
    );
  });
});

describe('a message with calls', () => {
  const gated = () => recorded('send', { needsApproval: true });

  const updates: readonly (readonly [what: string, change: (content: readonly Part[]) => readonly Part[]])[] = [
    ['drops', (content) => content.filter((part) => !isToolPart(part))],
    ['doubles', (content) => [...content, ...content]],
    ['replaces', (content) => content.map((part) => (isToolPart(part) ? { ...part, callId: 'other' } : part))],
  ];
  test.each(updates)('that an updater %s keeps each held call once', async (_what, change) => {
    const { tool, runs } = gated();
    const on = stage({ tools: [tool] });
    const sent = on.session.send('go');
    await settled();
    call(on.client.last(), ['send', '{"to":"a"}'], ['send', '{"to":"b"}']);
    await settled();
    const reply = on.session.getMessages().at(-1)?.id ?? '';
    on.session.updateMessage(reply, (message) => ({ ...message, content: change(message.content) }));
    expect(statusesOf(on.session)).toEqual(['awaiting-approval', 'awaiting-approval']);
    expect(on.session.getStatus()).toBe('waiting');
    await on.session.approve(callIdOf(on.session, 0));
    await on.session.approve(callIdOf(on.session, 1));
    await settled();
    say(on.client.last(), 'Done');
    expect(await sent).toMatchObject({ outcome: 'completed' });
    expect(runs.map(([{ to }]) => to)).toEqual(['a', 'b']);
  });

  test('is refused with the id of another call, which could take its decision', async () => {
    const { tool } = gated();
    const on = stage({ tools: [tool] });
    await ask(on, ['send', '{}']);
    const [held] = callsOf(on.session);
    const content = [{ ...held, status: 'succeeded' }];
    expect(codeOf(() => on.session.addMessage(untyped({ role: 'assistant', content })))).toBe('INVALID_INPUT');
    const own = { ...held, callId: 'own' };
    expect(codeOf(() => on.session.addMessage(untyped({ role: 'assistant', content: [own, own] })))).toBe(
      'INVALID_INPUT',
    );
    await on.session.approve(callIdOf(on.session));
  });
});

test('an event that cannot be folded is not recorded', () => {
  const recordedEvents: SessionEvent[] = [];
  const log = createLog(initialState('s'), createManualPorts(), (event) => recordedEvents.push(event));
  log.append({ type: 'session.started', sessionId: 's' });
  expect(() => log.append(untyped({ type: 'message.updated', message: undefined }))).toThrow(TypeError);
  log.append({ type: 'session.renamed', title: 'Alive' });
  expect(log.getState()).toMatchObject({ title: 'Alive', seq: 2 });
  expect(recordedEvents.map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'session.started'],
    [2, 'session.renamed'],
  ]);
});

describe('an option out of its range', () => {
  const numbers = [Number.NaN, Infinity, -1, '5', null];
  const agentOptions = [
    ['maxSteps', 'maxTokens', 'contextWindow', 'temperature', 'throttle', 'idleTimeout', 'maxMessages', 'capacity'].map(
      (name) => [name, (value: unknown) => ({ [name]: value })] as const,
    ),
    ['tokens', 'time'].map((name) => [`budget.${name}`, (value: unknown) => ({ budget: { [name]: value } })] as const),
    ['trigger', 'summaryTimeout', 'toolOutput'].map(
      (name) => [`context.${name}`, (value: unknown) => ({ context: { [name]: value } })] as const,
    ),
  ].flat();

  test.each(agentOptions.flatMap(([name, options]) => numbers.map((value) => [name, value, options(value)] as const)))(
    'of an agent is refused: %s %s',
    (name, _value, options) => {
      const client = createManualClient();
      expect(() => createAgent(untyped({ client, ...options }))).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(name) }),
      );
    },
  );

  const more: readonly object[] = [
    { maxSteps: 0 },
    { tools: {} },
    { tools: [undefined] },
    { stopWhen: true },
    { instructions: 5 },
    { model: 5 },
    { presets: [{ role: 'user', content: 5 }] },
    { providerParams: 'fast' },
    { client: null },
    { client: 'gpt-5' },
  ];
  test.each(more)('of an agent is refused: %o', (options) => {
    expect(codeOf(() => createAgent(untyped({ client: createManualClient(), ...options })))).toBe('INVALID_CONFIG');
  });

  test('instructions of a session that are no text are refused', () => {
    const agent = createAgent({ client: createManualClient() });
    expect(codeOf(() => agent.createSession(untyped({ instructions: 5 })))).toBe('INVALID_CONFIG');
  });

  test('an agent without options is refused', () => {
    expect(codeOf(() => createAgent(untyped(undefined)))).toBe('INVALID_CONFIG');
  });

  const runOptions = ['maxSteps', 'maxTokens', 'contextWindow', 'temperature'].flatMap((name) =>
    numbers.map((value) => ({ [name]: value })),
  );
  const others = [
    { maxSteps: 0 },
    { budget: { tokens: Number.NaN } },
    { model: 5 },
    { client: {} },
    { scratch: 5 },
    { output: {} },
  ];
  test.each<object>([...runOptions, ...others])('of a run is refused at once: %o', async (options) => {
    const on = stage();
    expect(codeOf(() => on.session.send('Hi', options))).toBe('INVALID_INPUT');
    await expectAlive(on);
  });
});

test('a delay beyond the longest timer of a browser does not fire at once', () => {
  vi.useFakeTimers();
  const fired = vi.fn();
  browserPorts.delay(fired, 2 ** 31);
  browserPorts.delay(fired, Infinity);
  vi.advanceTimersByTime(2 ** 31 - 2);
  expect(fired).not.toHaveBeenCalled();
  vi.useRealTimers();
});

describe('in development', () => {
  test('what is handed out is frozen', async () => {
    const on = stage();
    const { session, client } = on;
    const seen: SessionEvent[] = [];
    session.events$.subscribe((event) => seen.push(event));
    const sent = session.send('Hello');
    await settled();
    const { request } = client.last();
    expect(() => Object.assign(request.messages, { 0: undefined })).toThrow(TypeError);
    expect(() => Object.assign(request.messages[0]?.content[0] ?? {}, { text: 'Bye' })).toThrow(TypeError);
    say(client.last(), 'Hi');
    await sent;
    for (const event of seen) expect(() => Object.assign(event, { seq: 0 })).toThrow(TypeError);
    expect(() => Object.assign(session.getMessages(), { 0: undefined })).toThrow(TypeError);
    for (const message of session.getMessages())
      expect(() => Object.assign(message.content[0] ?? {}, { text: 'Bye' })).toThrow(TypeError);
    expect(() => Object.assign(session.getState(), { title: 'Bye' })).toThrow(TypeError);
    expect(textsOf(session)).toEqual(['Hello', 'Hi']);
  });

  test.each(['production', 'development', undefined])(
    'what is handed out is frozen where NODE_ENV is %s',
    async (mode) => {
      vi.stubEnv('NODE_ENV', mode);
      try {
        const store = createMemoryStore();
        const on = stage({ store });
        await ask(on, ['unknown', '{"rows":[3,1,2]}']);
        say(on.client.last(), 'Hi');
        await settled();
        await on.session.flushed();
        const stored = await store.read(on.session.id);
        const { sessions } = await store.list();
        const before = JSON.stringify([on.session.getState(), stored, sessions, on.client.last().request]);
        const handedOut: readonly unknown[] = [
          on.session.getState(),
          on.session.getMessages(),
          on.session.getContext(),
          on.events,
          on.client.asked.map(({ request }) => request),
          stored?.events,
          stored?.summary,
          sessions[0],
          on.agent.getPending()[0],
        ];
        for (const value of handedOut) spoil(value);
        const again = await store.read(on.session.id);
        const rows = (await store.list()).sessions;
        expect(JSON.stringify([on.session.getState(), again, rows, on.client.last().request])).toBe(before);
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );
});

/** Tries to change every object and list within a value: fields, order and length. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) spoil(inner);
  for (const key of Object.keys(value)) Reflect.set(value, key, 'spoilt');
  Reflect.set(value, 'added', 'spoilt');
}

describe('a client of the page', () => {
  test('that changes what it has emitted does not change the log', async () => {
    const { session, client } = stage();
    const sent = session.send('Hello');
    await settled();
    const usage = { input: 1, output: 1 };
    const part = { type: 'source', url: 'https://example.com/' } as const;
    client.last().chunks.next({ type: 'part', part });
    client.last().chunks.next({ type: 'usage', usage });
    Object.assign(part, { url: 'https://example.org/' });
    usage.output = 99;
    say(client.last(), 'Hi');
    expect(await sent).toMatchObject({
      message: { usage: { output: 1 }, content: [{ url: 'https://example.com/' }, {}] },
    });
  });

  const malformed: readonly object[] = [
    { type: 'text' },
    { type: 'reasoning', text: 5 },
    { type: 'call', index: 0 },
    { type: 'part', part: { type: 'provider', name: 'n', data: () => {} } },
  ];
  test.each(malformed)('that emits %o ends its run with STREAM_MALFORMED, and the session goes on', async (chunk) => {
    const on = stage();
    const sent = on.session.send('Hello');
    await settled();
    on.client.last().chunks.next(untyped(chunk));
    expect(await sent).toMatchObject({ outcome: 'failed', error: { code: 'STREAM_MALFORMED' } });
    await expectAlive(on);
  });
});

describe('a decision with a wrong option', () => {
  const decisions: readonly (readonly [
    name: string,
    decide: (session: AgentSession, callId: string) => Promise<void>,
  ])[] = [
    ['reason', (session, id) => session.reject(id, { reason: untyped(() => {}) })],
    ['reason', (session, id) => session.reject(id, { reason: untyped(5) })],
    ['userName', (session, id) => session.approve(id, { userName: untyped({}) })],
    ['remember', (session, id) => session.approve(id, { remember: untyped('always') })],
    ['input', (session, id) => session.approve(id, { input: untyped([]) })],
    ['input', (session, id) => session.approve(id, { input: untyped({ x: 1n }) })],
  ];
  test.each(decisions)('is refused, and the call still waits: %s', async (name, decide) => {
    const on = stage({ tools: [recorded('send', { needsApproval: true }).tool] });
    await ask(on, ['send', '{}']);
    await expect(decide(on.session, callIdOf(on.session))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(name),
    });
    expect(statusesOf(on.session)).toEqual(['awaiting-approval']);
    await on.session.approve(callIdOf(on.session));
  });
});

test.each([
  [
    new File(['\u0000ÿ'], 'a.png', { type: 'image/png' }),
    { type: 'image', mediaType: 'image/png', data: 'AMO/', name: 'a.png' },
  ],
  [new Blob(['Hi'], { type: 'text/plain;charset=utf-8' }), { type: 'file', mediaType: 'text/plain', data: 'SGk=' }],
  [new Blob(['Hi']), { type: 'file', mediaType: 'application/octet-stream', data: 'SGk=' }],
  [new Blob([new Uint8Array(100_000)], { type: 'audio/wav' }), { type: 'audio', data: btoa('\0'.repeat(100_000)) }],
])('toMediaPart converts %o', async (file, part) => {
  const made = await toMediaPart(file);
  expect(made).toMatchObject(part);
  expect(codeOf(() => stage().session.addMessage({ role: 'user', content: [made] }))).toBe('accepted');
});
