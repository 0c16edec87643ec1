import { describe, expect, test } from 'vitest';
import { isParts, resultMedia, resultText } from '../../../src/core/model/tool-result.ts';
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

test('a JSON list is not taken for parts', () => {
  expect(isParts([{ type: 'text', text: 'a' }])).toBe(true);
  for (const output of [[], 'a', null, [1], [{ type: 'text' }], [{ type: 'tool' }], [{ type: 'image' }], { 0: 'a' }])
    expect(isParts(output)).toBe(false);
});
