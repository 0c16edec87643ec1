import { AgentError, createAgent, type JsonObject, type SessionStore } from 'brooklet';
import { createReview } from 'brooklet/review';
import { createMemoryStore, exportSession, type HistoryReport, importHistory, importSessions } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { branched, conversation, manyConversations, said } from '../history/samples/chatgpt.ts';
import { open, shown, versionsOf } from '../history/stage.ts';

const fileOf = (...conversations: readonly JsonObject[]): string => JSON.stringify(conversations);
const results = ({ conversations }: HistoryReport) => conversations.map(({ result, added }) => [result, added]);
const dump = async (store: SessionStore) =>
  Promise.all((await store.list()).sessions.map(async ({ id }) => await store.read(id)));

const root = 'client-created-root';
const question = [said('q', 'user', 'Hi', { at: 1_700_000_001 }), root] as const;
const answer = [said('a', 'assistant', 'Ho', { at: 1_700_000_002 }), 'q'] as const;
const short = conversation('c', [question, answer], 'a');
const more = [said('q2', 'user', 'More', { at: 1_700_000_010 }), 'a'] as const;
const most = [said('a2', 'assistant', 'Yes', { at: 1_700_000_011 }), 'q2'] as const;
const regenerated = [said('b', 'assistant', 'Hello', { at: 1_700_000_012 }), 'q'] as const;

describe('a dry run', () => {
  test('says what an import does, and stores nothing', async () => {
    const store = createMemoryStore();
    const preview = await importHistory(store, fileOf(branched, short), { dryRun: true });
    expect(await store.list()).toEqual({ sessions: [] });
    expect(preview).toMatchObject({
      format: 'chatgpt',
      conversations: [
        {
          id: 'c-branched',
          title: 'Conversation c-branched',
          sessionId: 'chatgpt-c-branched',
          result: 'added',
          messages: 8,
          added: 8,
        },
        { id: 'c', result: 'added', messages: 2, added: 2 },
      ],
      taken: { messages: 10, versions: 3, texts: 10 },
    });
    expect(await importHistory(store, fileOf(branched, short))).toEqual(preview);
  });

  test('of a file that was imported says that nothing is new', async () => {
    const store = createMemoryStore();
    await importHistory(store, fileOf(branched));
    expect(results(await importHistory(store, fileOf(branched), { dryRun: true }))).toEqual([['unchanged', 0]]);
  });
});

describe('the same conversation again', () => {
  test('adds nothing where nothing is new', async () => {
    const store = createMemoryStore();
    await importHistory(store, fileOf(branched, short));
    const before = await dump(store);
    expect(results(await importHistory(store, fileOf(branched, short)))).toEqual([
      ['unchanged', 0],
      ['unchanged', 0],
    ]);
    expect(await dump(store)).toEqual(before);
  });

  test('adds the messages and versions that came since', async () => {
    const store = createMemoryStore();
    await importHistory(store, fileOf(short));
    const longer = conversation('c', [question, answer, more, most, regenerated], 'b');
    expect(results(await importHistory(store, fileOf(longer)))).toEqual([['extended', 3]]);
    const session = await open(store, 'chatgpt-c');
    expect(shown(session.getMessages())).toEqual([
      ['user', 'Hi'],
      ['assistant', 'Hello'],
    ]);
    expect(versionsOf(session)[1]).toEqual(['Ho', 'Hello']);
    await session.selectAlternative('b', 'a');
    expect(shown(session.getMessages()).map(([, text]) => text)).toEqual(['Hi', 'Ho', 'More', 'Yes']);
  });

  test('keeps what a person said here, and what came there is another version', async () => {
    const store = createMemoryStore();
    await importHistory(store, fileOf(short));
    const agent = createAgent({ client: createScriptedClient([[reply.text('Here, too')]]), store });
    const session = await agent.openSession('chatgpt-c');
    await session.send('And here?');
    await agent.dispose();
    expect(
      results(await importHistory(store, fileOf(conversation('c', [question, answer, more, most], 'a2')))),
    ).toEqual([['extended', 2]]);
    const again = await open(store, 'chatgpt-c');
    expect(shown(again.getMessages()).map(([, text]) => text)).toEqual(['Hi', 'Ho', 'And here?', 'Here, too']);
    expect(versionsOf(again)[2]).toEqual(['And here?', 'More']);
  });

  test('does not bring back a message that a person removed', async () => {
    const store = createMemoryStore();
    await importHistory(store, fileOf(short));
    const agent = createAgent({ client: createScriptedClient([]), store });
    const session = await agent.openSession('chatgpt-c');
    session.removeMessage('a');
    await agent.dispose();
    expect(results(await importHistory(store, fileOf(conversation('c', [question, answer, more], 'q2'))))).toEqual([
      ['extended', 1],
    ]);
    expect(shown((await open(store, 'chatgpt-c')).getMessages()).map(([, text]) => text)).toEqual(['Hi', 'More']);
  });

  test('that a person removed stays removed, unless it is asked for', async () => {
    const store = createMemoryStore();
    await importHistory(store, fileOf(short, branched));
    await store.remove('chatgpt-c');
    expect(results(await importHistory(store, fileOf(short, branched)))).toEqual([
      ['removed', 0],
      ['unchanged', 0],
    ]);
    expect(await store.read('chatgpt-c')).toBeUndefined();
    expect(results(await importHistory(store, fileOf(short), { restoreRemoved: true }))).toEqual([['added', 2]]);
    expect(shown((await open(store, 'chatgpt-c')).getMessages())).toHaveLength(2);
  });

  test('is tried again where another writer was first', async () => {
    const store = createMemoryStore();
    await importHistory(store, fileOf(short));
    let interferes = true;
    const busy: SessionStore = {
      ...store,
      async write(write) {
        if (interferes) {
          interferes = false;
          const agent = createAgent({ client: createScriptedClient([]), store });
          const session = await agent.openSession('chatgpt-c');
          session.rename('Renamed');
          await agent.dispose();
        }
        await store.write(write);
      },
    };
    expect(results(await importHistory(busy, fileOf(conversation('c', [question, answer, more], 'q2'))))).toEqual([
      ['extended', 1],
    ]);
    const session = await open(store, 'chatgpt-c');
    expect([session.getState().title, session.getMessages().length]).toEqual(['Renamed', 3]);
  });

  test('waits while a run of its session is open', async () => {
    const store = createMemoryStore();
    await importHistory(store, fileOf(short));
    const stored = await store.read('chatgpt-c');
    if (!stored) return expect.unreachable();
    const { seq } = stored.summary;
    const events = [{ type: 'run.started', runId: 'r', seq: seq + 1, at: 1, v: 2 }] as const;
    await store.write({
      sessionId: 'chatgpt-c',
      expectedSeq: seq,
      events,
      summary: { ...stored.summary, seq: seq + 1 },
      durability: 'relaxed',
    });
    const longer = fileOf(conversation('c', [question, answer, more], 'q2'));
    expect(results(await importHistory(store, longer))).toEqual([['busy', 0]]);
  });

  test('that cannot be read here is reported, and the others are imported', async () => {
    const store = createMemoryStore();
    await importHistory(store, fileOf(short));
    const damaged: SessionStore = {
      ...store,
      async read(id, options) {
        const stored = await store.read(id, options);
        return id === 'chatgpt-c' && stored ? { ...stored, damage: 'a row' } : stored;
      },
    };
    expect(results(await importHistory(damaged, fileOf(short, branched)))).toEqual([
      ['unreadable', 0],
      ['added', 8],
    ]);
  });
});

test.each<[string, unknown]>([
  ['is corrupt', new AgentError('A row.', { code: 'STORAGE_CORRUPT' })],
  ['cannot be opened', new AgentError('Another tab.', { code: 'STORAGE_BLOCKED' })],
  ['fails', new Error('Network')],
])('a store whose session %s is reported or rejects', async (what, thrown) => {
  const broken: SessionStore = { ...createMemoryStore(), read: () => Promise.reject(thrown) };
  const imported = importHistory(broken, fileOf(short));
  if (what === 'is corrupt') expect(results(await imported)).toEqual([['unreadable', 0]]);
  else await expect(imported).rejects.toBe(thrown);
});

test('a title is cut, and an id that is none of ours is replaced', async () => {
  const long = { ...conversation('../odd id', [question], 'q'), title: 'x'.repeat(5_000) };
  const store = createMemoryStore();
  const { conversations } = await importHistory(store, fileOf(long));
  expect(conversations[0]?.sessionId).toMatch(/^chatgpt-\w+$/);
  expect((await store.list()).sessions[0]?.title).toHaveLength(1_000);
});

describe('a file that is refused', () => {
  const code = said('x', 'assistant', { content_type: 'code', text: '{}' }, { recipient: 'x'.repeat(2_000) });
  const tooLong = conversation('d', [[code, root]], 'x');

  test.each([
    ['', 'contains no conversation'],
    ['[]', 'contains no conversation'],
    ['{"format":"brooklet","version":1}', 'importSessions'],
    ['{"some":"thing"}', 'expected conversations.json of ChatGPT'],
    [`${fileOf(short).slice(0, -1)},{"mapping":`, 'is not complete'],
    [fileOf(short, tooLong), 'Message 1: message.content.0.name'],
  ])('stores nothing: %#', async (source, reason) => {
    const store = createMemoryStore();
    await expect(importHistory(store, source)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(reason),
    });
    expect(await store.list()).toEqual({ sessions: [] });
  });

  test('beyond the limits stores nothing', async () => {
    const store = createMemoryStore();
    const source = fileOf(short, branched);
    for (const limits of [{ size: 100 }, { lineLength: 100 }, { depth: 2 }, { values: 3 }, { sessions: 1 }])
      await expect(importHistory(store, source, { limits })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await store.list()).toEqual({ sessions: [] });
  });
});

test('values that are no conversation are counted', async () => {
  const report = await importHistory(createMemoryStore(), JSON.stringify([short, null, 7, 'x']));
  expect(report.leftOut).toEqual([{ part: 'value', reason: 'unknown', count: 3 }]);
});

test('lists of messages and lines with messages are a session each', async () => {
  const one = [{ role: 'user', content: 'One' }];
  const two = [{ role: 'user', content: 'Two' }];
  const store = createMemoryStore();
  expect(results(await importHistory(store, JSON.stringify([one, two])))).toEqual([
    ['added', 1],
    ['added', 1],
  ]);
  const lines = [one, two].map((messages) => JSON.stringify({ messages })).join('\n');
  expect(results(await importHistory(store, lines))).toEqual([
    ['unchanged', 0],
    ['unchanged', 0],
  ]);
  expect(results(await importHistory(store, JSON.stringify(two)))).toEqual([['unchanged', 0]]);
});

describe('an export of ChatGPT with 500 conversations', () => {
  const source = new Blob([JSON.stringify(manyConversations(500))]);

  test('is imported with progress, searched, reviewed and exported', async () => {
    const store = createMemoryStore();
    const steps: (readonly [string, number, number])[] = [];
    const report = await importHistory(store, source, {
      onProgress: ({ step, done, total }) => steps.push([step, done, total]),
    });
    expect(report.conversations).toHaveLength(500);
    expect(report.taken).toMatchObject({ messages: 1_600, versions: 500, calls: 100, results: 100 });
    expect(report.leftOut).toEqual([]);

    const of = (name: string) => steps.filter(([step]) => step === name);
    expect(of('check').length).toBeGreaterThan(3);
    expect(of('check').at(-1)).toEqual(['check', source.size, source.size]);
    expect(of('store').length).toBeGreaterThan(100);
    expect(of('store').at(-1)).toEqual(['store', 500, 500]);
    for (const name of ['check', 'store']) {
      const done = of(name).map(([, count]) => count);
      expect(done).toEqual(done.toSorted((a, b) => a - b));
    }

    const { sessions } = await store.list({ search: 'axolotls' });
    expect(sessions.map(({ id }) => id)).toEqual([report.conversations[321]?.sessionId]);
    const stored = await store.read(report.conversations[320]?.sessionId ?? '');
    if (!stored) return expect.unreachable();
    const review = createReview(stored.events);
    expect(review.calls).toMatchObject([{ name: 'python', outcome: 'succeeded', output: '320' }]);
    expect(review.steps.map(({ model }) => model)).toEqual(['gpt-4o', 'gpt-4o', 'gpt-4o']);
    const copy = createMemoryStore();
    expect((await importSessions(copy, exportSession(stored))).problems).toEqual([]);
  });

  test('is stopped by its signal, and continued by the next import', async () => {
    const store = createMemoryStore();
    const stop = new AbortController();
    const onProgress = ({ step, done }: { step: string; done: number }): void => {
      if (step === 'store' && done === 100) stop.abort();
    };
    await expect(importHistory(store, source, { signal: stop.signal, onProgress })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    const { sessions } = await store.list({ limit: 1_000 });
    expect(sessions).toHaveLength(100);
    expect(sessions.every(({ messageCount }) => messageCount >= 2)).toBe(true);
    const again = await importHistory(store, source);
    expect(again.conversations.filter(({ result }) => result === 'added')).toHaveLength(400);
  });

  test('that is stopped while it is checked stores nothing', async () => {
    const store = createMemoryStore();
    const signal = AbortSignal.abort();
    await expect(importHistory(store, source, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await store.list()).toEqual({ sessions: [] });
  });
});
