import {
  type EventBody,
  eventVersion,
  evolve,
  initialState,
  type SessionEvent,
  type StoredSession,
} from 'brooklet/core';
import { createReview } from 'brooklet/review';
import {
  createMemoryStore,
  exportAll,
  exportSession,
  importSessions,
  maskLog,
  readExport,
  type ExportMask,
} from 'brooklet/storage';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toSummary } from '../../src/core/model/summary.ts';
import { record } from '../review/recorded.ts';
import { seeded } from '../support/seeded.ts';
import { untyped } from '../support/untyped.ts';
import { open, toEvents, toStored } from './arbitrary-log.ts';
import { everyEvent, marks } from './every-event.ts';

const stored = (events: readonly SessionEvent[]): StoredSession => toStored(events, 's');
const fold = (events: readonly SessionEvent[]) => events.reduce(evolve, initialState('s'));

/** Returns the events of a file that was checked as an import checks it. */
async function eventsOf(file: string): Promise<readonly SessionEvent[]> {
  const { sessions, problem } = await readExport(file);
  expect(problem).toBeUndefined();
  return sessions[0]?.events ?? [];
}

/** The marks that are in a file: also where JSON escapes them, and where a text is in several events. */
function marksIn(file: string): readonly string[] {
  const rows: readonly { readonly text?: string }[] = JSON.parse(`[${file.trim().split('\n').join(',')}]`);
  const streamed = rows.map(({ text = '' }) => text).join('');
  const plain = (file + streamed).replaceAll(/\\+u0054/g, 'T');
  return Object.values(marks).filter((mark) => plain.includes(mark));
}

const others = (mark: string): readonly string[] => Object.values(marks).filter((one) => one !== mark);

describe('an export with a mask', () => {
  test.each<readonly [name: string, mask: ExportMask, mark: string]>([
    ['attachments', { attachments: true }, marks.attachment],
    ['outputs of tools', { toolOutputs: true }, marks.output],
    ['instructions', { instructions: true }, marks.instruction],
    ['a pattern', { patterns: [/TXTMARK/] }, marks.text],
  ])('contains no %s of any event, and everything else', async (_name, mask, mark) => {
    const file = exportSession(stored(everyEvent()), { mask });
    expect(marksIn(exportSession(stored(everyEvent())))).toEqual(Object.values(marks));
    expect(marksIn(file)).toEqual(others(mark));
    const events = await eventsOf(file);
    expect(events.map(({ type }) => type)).toEqual(
      everyEvent().map(({ type }) => (untyped(type) === 'moon.landed' ? 'event.dropped' : type)),
    );
    expect(() => fold(events)).not.toThrow();
  });

  test('keeps the conversation as it was, but for what was masked', () => {
    const events = everyEvent();
    const after = fold(
      maskLog(events, { attachments: true, toolOutputs: true, instructions: true, patterns: [/TXTMARK/] }),
    );
    const before = fold(events);
    const outline = ({ messages, queue, run, usage }: typeof before) => ({
      messages: messages.map(({ id, role, content }) => [
        id,
        role,
        role === 'system' ? [] : content.map(({ type }) => type),
      ]),
      queue: queue.map(({ message }) => message.id),
      run: [run?.id, run?.outcome],
      usage,
    });
    expect(outline(after)).toEqual(outline(before));
  });

  test('masks a text whose pieces streamed in several events, and keeps its cadence', () => {
    const events = toEvents(
      [
        { type: 'run.started', runId: 'r' },
        { type: 'reply.started', messageId: 'm' },
        { type: 'text.delta', text: 'My key is sk-1', cadence: [0, 10, 5, 4] },
        { type: 'message.queued', message: { id: 'q', role: 'user', content: [], timestamp: 1 }, mode: 'queue' },
        { type: 'text.delta', text: '23', cadence: [1, 2] },
        { type: 'text.delta', text: '4. Bye sk-9', cadence: [1, 1, 2, 10] },
      ],
      's',
    );
    const masked = maskLog(events, { patterns: [/sk-\d+/] });
    const deltas = masked.filter((event) => event.type === 'text.delta');
    expect(deltas.map(({ text, cadence }) => [text, cadence])).toEqual([
      ['My key is [masked]', [0, 10, 5, 8]],
      ['', [1, 0]],
      ['. Bye [masked]', [1, 0, 2, 14]],
    ]);
  });

  test('removes a file that matches as text, and keeps one that does not', () => {
    const file = (text: string) => ({ type: 'file', mediaType: 'text/csv', data: btoa(text), name: 'a.csv' });
    const message = { id: 'm', role: 'user', content: [file('a;secret'), file('a;b')], timestamp: 1 };
    const state = fold(maskLog(toEvents([{ type: 'message.added', message }], 's'), { patterns: [/secret/i] }));
    expect(state.messages[0]?.content).toEqual([{ type: 'file', mediaType: 'text/csv', name: 'a.csv' }, file('a;b')]);
  });

  test('keeps every event, also where everything matches', async () => {
    const isKnown = ({ type }: SessionEvent): boolean => untyped(type) !== 'moon.landed';
    const check = async (events: readonly SessionEvent[]): Promise<void> => {
      const after = await eventsOf(exportSession(stored(events), { mask: { patterns: [/./su] } }));
      expect(after.filter((_event, index) => events[index] && isKnown(events[index])).map(({ type }) => type)).toEqual(
        events.filter(isKnown).map(({ type }) => type),
      );
      expect(fold(after).usage).toEqual(fold(events).usage);
    };
    await check(everyEvent());
    await fc.assert(
      fc.asyncProperty(open('s'), ({ events }) => check(events)),
      seeded(300),
    );
  });

  test('renames an id that matches, everywhere alike', async () => {
    const { stored: before } = await record();
    const file = exportSession(before, { mask: { patterns: [/./] } });
    const after = createReview(await eventsOf(file));
    const review = createReview(before.events);
    expect(after.steps.map(({ runId }) => after.runs.findIndex((run) => run.runId === runId))).toEqual(
      review.steps.map(({ runId }) => review.runs.findIndex((run) => run.runId === runId)),
    );
    expect(after.calls.map(({ outcome }) => outcome)).toEqual(review.calls.map(({ outcome }) => outcome));
    expect(file).not.toContain(before.summary.id);
    expect(file).not.toContain('pay');
  });

  test('masks a match that spans a key and its value, and a number', () => {
    const input = { pin: 4711, id: 'x' };
    const bodies = [
      { type: 'metadata.changed', metadata: { card: 'a' } },
      { type: 'call.requested', callId: 'c', name: 'pay', inputText: JSON.stringify(input), input },
    ];
    const events = maskLog(toEvents(bodies, 's'), { patterns: [/"card":"a"/, /4711/] });
    expect(events.slice(1)).toMatchObject([
      { metadata: {} },
      { input: { pin: '[masked]', id: 'x' }, inputText: '{"pin":"[masked]","id":"x"}' },
    ]);
  });

  test.each<[where: string, body: object, left: object]>([
    ['metadata', { type: 'metadata.changed', metadata: { a: 'S', b: 'T', c: 1 } }, { metadata: {} }],
    [
      'the input of a call',
      { type: 'call.requested', callId: 'c', name: 'pay', inputText: '{"a":"S","b":"T"}', input: { a: 'S', b: 'T' } },
      { input: {} },
    ],
    [
      'an object within the input of a call',
      {
        type: 'call.requested',
        callId: 'c',
        name: 'pay',
        inputText: '{"to":{"a":"S","b":"T"}}',
        input: { to: { a: 'S', b: 'T' } },
      },
      { input: {} },
    ],
    [
      'the list that a tool returned',
      { type: 'call.ended', callId: 'c', outcome: 'succeeded', output: ['"a":"S"', { a: 'S', b: 'T' }] },
      { output: '[masked]' },
    ],
    [
      'the object that a tool returned',
      { type: 'call.ended', callId: 'c', outcome: 'succeeded', output: { rows: [{ a: 'S', b: 'T' }] } },
      { output: {} },
    ],
    [
      'an answer',
      { type: 'approval.decided', callId: 'c', verdict: 'approved', decidedBy: 'user', answer: { a: 'S', b: 'T' } },
      { answer: {} },
    ],
  ])('masks a match that spans fields: in %s', (_where, body, left) => {
    const mask = { patterns: [/"a":"S","b":"T"/] };
    const [, event] = maskLog(toEvents([body], 's'), mask);
    expect(event).toMatchObject(left);
    expect(JSON.stringify(event)).not.toMatch(/S\W+b\W+T/);
    // Values that the match does not need both of stay.
    const [, other] = maskLog(toEvents([JSON.parse(JSON.stringify(body).replaceAll(/T(?=\\?")/g, 'U'))], 's'), mask);
    expect(JSON.stringify(other)).toContain('U');
  });

  test('shows nothing of a title that is the cut beginning of a masked text', () => {
    const text = `${'x'.repeat(70)} secret-number-1234567`;
    const message = { id: 'm', role: 'user', content: [{ type: 'text', text }], timestamp: 1 };
    const file = exportSession(stored(toEvents([{ type: 'message.added', message }], 's')), {
      mask: { patterns: [/secret-number-\d{7}/] },
    });
    expect(file).not.toContain('secret');
  });

  test('says in its header what was masked, and a file without a mask says nothing', async () => {
    const { stored: before } = await record();
    const file = exportSession(before, { mask: { toolOutputs: true, patterns: [/a/, /b/g] } });
    const masked = { attachments: false, toolOutputs: true, instructions: false, patterns: 2 };
    expect(JSON.parse(file.split('\n', 1)[0] ?? '')).toMatchObject({ masked });
    expect((await readExport(file)).sessions[0]?.masked).toEqual(masked);
    expect((await readExport(exportSession(before))).sessions[0]).not.toHaveProperty('masked');
    const forged = file.replace('"patterns":2', '"patterns":"many"');
    expect((await readExport(forged)).problem).toMatchObject({ line: 1, field: 'masked.patterns' });
  });

  test('is imported like any other, and no search finds what was masked', async () => {
    const { stored: before } = await record();
    const from = createMemoryStore();
    await importSessions(from, exportSession(before));
    const pieces: string[] = [];
    for await (const piece of exportAll(from, { mask: { patterns: [/bill|Paid/gi] } })) pieces.push(piece);
    const store = createMemoryStore();
    const { problems, sessions } = await importSessions(store, pieces.join(''));
    expect([problems, sessions]).toEqual([[], 1]);
    expect((await store.list({ search: 'bill' })).sessions).toEqual([]);
    expect((await store.list({ search: 'please' })).sessions).toHaveLength(1);
  });

  test('leaves out copies of results: the state of a question, what an interface was told, hashes of what it masks', () => {
    const question = {
      title: 'SECRET?',
      'x-mcp': { requests: [], responses: [{ content: { pin: 'SECRET' } }], state: 'SECRET', round: 2 },
    };
    const call = {
      type: 'tool',
      callId: 'c0',
      name: 'pay',
      inputText: '{}',
      status: 'awaiting-approval',
      approval: { elicitation: question, proposal: { verdict: 'approved', fingerprint: 'HASH' } },
    };
    const view = { type: 'interface', callId: 'c0', name: 'pay' };
    const metadata = { 'mcp-app': { context: { view: 'c0', structuredContent: { total: 'SECRET' } } } };
    const events = toEvents(
      [
        { type: 'message.added', message: { id: 'a', role: 'assistant', content: [call], timestamp: 1 } },
        {
          type: 'message.added',
          message: {
            id: 'b',
            role: 'user',
            content: [{ type: 'text', text: 'SECRET' }],
            timestamp: 1,
            metadata,
            origin: view,
          },
        },
        { type: 'approval.requested', callId: 'c1', toolVersion: 'HASH', elicitation: question },
        {
          type: 'approval.decided',
          callId: 'c1',
          verdict: 'approved',
          decidedBy: 'user',
          proof: { device: 'd', signature: 'HASH' },
        },
      ],
      's',
    );
    const text = JSON.stringify(maskLog(events, { toolOutputs: true }));
    expect(text).not.toMatch(/SECRET|HASH/);
    // The version of a tool is the same everywhere.
    expect(text).toContain('"toolVersion":"masked-');
  });

  test('refuses a pattern that is no regular expression', async () => {
    const mask = untyped({ patterns: ['secret'] });
    expect(() => exportSession(stored(everyEvent()), { mask })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  test('of any log contains nothing that matches, and the rest of the log', async () => {
    const canary = 'canary';
    const withCanary = (value: unknown): unknown => {
      if (typeof value === 'string') return `${value.slice(0, 2)}${canary}${value.slice(2)}`;
      if (Array.isArray(value)) return value.map(withCanary);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, isText(key) ? withCanary(item) : item]),
      );
    };
    const isText = (key: string): boolean =>
      !/^(type|role|status|outcome|cause|finish|verdict|decidedBy|mode|limit|remember|code|cadence)$/.test(key);
    await fc.assert(
      fc.asyncProperty(open('s'), async ({ events }) => {
        const marked = events.map((event) => {
          const { type, seq, at, v, ...fields } = event;
          return untyped(Object.assign({ type, seq, at, v }, withCanary(fields)));
        });
        const file = exportSession(
          { summary: stored(events).summary, events: marked },
          { mask: { patterns: [/canary/] } },
        );
        expect(file).not.toContain(canary);
        const after = await eventsOf(file);
        expect(after.map(({ seq, at }) => [seq, at])).toEqual(events.map(({ seq, at }) => [seq, at]));
        fold(after);
      }),
      seeded(300),
    );
  });
});

describe('a log with events that nothing can mask', () => {
  const at = { seq: 3, at: 1_000, v: eventVersion } as const;

  test.each<[string, object, object]>([
    ['of an unknown type', { ...at, type: 'secret.4711', note: '4711' }, { of: 'secret.[masked]' }],
    ['that does not fit its type', { ...at, type: 'session.renamed', title: 4711 }, { of: 'session.renamed' }],
    ['that was joined', { ...at, type: 'later.kind', since: 2 }, { of: 'later.kind', since: 2 }],
  ])('leaves a mark in the place of an event %s', (_what, event, mark) => {
    expect(maskLog(untyped([event]), { patterns: [/4711/] })).toEqual([{ ...at, type: 'event.dropped', ...mark }]);
  });

  test('refuses an event that is no JSON', () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const log = untyped([{ ...at, type: 'metadata.changed', metadata: cyclic }]);
    expect(() => maskLog(log, {})).toThrow(expect.objectContaining({ code: 'STORAGE_CORRUPT' }));
  });
});

test('a mask hides the text of a question also in the row of a session that waits', () => {
  const bodies: readonly EventBody[] = [
    { type: 'session.started', sessionId: 's' },
    { type: 'run.started', runId: 'r' },
    { type: 'reply.started', messageId: 'a' },
    { type: 'call.requested', callId: 'c', name: 'ask_user', inputText: '{}', input: {} },
    { type: 'reply.ended', finish: 'tool-calls' },
    { type: 'approval.requested', callId: 'c', elicitation: { title: 'Is 4111 yours?', type: 'boolean' } },
  ];
  const events = bodies.map((body, index): SessionEvent => ({ ...body, seq: index + 1, at: index, v: eventVersion }));
  const session = { summary: toSummary(fold(events)), events };
  const rowIn = (file: string): unknown => JSON.parse(file.split('\n')[0] ?? '');
  const asked = (label: string): object => ({ head: { waiting: [{ name: 'ask_user', label }] } });
  expect(rowIn(exportSession(session))).toMatchObject(asked('Is 4111 yours?'));
  expect(rowIn(exportSession(session, { mask: { patterns: [/\d{4}/] } }))).toMatchObject(asked('Is [masked] yours?'));
});
