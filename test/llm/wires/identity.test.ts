import { describe, expect, test } from 'vitest';
import { createAnthropicReader } from '../../../src/llm/wires/anthropic/response.ts';
import { createChatReader } from '../../../src/llm/wires/chat-completions/response.ts';
import { createResponsesReader } from '../../../src/llm/wires/responses/response.ts';
import { bytes, call, delta, frame, hear, type Heard, hearChat } from '../../support/llm-answer.ts';

// A tool runs once for one call, with the input that the model wrote: what public reports say of services, and variations.

type Calls = readonly (readonly [name: string, inputText: string])[];
const callsOf = ({ calls, error }: Heard): Calls => {
  expect(error).toBeUndefined();
  return calls.map(({ name, inputText }) => [name, inputText]);
};
const fn = (index: unknown, id: unknown, name: unknown, args: unknown): object =>
  call({ index, id, type: 'function', function: { name, arguments: args } });
const f1: Calls = [['f', '{"a":1}']];

describe('one call on chat completions', () => {
  const read = (...events: object[]): Calls => callsOf(hearChat([...events, delta({}, 'tool_calls')]));

  test.each<[string, object[], Calls]>([
    [
      'is repeated whole under the next index (QuantumNous/new-api#6223)',
      [fn(0, 'c', 'f', ''), fn(0, undefined, undefined, '{"a":1}'), fn(1, 'c', 'f', '{"a":1}')],
      f1,
    ],
    [
      'is repeated in pieces, with its fields in another order',
      [
        fn(0, 'c', 'f', '{"a":1,"b":2}'),
        fn(1, 'c', 'f', ''),
        fn(1, undefined, undefined, '{"b":2,'),
        fn(1, undefined, undefined, '"a":1}'),
      ],
      [['f', '{"a":1,"b":2}']],
    ],
    ['is repeated without its input', [fn(0, 'c', 'f', '{"a":1}'), fn(1, 'c', 'f', '')], f1],
    ['is repeated at its own index', [fn(0, 'c', 'f', '{"a":1}'), fn(0, 'c', 'f', '{"a":1}')], f1],
    ['is repeated with its input as an object', [fn(0, 'c', 'f', '{"a":1}'), fn(1, 'c', 'f', { a: 1 })], f1],
    ['has a number as its id', [fn(0, 7, 'f', '{"a":1}'), fn(1, 7, 'f', '{"a":1}')], f1],
    [
      'has an empty object first (microsoft/autogen#7549)',
      [fn(0, 'c', 'f', '{}'), fn(0, undefined, undefined, '{"a":1}')],
      f1,
    ],
    ['has an empty object first, with its name again', [fn(0, 'c', 'f', '{}'), fn(0, 'c', 'f', '{"a":1}')], f1],
    ['has null first', [fn(0, 'c', 'f', 'null'), fn(0, 'c', '', '{"a":'), fn(0, 'c', '', '1}')], f1],
    ['has its input twice', [fn(0, 'c', 'f', '{"a":1}'), fn(0, '', '', '{"a":1}')], f1],
    ['has its input twice, in pieces', [fn(0, 'c', 'f', '{"a"'), fn(0, '', '', ':1}{"a":'), fn(0, '', '', ' 1}')], f1],
    [
      'has a bracket too many',
      [fn(0, 'c', 'f', '{"a":1}'), fn(0, '', '', '}'), fn(1, 'd', 'g', '{}')],
      [...f1, ['g', '{}']],
    ],
    ['has its input as JSON in a text', [fn(0, 'c', 'f', '"{\\"a\\":1}"')], f1],
    [
      'has "null" as the name of a continuation (BerriAI/litellm#12513)',
      [fn(0, 'c', 'f', '{"a":'), fn(0, '', 'null', '1}')],
      f1,
    ],
    ['has "None" as the name of a continuation', [fn(0, 'c', 'f', '{"a":'), fn(0, 'c', 'None', '1}')], f1],
    [
      'has a new id in each piece, and nothing at the end',
      [fn(0, 'a', 'f', '{"a":'), fn(0, 'b', null, '1}'), fn(0, 'd', null, '')],
      f1,
    ],
    [
      'has a new id and its name in each piece',
      [fn(0, 'a', 'f', ''), fn(0, 'b', 'f', '{"a":'), fn(0, 'd', 'f', '1}')],
      f1,
    ],
    ['has digits of its input as numbers', [fn(0, 'c', 'f', '{"a":'), fn(0, '', '', 1), fn(0, '', '', '}')], f1],
  ])('%s', (_, events, expected) => {
    expect(read(...events)).toEqual(expected);
  });

  test.each(['null', '[]', '""', 'undefined', 'None', ' ', 'NULL', '"{}"', '{}{}'])(
    'without input has the arguments %j (1jehuang/jcode#225)',
    (args) => {
      expect(read(fn(0, 'c', 'f', args))).toEqual([['f', '{}']]);
    },
  );

  test.each<[string, object[]]>([
    ['of an empty text (sgl-project/sglang#29441)', [delta({ role: 'assistant' }), delta({ content: '' })]],
    ['of null', [delta({ content: null, refusal: null })]],
    ['of an empty list', [delta({ content: [] }), delta({ content: [{ type: 'text', text: '' }] })]],
    ['of empty reasoning', [delta({ reasoning_content: '', reasoning_details: [] })]],
  ])('runs after a piece %s', (_, before) => {
    const beside = delta({
      content: '',
      tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{"a":1}' } }],
    });
    const heard = hearChat([...before, beside, delta({}, 'tool_calls')]);
    expect(callsOf(heard)).toEqual(f1);
    expect(heard).toMatchObject({ text: '', reasoning: '', finish: 'tool-calls' });
  });

  test('is another one with another input, though all have the same id ("null" of Mistral, "0" of SGLang)', () => {
    for (const id of ['null', '0', 0])
      expect(read(fn(0, id, 'f', '{"a":1}'), fn(1, id, 'f', '{"a":2}'), fn(2, id, 'g', '{}'))).toEqual([
        ['f', '{"a":1}'],
        ['f', '{"a":2}'],
        ['g', '{}'],
      ]);
  });

  test('never runs with one of two inputs', () => {
    expect(read(fn(0, 'c', 'f', '{"a":1}'), fn(0, '', '', '{"a":2}'))).toEqual([['f', '{"a":1}{"a":2}']]);
  });

  test('never runs without the input that the limit or a filter cut off', () => {
    for (const finish of ['length', 'MAX_TOKENS', 'content_filter', 'SAFETY'])
      for (const args of ['', 'null'])
        expect(callsOf(hearChat([fn(0, 'c', 'f', args), delta({}, finish)]))).toEqual([['f', args]]);
  });

  test('goes on with a name that is no tool of the request', () => {
    const events = [fn(0, 'c', 'list', '{"a":'), fn(0, '', 'tool', '1}'), delta({}, 'tool_calls')];
    const read = (tools?: ReadonlySet<string>): Heard =>
      hear([bytes(frame(events))], (options) => createChatReader({ ...options, tools }));
    expect(callsOf(read(new Set(['list'])))).toEqual([['list', '{"a":1}']]);
    expect(read(new Set(['list', 'tool'])).calls).toHaveLength(2);
  });
});

const listen = (...events: object[]): Heard => hear([bytes(frame(events, { done: false }))], createResponsesReader);
const completed = (output: readonly object[] = []): object => ({
  type: 'response.completed',
  response: { status: 'completed', output },
});
const item = (call_id: string | undefined, args: string, more: object = {}): object => ({
  type: 'function_call',
  call_id,
  name: 'f',
  arguments: args,
  ...more,
});
const at = (type: string, fields: object): object => ({ type: `response.${type}`, ...fields });
const message = (text: string, more: object = {}): object => ({
  type: 'message',
  content: [{ type: 'output_text', text }],
  ...more,
});

describe('one item of a response', () => {
  test.each<[string, object[], Calls]>([
    [
      'has no index, and ends last (ggml-org/llama.cpp#20607)',
      [
        at('output_item.added', { item: message('', { id: 'm', content: [] }) }),
        at('output_text.delta', { item_id: 'm', delta: 'Hm.' }),
        at('output_item.added', { item: item('fc_a', '') }),
        at('function_call_arguments.delta', { item_id: 'fc_a', delta: '{"a":1}' }),
        at('output_item.done', { item: message('Hm.', { id: 'm' }) }),
        at('output_item.done', { item: item('fc_a', '{"a":1}') }),
      ],
      f1,
    ],
    [
      'ends under another index and another item id (NousResearch/hermes-agent#94961)',
      [
        at('output_item.added', { output_index: 0, item: item('c', '', { id: 'fc_1' }) }),
        at('function_call_arguments.delta', { output_index: 0, item_id: 'fc_1', delta: '{"a":1}' }),
        at('output_item.done', { output_index: 1, item: item('c', '{"a":1}', { id: 'fc_2' }) }),
      ],
      f1,
    ],
    [
      'ends twice',
      [
        at('output_item.done', { output_index: 0, item: item('c', '{"a":1}') }),
        at('output_item.done', { output_index: 0, item: item('c', '{"a":1}') }),
        at('output_item.done', { output_index: 3, item: item('c', '{"a":2}') }),
      ],
      f1,
    ],
    [
      'has index 0, as all others',
      [
        at('output_item.added', { output_index: 0, item: item('c', '', { id: 'A' }) }),
        at('output_item.added', { output_index: 0, item: item('d', '', { id: 'B' }) }),
        at('function_call_arguments.delta', { output_index: 0, item_id: 'A', delta: '{"a":1}' }),
        at('function_call_arguments.delta', { output_index: 0, item_id: 'B', delta: '{"a":2}' }),
        at('output_item.done', { output_index: 0, item: item('c', '{"a":1}', { id: 'A' }) }),
        at('output_item.done', { output_index: 0, item: item('d', '{"a":2}', { id: 'B' }) }),
      ],
      [...f1, ['f', '{"a":2}']],
    ],
    [
      'has another id in each event',
      [
        at('output_item.added', { output_index: 0, item: item('c', '', { id: 'A' }) }),
        at('function_call_arguments.delta', { output_index: 0, item_id: 'B', delta: '{"a":1}' }),
        at('function_call_arguments.done', { output_index: 0, item_id: 'D', arguments: '{"a":1}' }),
        at('output_item.done', { output_index: 0, item: item('c', '{"a":1}', { id: 'C' }) }),
      ],
      f1,
    ],
    [
      'begins with a delta, and has neither index nor id',
      [
        at('function_call_arguments.delta', { delta: '{"a":' }),
        at('output_item.done', { item: item('c', '{"a":1}') }),
        at('output_item.done', { item: item('d', '{"a":2}') }),
      ],
      [...f1, ['f', '{"a":2}']],
    ],
    ['is only in the end of the response', [completed([item('c', '{"a":1}')])], f1],
    [
      'is in the end of the response again',
      [at('output_item.done', { output_index: 4, item: item('c', '{"a":1}') }), completed([item('c', '{"a":1}')])],
      f1,
    ],
    [
      'has its input only in the end of its arguments',
      [at('output_item.added', { item: item('c', '') }), at('function_call_arguments.done', { arguments: '{"a":1}' })],
      f1,
    ],
    [
      'has an empty object first',
      [
        at('output_item.added', { output_index: 0, item: item('c', '') }),
        at('function_call_arguments.delta', { output_index: 0, delta: '{}' }),
        at('output_item.done', { output_index: 0, item: item('c', '{"a":1}') }),
      ],
      f1,
    ],
  ])('%s', (_, events, expected) => {
    expect(callsOf(listen(...events, completed()))).toEqual(expected);
  });

  test.each<[string, object[]]>([
    [
      'its text (Sophomoresty/gemini-web2api#57)',
      [at('output_text.done', { item_id: 'm', output_index: 0, content_index: 0, text: 'Hello' })],
    ],
    ['its part', [at('content_part.done', { output_index: 0, part: { type: 'output_text', text: 'Hello' } })]],
    ['its item', [at('output_item.done', { item: message('Hello') })]],
    ['its response', [completed([message('Hello')])]],
    ['its refusal', [at('refusal.done', { output_index: 0, refusal: 'Hello' })]],
    [
      'all of these',
      [
        at('output_text.delta', { output_index: 0, delta: 'Hel' }),
        at('output_text.done', { output_index: 0, text: 'Hello' }),
        at('content_part.done', { output_index: 0, part: { type: 'output_text', text: 'Hello' } }),
        at('output_item.done', { output_index: 0, item: message('Hello', { id: 'x' }) }),
        completed([message('Hello', { id: 'y' })]),
      ],
    ],
    [
      'numbers among its deltas',
      [
        at('output_text.delta', { output_index: 0, delta: 'Hello' }),
        at('output_text.delta', { output_index: 0, delta: '' }),
        completed([]),
      ],
    ],
    [
      'nothing, though its ends are empty (open-webui/open-webui#27800)',
      [
        at('output_item.added', { output_index: 0, item: message('', { id: 'm', content: [] }) }),
        at('output_text.delta', { output_index: 0, delta: 'Hello' }),
        at('output_item.done', { output_index: 0, item: message('', { id: 'm', content: [] }) }),
        completed([]),
      ],
    ],
    [
      'nothing, though each of its ends has an empty text',
      [
        at('output_text.delta', { output_index: 0, delta: 'Hello' }),
        at('output_text.done', { output_index: 0, text: '' }),
        at('content_part.done', { output_index: 0, part: { type: 'output_text', text: '' } }),
        at('output_item.done', { output_index: 0, item: message('', { id: 'm' }) }),
        completed([message('')]),
      ],
    ],
  ])('has its text in the end of %s', (_, events) => {
    expect(listen(...events, completed())).toMatchObject({ text: 'Hello', finish: 'stop' });
  });

  test('has digits as numbers', () => {
    const events = ['It costs $', 0.5, ', ', true].map((delta) => at('output_text.delta', { output_index: 0, delta }));
    expect(listen(...events, completed()).text).toBe('It costs $0.5, true');
  });

  test('stands apart from the next one: parts of a summary, items of reasoning, messages (vercel/ai#6742)', () => {
    const summary = (output_index: number, summary_index: number, delta: string): object =>
      at('reasoning_summary_text.delta', { output_index, summary_index, delta });
    const heard = listen(
      summary(0, 0, '**Plan**'),
      summary(0, 1, '**Che'),
      summary(0, 1, 'ck**'),
      summary(1, 0, '**Act**'),
      at('output_text.delta', { output_index: 2, delta: 'One.' }),
      at('output_text.delta', { output_index: 3, delta: 'Two.' }),
      completed(),
    );
    expect(heard).toMatchObject({ reasoning: '**Plan**\n\n**Check**\n\n**Act**', text: 'One.\n\nTwo.' });
    const whole = listen(
      completed([{ type: 'reasoning', summary: [{ text: 'A' }, { text: 'B' }] }, message('One.'), message('Two.')]),
    );
    expect(whole).toMatchObject({ reasoning: 'A\n\nB', text: 'One.\n\nTwo.' });
  });

  test('is emitted once where a tool ran at the provider', () => {
    const search = { type: 'web_search_call', id: 'ws' };
    const done = at('output_item.done', { output_index: 0, item: search });
    expect(listen(done, done, completed([search])).parts).toEqual([
      { type: 'provider', name: 'web_search_call', data: search },
    ]);
  });

  test('fails with the reason of an incomplete response that names a failure', () => {
    const incomplete = { status: 'incomplete', incomplete_details: { reason: 'MALFORMED_FUNCTION_CALL' } };
    const heard = listen(at('output_item.done', { item: item('c', '{"a":1}') }), {
      type: 'response.incomplete',
      response: incomplete,
    });
    expect(heard).toMatchObject({ error: { code: 'LLM_API_ERROR' }, calls: [] });
  });
});

describe('one block of a message of Anthropic', () => {
  const read = (...events: object[]): Heard => hear([bytes(frame(events, { done: false }))], createAnthropicReader);
  const start = (index: unknown, block: object): object => ({
    type: 'content_block_start',
    index,
    content_block: block,
  });
  const more = (index: unknown, fields: object): object => ({ type: 'content_block_delta', index, delta: fields });
  const end = (stop_reason: string): object => ({ type: 'message_delta', delta: { stop_reason } });
  const use = { type: 'tool_use', id: 't', name: 'f', input: {} };

  test.each<[string, object[]]>([
    [
      'has no index',
      [start(undefined, use), more(undefined, { partial_json: '{"a":1}' }), { type: 'content_block_stop' }],
    ],
    ['has its index as a text', [start(0, use), more('0', { partial_json: '{"a":1}' })]],
    ['has another index in its deltas', [start(0, use), more(1, { partial_json: '{"a":1}' })]],
    ['starts twice', [start(0, use), start(0, use), more(0, { partial_json: '{"a":1}' })]],
    [
      'is repeated under the next index',
      [start(0, { ...use, input: { a: 1 } }), start(1, { ...use, input: { a: 1 } })],
    ],
    [
      'has an empty object first',
      [start(0, use), more(0, { partial_json: '{}' }), more(0, { partial_json: '{"a":1}' })],
    ],
    [
      'has digits as numbers',
      [start(0, use), more(0, { partial_json: '{"a":' }), more(0, { partial_json: 1 }), more(0, { partial_json: '}' })],
    ],
  ])('%s', (_, events) => {
    expect(callsOf(read({ type: 'message_start' }, ...events, end('tool_use')))).toEqual(f1);
  });

  test('has its text only in the start of the message', () => {
    const whole = { content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' };
    expect(read({ type: 'message_start', message: whole }, { type: 'message_stop' })).toMatchObject({
      text: 'Hello',
      finish: 'stop',
    });
    // A reason at the start is not the end of an answer that goes on.
    const cut = read(
      { type: 'message_start', message: { stop_reason: 'end_turn' } },
      start(0, { type: 'text', text: 'a' }),
    );
    expect(cut.error).toMatchObject({ code: 'STREAM_INTERRUPTED' });
  });

  test('stands apart from the next one where it is reasoning without a signature', () => {
    const thinking = { type: 'thinking', thinking: '' };
    const one = [start(0, thinking), more(0, { thinking: 'A' }), { type: 'content_block_stop', index: 0 }];
    const two = [start(1, thinking), more(1, { thinking: 'B' }), more(1, { thinking: 'C' })];
    expect(read(...one, ...two, end('end_turn')).reasoning).toBe('A\n\nBC');
    const signed = [...one.slice(0, 2), more(0, { signature: 's' }), ...one.slice(2)];
    expect(read(...signed, ...two, end('end_turn')).reasoning).toBe('ABC');
  });

  test('fails with a reason that names a failure', () => {
    const heard = read(start(0, { ...use, input: { a: 1 } }), end('malformed_tool_use'));
    expect(heard).toMatchObject({ error: { code: 'LLM_API_ERROR', retryable: true }, calls: [] });
  });
});
