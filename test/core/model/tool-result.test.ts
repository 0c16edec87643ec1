import { describe, expect, test } from 'vitest';
import {
  fileText,
  isParts,
  mediaText,
  partText,
  replyMedia,
  resultMedia,
  resultText,
} from '../../../src/core/model/tool-result.ts';
import type { Json } from '../../../src/core/json.ts';
import type { CallStatus, Part, ToolPart } from '../../../src/core/model/message.ts';

const tool = (status: CallStatus, fields: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool',
  callId: 'c',
  name: 'f',
  inputText: '{}',
  status,
  ...fields,
});

describe('the text that a model receives about a call', () => {
  test.each<[Json | readonly Part[], string]>([
    ['text', 'text'],
    [3, '3'],
    [false, 'false'],
    [{ a: [1, null] }, '{"a":[1,null]}'],
    [[], '[]'],
    [[{ type: 'square' }], '[{"type":"square"}]'],
    [
      [
        { type: 'text', text: 'a' },
        { type: 'image', mediaType: 'image/png', data: 'AA' },
        { type: 'source', url: 'https://a.test', title: 'A' },
      ],
      'a\n[image]\nA: https://a.test',
    ],
    [null, 'Done; the tool returned nothing.'],
    ['', 'Done; the tool returned nothing.'],
  ])('contains an output of %j', (output, text) => {
    expect(resultText(tool('succeeded', { output }))).toBe(text);
  });

  test.each<CallStatus>(['failed', 'timed-out', 'invalid'])('contains the error if the call is %s', (status) => {
    expect(resultText(tool(status, { output: 'Division by zero.' }))).toBe('Division by zero.');
    expect(resultText(tool(status))).not.toBe('');
  });

  test('contains the reason of a rejection', () => {
    expect(
      resultText(tool('rejected', { approval: { verdict: 'rejected', decidedBy: 'user', reason: 'Too dear.' } })),
    ).toBe('The user rejected this call, so it did not run. Reason: Too dear.');
    expect(resultText(tool('rejected', { approval: { decidedBy: 'rule' } }))).toBe(
      'An approval rule rejected this call, so it did not run.',
    );
  });

  test.each<CallStatus>([
    'streaming',
    'requested',
    'awaiting-approval',
    'approved',
    'edited',
    'started',
    'expired',
    'cancelled',
    'uncertain',
  ])('is not empty if the call is %s', (status) => {
    expect(resultText(tool(status)).length).toBeGreaterThan(10);
  });

  test('states that a person changed the input', () => {
    expect(resultText(tool('succeeded', { output: 'ok', editedInput: { a: 2 } }))).toBe(
      'The user changed the input to {"a":2} before it ran.\n\nok',
    );
  });

  test('never fails, not even for values that cannot be serialized', () => {
    let deep: Json = 0;
    for (let n = 0; n < 100_000; n += 1) deep = [deep];
    expect(resultText(tool('succeeded', { output: deep }))).toContain('cannot be written down');
  });
});

test('a tool result returns the media among its parts', () => {
  const image: Part = { type: 'image', mediaType: 'image/png', data: 'AA' };
  expect(resultMedia(tool('succeeded', { output: [{ type: 'text', text: 'a' }, image] }))).toEqual([image]);
  expect(resultMedia(tool('succeeded', { output: { type: 'image' } }))).toEqual([]);
});

test('the media of a reply are those of its content, then those of its calls', () => {
  const image: Part = { type: 'image', mediaType: 'image/png', url: 'a.png' };
  const sound: Part = { type: 'audio', mediaType: 'audio/mp3', url: 'b.mp3' };
  const content: readonly Part[] = [tool('succeeded', { output: [sound] }), { type: 'text', text: 'Hi' }, image];
  expect(replyMedia({ id: 'a', role: 'assistant', timestamp: 1, content })).toEqual([image, sound]);
});

test('a list is taken for parts only if each of its items is one', () => {
  expect([isParts([{ type: 'text', text: 'Hi' }, 3]), isParts([{ type: 'text', text: 'Hi' }])]).toEqual([false, true]);
});

test('a part without text adds no line to the result', () => {
  const output: readonly Part[] = [
    { type: 'text', text: 'one' },
    { type: 'text', text: '' },
    { type: 'text', text: 'two' },
  ];
  expect(resultText(tool('succeeded', { output }))).toBe('one\ntwo');
});

test('a call with an input that a person changed, and that did not fit, has the result alone', () => {
  expect(resultText(tool('invalid', { editedInput: { n: 2 } }))).toBe('The input was wrong, so the tool did not run.');
});

test.each<[mediaType: string, isText: boolean]>([
  ['text/csv', true],
  ['application/json', true],
  ['image/svg+xml', true],
  ['application/text', false],
  ['application/json-seq', false],
  ['application/xml-dtd', false],
])('a file of type %s is text: %s', (mediaType, isText) => {
  expect(fileText({ type: 'file', mediaType, data: 'SGk=' }) !== undefined).toBe(isText);
});

test('a JSON list is not taken for parts', () => {
  expect(isParts([{ type: 'text', text: 'a' }])).toBe(true);
  for (const output of [[], 'a', null, [1], [{ type: 'text' }], [{ type: 'tool' }], [{ type: 'image' }], { 0: 'a' }])
    expect(isParts(output)).toBe(false);
});

describe('a part as text', () => {
  test.each<[string, Part, string]>([
    ['text', { type: 'text', text: 'a' }, 'a'],
    ['a source without a title', { type: 'source', url: 'https://a.test' }, 'https://a.test'],
    ['reasoning', { type: 'reasoning', text: 'Hm.' }, ''],
    ['media', { type: 'audio', mediaType: 'audio/wav', data: 'AA==' }, '[audio]'],
  ])('%s', (_what, part, text) => {
    expect(partText(part)).toBe(text);
  });

  test.each([
    ['its name', { name: 'cat.png', url: 'https://a.test/1' }, '[image: cat.png]'],
    ['its address', { url: 'https://a.test/1' }, '[image: https://a.test/1]'],
    ['neither data nor a `data:` URL', { url: 'data:image/png;base64,AA==' }, '[image]'],
  ])('names media by %s', (_what, fields, text) => {
    expect(mediaText({ type: 'image', mediaType: 'image/png', ...fields })).toBe(text);
  });

  test('contains a file of text, and no other', () => {
    const file = { type: 'file', mediaType: 'text/csv', data: btoa('a,b') } as const;
    expect(fileText({ ...file, name: 'a.csv' })).toBe('a.csv:\na,b');
    expect(fileText(file)).toBe('file:\na,b');
    expect(fileText({ ...file, mediaType: 'application/pdf' })).toBeUndefined();
    expect(fileText({ type: 'file', mediaType: 'text/csv', url: 'https://a.test/a.csv' })).toBeUndefined();
    expect(fileText({ ...file, type: 'image' })).toBeUndefined();
  });
});
