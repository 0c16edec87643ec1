import {
  type CallStatus,
  extractTextContent,
  isToolPart,
  type Message,
  type Part,
  toolParts,
  type ToolPart,
} from 'brooklet';
import { isEnded } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { isTruncated, placeOf, toMessage, toParts, totalInput } from '../../../src/core/model/message.ts';

const call: ToolPart = { type: 'tool', callId: 'c', name: 'add', status: 'requested', inputText: '{}' };
const parts: readonly Part[] = [
  { type: 'reasoning', text: 'Hm.' },
  { type: 'text', text: 'One, ' },
  { type: 'image', mediaType: 'image/png', url: 'https://example.com/a.png' },
  call,
  { type: 'text', text: 'two.' },
];
const message: Message = { id: 'm', role: 'assistant', content: parts, timestamp: 1 };

describe('extractTextContent', () => {
  test.each<[string, Parameters<typeof extractTextContent>[0], string]>([
    ['text', 'A', 'A'],
    ['parts', parts, 'One, two.'],
    ['a message', message, 'One, two.'],
    ['something with text as its content', { content: 'A' }, 'A'],
    ['no parts', [], ''],
    ['parts without text', [call], ''],
  ])('returns the text of %s', (_what, of, text) => {
    expect(extractTextContent(of)).toBe(text);
  });
});

test('base64 in a `data:` URL loses its prefix, and the other parts stay as they are', () => {
  const text: Part = { type: 'text', text: 'See:' };
  const given: readonly Part[] = [text, { type: 'image', mediaType: 'image/png', data: 'data:image/png;base64,AA==' }];
  expect(toParts(given)).toEqual([text, { type: 'image', mediaType: 'image/png', data: 'AA==' }]);
  expect(toParts(given)[0]).toBe(text);
});

describe('the calls of a message', () => {
  test('are its tool parts, in order', () => {
    const other = { ...call, callId: 'd' };
    expect(toolParts({ ...message, content: [...parts, other] })).toEqual([call, other]);
    expect(parts.map(isToolPart)).toEqual([false, false, false, true, false]);
  });

  test.each<[CallStatus, boolean]>([
    ['streaming', false],
    ['requested', false],
    ['awaiting-approval', false],
    ['approved', false],
    ['edited', false],
    ['started', false],
    ['invalid', true],
    ['rejected', true],
    ['expired', true],
    ['succeeded', true],
    ['failed', true],
    ['timed-out', true],
    ['cancelled', true],
    ['uncertain', true],
  ])('that are %s have ended: %s', (status, ended) => {
    expect(isEnded(status)).toBe(ended);
  });
});

describe('a message', () => {
  const reply = (finish: Message['finish'], content: readonly Part[] = []): Message => ({
    id: 'a',
    role: 'assistant',
    content,
    timestamp: 0,
    ...(finish && { finish }),
  });

  test('was cut off by the output limit if it has no calls, which are checked instead', () => {
    expect(isTruncated(reply('length'))).toBe(true);
    expect(isTruncated(reply('length', [call]))).toBe(false);
    expect(isTruncated(reply('stop'))).toBe(false);
    expect(isTruncated(reply(undefined))).toBe(false);
  });

  test('has a place in its list, and none without an id', () => {
    const list = [reply('stop'), { ...reply('stop'), id: 'b' }];
    expect([placeOf(list, 'b'), placeOf(list, 'c'), placeOf(list, undefined)]).toEqual([1, -1, -1]);
  });
});

test('the input of a request is what was read anew, from the cache and into the cache', () => {
  expect(totalInput({ input: 1, output: 100 })).toBe(1);
  expect(totalInput({ input: 1, output: 100, cached: 7, cacheRead: 20, cacheWritten: 300 })).toBe(321);
});

describe('a new message', () => {
  const ports = { id: () => 'new', now: () => 42 };

  test('receives the id and the time that it lacks', () => {
    expect(toMessage({ role: 'user', content: 'Hello' }, ports)).toStrictEqual({
      id: 'new',
      role: 'user',
      content: [{ type: 'text', text: 'Hello' }],
      timestamp: 42,
    });
  });

  test('keeps the given fields', () => {
    const mine: Message = { id: 'mine', role: 'system', content: parts, timestamp: 0, metadata: { from: 'me' } };
    expect(toMessage(mine, ports)).toStrictEqual(mine);
  });

  test('has parts, also if its content is text', () => {
    expect(toParts('A')).toEqual([{ type: 'text', text: 'A' }]);
    expect(toParts(parts)).toBe(parts);
  });
});
