import { describe, expect, test } from 'vitest';
import { call, delta, type Heard, hearChat } from '../../support/llm-answer.ts';

const fn = (name: unknown, args: unknown): object => ({ function: { name, arguments: args } });
const read = (pieces: readonly object[]): Heard => hearChat([...pieces.map(call), delta({}, 'tool_calls')]);
const pairs = (pieces: readonly object[]): string[] =>
  read(pieces).calls.map(({ name, inputText }) => `${name} ${inputText}`);

describe('pieces of tool calls', () => {
  test.each<[string, object[], string[]]>([
    [
      'by index',
      [
        { index: 0, id: 'a', ...fn('f', '') },
        { index: 1, id: 'b', ...fn('g', '') },
        { index: 0, ...fn(undefined, '{"x"') },
        { index: 1, ...fn(undefined, '{}') },
        { index: 0, ...fn(undefined, ':1}') },
      ],
      ['f {"x":1}', 'g {}'],
    ],
    [
      'quirk 5: without index, by id',
      [
        { id: 'a', ...fn('f', '{') },
        { id: 'b', ...fn('g', '{') },
        { id: 'a', ...fn(null, '}') },
        { id: 'b', ...fn(null, '}') },
      ],
      ['f {}', 'g {}'],
    ],
    [
      'quirk 5: without index or id, a piece continues the open call',
      [fn('f', '{"x"'), fn(undefined, ':1}')],
      ['f {"x":1}'],
    ],
    [
      'quirk 5: whole calls without index or id',
      [fn('f', '{"x":1}'), fn('f', '{"x":2}'), fn('g', '{}')],
      ['f {"x":1}', 'f {"x":2}', 'g {}'],
    ],
    [
      'quirk 9: all at index 0, ids differ',
      [
        { index: 0, id: 'a', ...fn('f', '{"x":1}') },
        { index: 0, id: 'b', ...fn('f', '{"x":2}') },
      ],
      ['f {"x":1}', 'f {"x":2}'],
    ],
    [
      'quirk 9: all at index 0, ids differ, no input',
      [
        { index: 0, id: 'a', ...fn('f', '') },
        { index: 0, id: 'b', ...fn('f', '') },
      ],
      ['f {}', 'f {}'],
    ],
    [
      'quirk 9: index from 1',
      [
        { index: 1, id: 'a', ...fn('f', '{}') },
        { index: 2, id: 'b', ...fn('g', '{}') },
      ],
      ['f {}', 'g {}'],
    ],
    [
      'quirk 9: index as a string',
      [
        { index: '0', id: 'a', ...fn('f', '{') },
        { index: '0', ...fn('', '}') },
      ],
      ['f {}'],
    ],
    [
      'indexes with gaps',
      [
        { index: 7, id: 'a', ...fn('f', '{}') },
        { index: 3, id: 'b', ...fn('g', '{}') },
      ],
      ['f {}', 'g {}'],
    ],
    [
      'hostile indexes',
      [-1, 1.5, 2 ** 53, 1e9].map((index) => ({ index, id: `c${index}`, ...fn('f', '{}') })),
      ['f {}', 'f {}', 'f {}', 'f {}'],
    ],
    [
      'quirk 9: a new id for each piece of one call',
      [
        { index: 0, id: 'a', ...fn('f', '{"x"') },
        { index: 0, id: 'b', ...fn(null, ':1}') },
      ],
      ['f {"x":1}'],
    ],
    [
      'quirk 9: the same, and the name repeated',
      [
        { index: 0, id: 'a', ...fn('f', '{"x"') },
        { index: 0, id: 'b', ...fn('f', ':1}') },
      ],
      ['f {"x":1}'],
    ],
    [
      'another name at the same index, no ids',
      [
        { index: 0, ...fn('f', '{"x":1}') },
        { index: 0, ...fn('g', '{"y":2}') },
      ],
      ['f {"x":1}', 'g {"y":2}'],
    ],
    [
      'the same name again at the same index, no ids',
      [
        { index: 0, ...fn('f', '{"x":1}') },
        { index: 0, ...fn('f', '{"x":2}') },
      ],
      ['f {"x":1}', 'f {"x":2}'],
    ],
    [
      'one id for all calls of a reply',
      [
        { index: 0, id: 'x', ...fn('f', '{"x":1}') },
        { index: 1, id: 'x', ...fn('f', '{"x":2}') },
      ],
      ['f {"x":1}', 'f {"x":2}'],
    ],
    [
      'quirk 11: a continuation repeats empty id and name',
      [
        { index: 0, id: 'a', ...fn('f', '{') },
        { index: 0, id: '', ...fn('', '}') },
      ],
      ['f {}'],
    ],
    [
      'quirk 11: … or null',
      [
        { index: 0, id: 'a', ...fn('f', '{') },
        { index: 0, id: null, ...fn(null, '}') },
      ],
      ['f {}'],
    ],
    [
      'quirk 11: … or the full name',
      [
        { index: 0, id: 'a', ...fn('f', '{') },
        { index: 0, id: 'a', ...fn('f', '}') },
      ],
      ['f {}'],
    ],
    [
      'quirk 12: id and name first, input later',
      [
        { index: 0, id: 'a', ...fn('f', '') },
        { index: 0, ...fn(undefined, '{}') },
      ],
      ['f {}'],
    ],
    [
      'quirk 12: input first, name later',
      [
        { index: 0, ...fn(undefined, '{"x"') },
        { index: 0, id: 'a', ...fn('f', ':1}') },
      ],
      ['f {"x":1}'],
    ],
    ['quirk 13: input as an object', [{ index: 0, id: 'a', ...fn('f', { x: [1] }) }], ['f {"x":[1]}']],
    ['quirk 13: input null', [{ index: 0, id: 'a', ...fn('f', null) }], ['f {}']],
    ['quirk 13: input empty', [{ index: 0, id: 'a', ...fn('f', '') }], ['f {}']],
    [
      'an extra empty piece after the end',
      [
        { index: 0, id: 'a', ...fn('f', '{}') },
        { index: 0, id: '', ...fn('', '') },
      ],
      ['f {}'],
    ],
    [
      'JSON that parses early is not final',
      [
        { index: 0, id: 'a', ...fn('f', '{}') },
        { index: 0, ...fn(undefined, ' ') },
      ],
      ['f {} '],
    ],
    [
      'brackets within strings do not count',
      [fn('f', '{"x":"}{"'), fn('f', ',"y":"\\"}"}')],
      ['f {"x":"}{","y":"\\"}"}'],
    ],
    [
      'names from the prototype of objects',
      [
        { index: 0, id: '__proto__', ...fn('__proto__', '{"__proto__":1}') },
        { index: 1, id: 'constructor', ...fn('constructor', '{}') },
      ],
      ['__proto__ {"__proto__":1}', 'constructor {}'],
    ],
    ['names with newlines and bidi marks, for the core to refuse', [fn('a\n\u202e', '{}')], ['a\n\u202e {}']],
  ])('%s', (_, pieces, expected) => {
    const answer = read(pieces);
    expect(answer.error).toBeUndefined();
    expect(answer.calls.map(({ name, inputText }) => `${name} ${inputText}`)).toEqual(expected);
    expect(answer.finish).toBe('tool-calls');
  });

  test('quirk 10: ignore a missing, null or empty id', () => {
    for (const id of [undefined, null, ''])
      expect(read([{ index: 0, id, ...fn('f', '{}') }]).calls[0]).toEqual({ name: 'f', inputText: '{}' });
    expect(read([{ index: 0, id: 'a', ...fn('f', '{}') }]).calls[0]?.id).toBe('a');
  });

  test('quirk 6: keep opaque fields with the call', () => {
    const extra_content = { google: { thought_signature: 'abc' } };
    expect(read([{ index: 0, id: 'a', extra_content, ...fn('f', '{}') }]).calls[0]?.provider).toEqual({
      'chat-completions': { extra_content },
    });
  });

  test('treat a field named `__proto__` like any other field', () => {
    const piece: object = JSON.parse('{"index":0,"id":"a","__proto__":{"polluted":true}}');
    const { provider } = read([{ ...piece, ...fn('f', '{}') }]).calls[0] ?? {};
    expect(JSON.stringify(provider)).toBe('{"chat-completions":{"__proto__":{"polluted":true}}}');
    expect(provider).not.toHaveProperty(['chat-completions', 'polluted']);
  });

  test('quirk 25: include the old function_call', () => {
    const answer = hearChat([
      delta({ function_call: { name: 'f', arguments: '{"x"' } }),
      delta({ function_call: { arguments: ':1}' } }),
      delta({}, 'function_call'),
    ]);
    expect(answer).toMatchObject({ calls: [{ name: 'f', inputText: '{"x":1}' }], finish: 'tool-calls' });
  });

  test('error with STREAM_MALFORMED for a call without any name', () => {
    expect(read([{ index: 0, id: 'a', ...fn('', '{}') }]).error).toMatchObject({ code: 'STREAM_MALFORMED' });
  });

  test('quirk 8: keep input that was cut off at the token limit unchanged', () => {
    expect(pairs([{ index: 0, id: 'a', ...fn('f', '{"x":') }])).toEqual(['f {"x":']);
  });

  test.each([
    [
      'more than 128 calls',
      Array.from({ length: 10_000 }, (_, index) => ({ index, id: `c${index}`, ...fn('f', '{}') })),
    ],
    [
      'an input of more than 1 MB',
      Array.from({ length: 1_100 }, () => ({ index: 0, id: 'a', ...fn('f', 'x'.repeat(1_000)) })),
    ],
    ['a name of 3 MB', [{ index: 0, id: 'a', ...fn('f'.repeat(3_000_000), '{}') }]],
  ])('error with STREAM_TOO_LARGE for %s', (_, pieces) => {
    expect(read(pieces).error).toMatchObject({ code: 'STREAM_TOO_LARGE' });
  });

  test('join very many tiny pieces with repeated names into one call', () => {
    const pieces = Array.from({ length: 20_000 }, () => ({ index: 0, id: 'a', ...fn('f', 'x') }));
    expect(read(pieces).calls[0]?.inputText.length).toBe(20_000);
  });

  test('error for object input that is nested a hundred thousand levels deep', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const answer = hearChat([
      `{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":${deep}}}]}}]}`,
    ]);
    expect(answer.error?.name).toBe('AgentError');
  });
});
