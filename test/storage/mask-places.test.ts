import type { Json, Message, SessionEvent } from 'brooklet/core';
import { exportSession, maskLog, readExport, type ExportMask } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { untyped } from '../support/untyped.ts';
import { toEvents, toStored } from './arbitrary-log.ts';

const key: ExportMask = { patterns: [/sk-\d{3}/] };

/** Returns the events of these bodies as the mask leaves them, without `session.started`. */
const maskedOf = (bodies: readonly object[], mask: ExportMask): readonly SessionEvent[] =>
  maskLog(toEvents(bodies, 's'), mask).slice(1);

/** Returns the streamed texts of a reply with these events, as the mask leaves them. */
function textsOf(bodies: readonly object[], mask: ExportMask = key): readonly string[] {
  const events = maskedOf(
    [{ type: 'run.started', runId: 'r' }, { type: 'reply.started', messageId: 'm' }, ...bodies],
    mask,
  );
  return events.flatMap((event) => ('text' in event && typeof event.text === 'string' ? [event.text] : []));
}

const text = (piece: string): object => ({ type: 'text.delta', text: piece });
const thought = (piece: string, provider?: Json): object => ({ type: 'reasoning.delta', text: piece, provider });
const input = (callId: string, piece: string): object => ({ type: 'call.delta', callId, name: 'pay', text: piece });
const requested = (callId: string): object => ({
  type: 'call.requested',
  callId,
  name: 'pay',
  inputText: '{}',
  input: {},
});

describe('a match over several deltas', () => {
  test.each<[where: string, bodies: readonly object[], left: readonly string[]]>([
    ['a text', [text('a sk-1'), text('23 b')], ['a [masked]', ' b']],
    ['a text, from the start of a delta', [text('a '), text('sk-123'), text('.')], ['a ', '[masked]', '.']],
    ['a text, to the end of a delta', [text('sk-1'), text('23'), text(' b')], ['[masked]', '', ' b']],
    ['a thought', [thought('a sk-1'), thought('23')], ['a [masked]', '']],
    [
      'two inputs that stream at once',
      [input('c', '{"k":"sk-1'), input('d', '{}'), input('c', '23"}')],
      ['{"k":"[masked]"}', '{}', ''],
    ],
    [
      'a text around a call whose input has streamed',
      [input('c', '{}'), text('sk-1'), requested('c'), text('23')],
      ['{}', '[masked]', ''],
    ],
  ])('is masked in %s', (_where, bodies, left) => {
    expect(textsOf(bodies)).toEqual(left);
  });

  test.each<[where: string, bodies: readonly object[]]>([
    ['a text and a thought', [text('sk-1'), thought('23')]],
    ['two thoughts', [thought('sk-1', { signature: 'x' }), thought('23')]],
    [
      'two replies',
      [text('sk-1'), { type: 'reply.ended', finish: 'stop' }, { type: 'reply.started', messageId: 'n' }, text('23')],
    ],
    [
      'the texts around a part',
      [text('sk-1'), { type: 'part.added', part: { type: 'source', url: 'https://a.example/' } }, text('23')],
    ],
    ['the texts around a call', [text('sk-1'), requested('c'), text('23')]],
  ])('is none in %s', (_where, bodies) => {
    expect(textsOf(bodies)).toEqual(['sk-1', '23']);
  });

  test('masks no mask again', () => {
    expect(textsOf([text('a b')], { patterns: [/a/] })).toEqual(['[masked] b']);
  });

  test('leaves an input without a match as it is, with its spaces and its cadence', () => {
    const delta = { ...input('c', '{"k": 1}'), cadence: [0, 8] };
    expect(
      maskedOf([{ type: 'run.started', runId: 'r' }, { type: 'reply.started', messageId: 'm' }, delta], key).at(-1),
    ).toMatchObject({
      text: '{"k": 1}',
      cadence: [0, 8],
    });
  });

  test('is masked in an input that names a field twice: no value shows the first', () => {
    expect(textsOf([input('c', '{"k":"sk-123",'), input('c', '"k":"b"}')])).toEqual(['{"k":"b"}', '']);
  });
});

describe('patterns', () => {
  const title = (patterns: readonly RegExp[], before: string): unknown =>
    maskedOf([{ type: 'session.renamed', title: before }], { patterns }).map(
      (event) => 'title' in event && event.title,
    )[0];

  test.each<[what: string, patterns: readonly RegExp[], before: string, after: string]>([
    ['that match nothing in places', [/x*/], 'axb', 'a[masked]b'],
    ['of which the second matches first', [/a/, /b/], 'b-a', '[masked]-[masked]'],
    ['that overlap', [/abcd/, /cdef/], 'xabcdefy', 'x[masked]y'],
    ['of which one is in the other', [/abcdef/, /cd/], 'xabcdefy', 'x[masked]y'],
    ['that touch', [/ab/, /cd/], 'xabcdy', 'x[masked]y'],
    ['with the flags g and y', [/a/gy], 'xaxa', 'x[masked]x[masked]'],
  ])('%s', (_what, patterns, before, after) => {
    expect(title(patterns, before)).toBe(after);
  });

  test('leave the other items of a list', () => {
    const body = { type: 'call.ended', callId: 'c', outcome: 'succeeded', output: { rows: ['sk-123', 'b'] } };
    expect(maskedOf([body], key)[0]).toMatchObject({ output: { rows: ['[masked]', 'b'] } });
  });

  test('give each name that matches another one', () => {
    const bodies = ['sk-111', 'sk-222', 'sk-111'].map((runId) => [
      { type: 'run.started', runId },
      { type: 'run.ended', outcome: 'completed' },
    ]);
    const ids = maskedOf(bodies.flat(), key).flatMap((event) => (event.type === 'run.started' ? [event.runId] : []));
    expect(ids).toEqual(['masked-1', 'masked-2', 'masked-1']);
  });

  test('mask a match that spans fields of what a provider ran', () => {
    const part = { type: 'provider', name: 'p', data: { card: 'a', other: 1 } };
    expect(maskedOf([{ type: 'part.added', part }], { patterns: [/"card":"a"/] })[0]).toMatchObject({
      part: { data: {} },
    });
  });
});

describe('files', () => {
  const left = (mediaType: string, content: string, patterns: readonly RegExp[]): unknown => {
    const file = { type: 'file', mediaType, data: btoa(content) };
    const message = { id: 'm', role: 'user', content: [file], timestamp: 1 };
    return maskedOf([{ type: 'message.added', message }], { patterns }).map(
      (event) => 'message' in event && event.message.content[0],
    )[0];
  };

  test('lose their data where their base64 matches', () => {
    const base64 = btoa('a picture');
    expect(left('image/png', 'a picture', [new RegExp(base64.slice(0, 6))])).toEqual({
      type: 'file',
      mediaType: 'image/png',
    });
  });

  test.each(['text/plain', 'application/json', 'application/xml', 'application/yaml'])(
    'of the type %s lose it where their text matches',
    (type) => {
      expect(left(type, 'a secret', [/secret/])).toEqual({ type: 'file', mediaType: type });
    },
  );

  test('of another type keep it: their bytes are no text', () => {
    expect(left('image/png', 'a secret', [/secret/])).toMatchObject({ data: btoa('a secret') });
  });
});

describe('what a mask leaves out whole', () => {
  const message = (fields: Partial<Message>): Message => ({
    id: 'm',
    role: 'user',
    content: [{ type: 'text', text: 'told' }],
    timestamp: 1,
    ...fields,
  });
  const messageOf = (event: SessionEvent | undefined): Message => {
    if (event?.type !== 'message.added') throw new Error('no message');
    return event.message;
  };
  const contentOf = (fields: object, mask: ExportMask): Message['content'] =>
    messageOf(maskedOf([{ type: 'message.added', message: message(fields) }], mask)[0]).content;
  const masked = [{ type: 'text', text: '[masked]' }];
  const told = [{ type: 'text', text: 'told' }];

  test.each<[what: string, fields: object, mask: ExportMask, content: object]>([
    ['a system message', { role: 'system' }, { instructions: true }, masked],
    ['a system message under another mask', { role: 'system' }, { toolOutputs: true }, told],
    [
      'a message of an interface',
      { origin: { type: 'interface', callId: 'c', name: 'pay' } },
      { toolOutputs: true },
      masked,
    ],
    [
      'a message with what an interface was told',
      { metadata: { 'mcp-app': { context: {} } } },
      { toolOutputs: true },
      masked,
    ],
    ['a message of a person', {}, { toolOutputs: true, instructions: true }, told],
  ])('%s', (_what, fields, mask, content) => {
    expect(contentOf(fields, mask)).toEqual(content);
  });

  const held = (fields: object): object => ({
    type: 'message.added',
    message: message({
      role: 'assistant',
      content: untyped([
        { type: 'tool', callId: 'c', name: 'ask', inputText: '{}', status: 'awaiting-approval', approval: fields },
      ]),
    }),
  });
  const approvalOf = (fields: object): unknown => {
    const [part] = messageOf(maskedOf([held(fields)], { toolOutputs: true })[0]).content;
    return part?.type === 'tool' ? part.approval : undefined;
  };

  test('the answer that a proposal has', () => {
    const proposal = { verdict: 'approved', answer: 'SECRET' };
    expect(approvalOf({ elicitation: { title: 'Which?', type: 'string' }, proposal })).toMatchObject({
      proposal: { verdict: 'approved', answer: '[masked]' },
    });
  });

  test('the question of a server, and no question of the page', () => {
    expect(approvalOf({ elicitation: { title: 'Which?', 'x-mcp': { state: 'SECRET' } } })).toEqual({
      elicitation: { title: '[masked]' },
    });
    expect(approvalOf({ elicitation: { title: 'Which?', type: 'string' } })).toEqual({
      elicitation: { title: 'Which?', type: 'string' },
    });
    expect(approvalOf({})).toEqual({});
  });
});

test.each<[mask: ExportMask, left: readonly string[]]>([
  [{ attachments: true }, ['attachments']],
  [{ toolOutputs: true }, ['toolOutputs']],
  [{ instructions: true }, ['instructions']],
  [untyped({ attachments: 1, toolOutputs: 'yes', instructions: {} }), []],
])('the header of a file with the mask %j names what was left out', async (mask, left) => {
  const { sessions } = await readExport(exportSession(toStored(toEvents([], 's'), 's'), { mask }));
  const notice = Object.entries(sessions[0]?.masked ?? {});
  expect(notice.filter(([, value]) => value === true).map(([name]) => name)).toEqual(left);
});
