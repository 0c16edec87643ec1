import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/core/json.ts';
import type { Message, Part, ToolPart } from '../../../src/core/model/message.ts';
import { toChatMessages } from '../../../src/llm/wires/chat-completions/messages.ts';
import { addDetail, addSource, toCallPiece, toImagePart } from '../../../src/llm/wires/chat-completions/pieces.ts';
import { toReportedError } from '../../../src/llm/wires/chat-completions/reported-error.ts';
import { createChatReader, toReading } from '../../../src/llm/wires/chat-completions/response.ts';
import { bytes, call, delta, frame, hear, type Heard, hearChat } from '../../support/llm-answer.ts';

describe('an error that a document reports', () => {
  test.each<[string, JsonObject, Json | undefined]>([
    ['error', { error: { message: 'x' }, choices: [{}] }, { error: { message: 'x' }, choices: [{}] }],
    ['the object', { object: 'error', message: 'x', code: 40001 }, { object: 'error', message: 'x', code: 40001 }],
    ['the choice (OpenRouter)', { choices: [{ error: { code: 502 } }] }, { error: { code: 502 } }],
    ['x_groq', { choices: [{}], x_groq: { error: 'x' } }, { error: 'x' }],
    [
      'base_resp (MiniMax)',
      { choices: [{}], base_resp: { status_code: 1013, status_msg: 'x' } },
      { error: { code: 1013, message: 'x' } },
    ],
    ['error_code (Baidu)', { error_code: 336100, error_msg: 'x' }, { error: { code: 336100, message: 'x' } }],
    ['code and message', { code: 20015, message: 'x' }, { code: 20015, message: 'x' }],
    ['detail (FastAPI)', { detail: 'x' }, { detail: 'x' }],
    ['a list of details', { detail: [{ msg: 'x' }] }, { detail: [{ msg: 'x' }] }],
    ['none', { choices: [{ delta: {} }] }, undefined],
    ['none beside a choice', { choices: [{}], code: 5, message: 'x', detail: 'y', error_code: 5 }, undefined],
    ['none with a code of success', { base_resp: { status_code: 0, status_msg: '' } }, undefined],
    ['none with the code 200', { code: 200, message: 'fine' }, undefined],
    ['none with the code OK', { code: 'OK', message: 'fine' }, undefined],
    ['none with a code that only contains one', { code: 'book', message: 'x' }, { code: 'book', message: 'x' }],
    ['none without a message', { code: 7 }, undefined],
    ['none with an empty detail', { detail: '' }, undefined],
    ['none with a list of texts', { detail: ['x'] }, undefined],
    ['none of an empty document', {}, undefined],
  ])('is that of %s', (_, json, error) => {
    expect(toReportedError(json)).toEqual(error);
  });

  test('is the document under the name "error", and under no other', () => {
    expect(toReportedError({ a: 1 }, 'error')).toEqual({ a: 1 });
    expect(toReportedError({ a: 1 }, 'message')).toBeUndefined();
  });
});

test.each<[JsonObject, object]>([
  [
    { index: 1, id: 'c', function: { name: 'f', arguments: '{' } },
    { slot: '1', id: 'c', name: 'f', text: '{' },
  ],
  [{ function: { arguments: { a: 1 } } }, { slot: 's', id: '', name: '', text: '{"a":1}' }],
  [{ function: { arguments: null } }, { slot: 's', text: '' }],
  [{ function: {} }, { slot: 's', text: '' }],
  [{ function: { arguments: 0 } }, { text: '0' }],
  [{ index: 0, id: 'c', type: 'function', extra: 1 }, { provider: { extra: 1 } }],
  [{ index: 0, id: 'c', type: 'function', function: {} }, { provider: undefined }],
])('%j is a piece of a call', (entry, piece) => {
  expect(toCallPiece(entry, 's')).toMatchObject(piece);
});

test('a detail of reasoning continues the last one of its type and index, but where it is data', () => {
  const added = (...list: JsonObject[]): { details: JsonObject[]; own: boolean[] } => {
    const details: JsonObject[] = [];
    return { own: list.map((one) => addDetail(details, one)), details };
  };
  const of = (text: string, more: JsonObject = {}): JsonObject => ({ type: 'reasoning.text', index: 0, text, ...more });
  expect(added(of('a'), of('b', { signature: 'S' }))).toEqual({
    own: [true, false],
    details: [{ type: 'reasoning.text', index: 0, text: 'ab', signature: 'S', summary: undefined }],
  });
  expect(added(of('a'), of('b', { index: 1 })).own).toEqual([true, true]);
  expect(added(of('a'), of('b', { type: 'reasoning.summary' })).own).toEqual([true, true]);
  expect(added(of('a'), of('', { data: 'D' })).own).toEqual([true, true]);
  expect(added({ type: 't', summary: 'a' }, { type: 't', summary: 'b' }).details).toMatchObject([{ summary: 'ab' }]);
});

test('a source is counted once, with the title that any mention has', () => {
  const sources = new Map<string, string>();
  for (const source of [
    'https://a.example/',
    { url: 'https://a.example/', title: 'A' },
    'https://a.example/',
    { title: 'B' },
    '',
    7,
    null,
  ])
    addSource(sources, source);
  expect([...sources]).toEqual([['https://a.example/', 'A']]);
});

test.each<[Json | undefined, object | undefined]>([
  [{ image_url: { url: 'data:image/webp;base64,QUJD' } }, { type: 'image', mediaType: 'image/webp', data: 'QUJD' }],
  [
    { image_url: { url: 'https://a.example/b.png' } },
    { type: 'image', mediaType: 'image/*', url: 'https://a.example/b.png' },
  ],
  [
    { image_url: { url: 'https://a.example/?data:image/png;base64,QUJD' } },
    { type: 'image', mediaType: 'image/*', url: 'https://a.example/?data:image/png;base64,QUJD' },
  ],
  [{ image_url: {} }, undefined],
  ['x', undefined],
  [undefined, undefined],
])('the image %j is %j', (image, part) => {
  expect(toImagePart(image)).toEqual(part);
});

describe('an answer', () => {
  const whole = (message: JsonObject): object => ({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
  const done = delta({}, 'stop');

  test('ends with a whole message of which only what is new counts', () => {
    const message = {
      content: 'Hello',
      refusal: null,
      reasoning: 'Hm',
      reasoning_content: 'Hm',
      tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }],
      annotations: [{ url_citation: { url: 'https://a.example/' } }],
    };
    const heard = (...events: object[]): Partial<Heard> => hearChat([...events, whole(message)]);
    const source = { type: 'source', url: 'https://a.example/' };
    expect(heard()).toMatchObject({ text: 'Hello', reasoning: 'Hm', calls: [{ name: 'f' }], parts: [source] });
    expect(heard(delta({ content: 'Hello' }))).toMatchObject({
      text: 'Hello',
      reasoning: 'Hm',
      calls: [{ name: 'f' }],
      parts: [source],
    });
    expect(heard(delta({ reasoning: 'Hm' }))).toMatchObject({ text: 'Hello', reasoning: 'Hm', calls: [{ name: 'f' }] });
    expect(heard(call({ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }))).toMatchObject({
      text: 'Hello',
      reasoning: 'Hm',
      calls: [{ name: 'f', inputText: '{}' }],
    });
    expect(heard(call({ index: 0, id: 'd', function: { name: 'g', arguments: '{}' } })).calls).toMatchObject([
      { name: 'g' },
    ]);
  });

  test('may carry a message beside each delta, which is no end', () => {
    const beside = {
      choices: [{ index: 0, delta: { content: 'a' }, message: { content: 'ab' }, finish_reason: null }],
    };
    expect(hearChat([beside, delta({ content: 'b' }), done]).text).toBe('ab');
    const only = { choices: [{ index: 0, message: { content: 'a' }, finish_reason: null }] };
    expect(hearChat([only, done]).text).toBe('a');
  });

  test('has its choice by the index where the request asks for several', () => {
    const reading = (n: Json | undefined): Heard =>
      hear(
        [bytes(frame([{ choices: [{ index: 1, delta: { content: 'b' } }] }, delta({ content: 'a' }), done]))],
        (options) =>
          createChatReader(
            toReading(options, { sessionId: 's', messages: [], ...(n !== undefined && { providerParams: { n } }) }),
          ),
      );
    expect(reading(undefined).text).toBe('ba');
    expect(reading(1).text).toBe('ba');
    expect(reading(2).text).toBe('a');
    expect(
      hear([bytes(frame([delta({ content: 'a' }), done]))], (options) =>
        createChatReader(toReading(options, { sessionId: 's', messages: [], providerParams: {} })),
      ).text,
    ).toBe('a');
  });

  test('emits the details of its reasoning before its text, and at its end', () => {
    const detail = { type: 'reasoning.text', index: 0, text: 'Hm', signature: 'S' };
    expect(hearChat([delta({ reasoning_details: [detail] }), delta({ content: 'a' }), done]).providers).toHaveLength(1);
    expect(hearChat([delta({ reasoning_details: [detail, 'x', null] }), done])).toMatchObject({ reasoning: 'Hm' });
    expect(
      hearChat([
        delta({ reasoning_details: [detail] }),
        delta({ content: '' }),
        delta({ reasoning_details: [{ ...detail, text: '!' }] }),
        done,
      ]),
    ).toMatchObject({
      reasoning: 'Hm!',
      providers: [expect.anything()],
    });
  });

  test('separates the details of one piece, and those that follow it, where their index changes', () => {
    const at = (index: number, text: string): JsonObject => ({ type: 'reasoning.summary', index, summary: text });
    expect(hearChat([delta({ reasoning_details: [at(0, 'A'), at(1, 'B')] }), done]).reasoning).toBe('A\n\nB');
    expect(
      hearChat([
        delta({ reasoning_details: [at(0, 'A')] }),
        delta({ reasoning_details: [at(1, 'B'), at(2, 'C')] }),
        done,
      ]).reasoning,
    ).toBe('A\n\nB\n\nC');
    expect(hearChat([delta({ reasoning_details: [at(0, ''), at(1, 'B')] }), done]).reasoning).toBe('B');
  });

  test('keeps a piece of audio that is no data, and emits sound as one part', () => {
    expect(hearChat([delta({ audio: { transcript: 'a' } }), done])).toMatchObject({ text: 'a', parts: [] });
    const sound = hearChat([
      delta({ audio: { data: btoa('ab') } }),
      delta({ audio: { data: btoa('cd'), transcript: 'x' } }),
      done,
    ]);
    expect(sound).toMatchObject({ text: 'x', parts: [{ type: 'audio', data: btoa('abcd') }] });
  });

  test('ignores entries of calls that are none', () => {
    expect(
      hearChat([delta({ tool_calls: [null, 'x', 7] }), delta({ function_call: {} }), delta({ content: 'a' }), done]),
    ).toMatchObject({
      text: 'a',
      calls: [],
    });
  });
});

describe('a message of the request', () => {
  let ids = 0;
  const message = (role: Message['role'], ...content: Part[]): Message => ({
    id: `m${(ids += 1)}`,
    role,
    content,
    timestamp: 0,
  });
  const tool = (callId: string, more: Partial<ToolPart> = {}): ToolPart => ({
    type: 'tool',
    callId,
    name: 'f',
    status: 'succeeded',
    inputText: '{}',
    input: {},
    output: 1,
    ...more,
  });
  const say = (role: Message['role'], text: string): Message => message(role, { type: 'text', text });
  const foreignCall = { extra_content: { placeholder: true } };
  const ours = { provider: { host: 'h', id: 'x' } } satisfies Partial<ToolPart>;

  test('has the fields of a foreign call on the first call of a reply, in the current run only', () => {
    const messages = [
      say('user', 'One.'),
      message('assistant', tool('a')),
      say('user', 'Two.'),
      message('assistant', tool('b'), tool('c')),
      message('assistant', tool('d', ours), tool('e')),
      message('assistant', tool('f', { provider: { host: 'other' } })),
    ];
    const marked = (promptId?: string): unknown[] =>
      toChatMessages(messages, { foreignCall }, promptId, 'h').flatMap(({ tool_calls }) =>
        ((tool_calls ?? []) as JsonObject[]).map((sent) => sent.extra_content !== undefined),
      );
    //                                      a      b     c      d      e      f
    expect(marked(messages[2]?.id)).toEqual([false, true, false, false, false, true]);
    expect(marked(messages[0]?.id)).toEqual([true, true, false, false, false, true]);
  });

  test('of the assistant has no list of calls without calls, and no content beside media alone', () => {
    const [, reply] = toChatMessages([say('user', 'Hi'), say('assistant', 'Hello')], {});
    expect(reply).toMatchObject({ role: 'assistant', content: 'Hello' });
    expect(reply?.tool_calls).toBeUndefined();
    const drawn = message('assistant', { type: 'image', mediaType: 'image/png', data: 'QUJD' });
    const [, described, attached] = toChatMessages([say('user', 'Hi'), drawn], {});
    expect(described?.content).toContain('image');
    expect(JSON.stringify(attached)).toContain('data:image/png;base64,QUJD');
    const called = toChatMessages(
      [say('user', 'Hi'), message('assistant', { type: 'image', mediaType: 'image/png', data: 'QUJD' }, tool('a'))],
      {},
    );
    expect(called[1]).toMatchObject({ content: null, tool_calls: [{}] });
  });

  test.each<[string, string]>([
    ['audio/x-wav', 'wav'],
    ['audio/mpeg', 'mp3'],
    ['audio/ogg;codecs=opus', 'ogg'],
  ])('has audio of %s in the format %s', (mediaType, format) => {
    const [sent] = toChatMessages([message('user', { type: 'audio', mediaType, data: 'QUJD' })], {});
    expect(sent?.content).toEqual([{ type: 'input_audio', input_audio: { data: 'QUJD', format } }]);
  });

  test('has a file with its data, a text file as text, and what has only an address in words', () => {
    const [file] = toChatMessages([message('user', { type: 'file', mediaType: 'application/pdf', data: 'QUJD' })], {});
    expect(file?.content).toEqual([
      { type: 'file', file: { filename: 'file', file_data: 'data:application/pdf;base64,QUJD' } },
    ]);
    const [named] = toChatMessages(
      [message('user', { type: 'audio', mediaType: 'audio/wav', url: 'https://a.example/b.wav' })],
      {},
    );
    expect(typeof named?.content).toBe('string');
  });

  test('has the reasoning of a turn from its first call on', () => {
    const thought = (text: string, ...more: Part[]): Message =>
      message('assistant', { type: 'reasoning', text }, ...more);
    const messages = [
      say('user', 'a'),
      thought('before', { type: 'text', text: 'x' }),
      thought('with', tool('a')),
      say('system', 's'),
      thought('after', { type: 'text', text: 'y' }),
      say('user', 'b'),
      thought('next', { type: 'text', text: 'z' }),
    ];
    const sent = toChatMessages(messages, { reasoning: 'tool-turns' })
      .map(({ reasoning_content }) => reasoning_content)
      .filter(Boolean);
    expect(sent).toEqual(['with', 'after']);
  });
});
