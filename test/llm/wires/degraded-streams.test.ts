import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { toObject, toText } from '../../../src/core/model/read-json.ts';
import { createResponsesReader } from '../../../src/llm/wires/responses/response.ts';
import { bytes, frame, hear, type Heard } from '../../support/llm-answer.ts';

// One answer of /responses as relays and servers degrade it: without indexes, without ids, without deltas, without ends. The answer that is
// read stays the same.

type Event = JsonObject;

const summary = ['Plan', 'Check'];
const texts = ['Hello', ' there'];
const inputs = { c1: '{"a":1}', c2: '{"b":{"c":2}}' };

/** The items of the answer, as the end of the response has them. */
const items: readonly JsonObject[] = [
  {
    type: 'reasoning',
    id: 'rs',
    summary: summary.map((text) => ({ type: 'summary_text', text })),
    encrypted_content: 'S',
  },
  { type: 'message', id: 'ms', role: 'assistant', content: texts.map((text) => ({ type: 'output_text', text })) },
  { type: 'function_call', id: 'f1', call_id: 'c1', name: 'f', arguments: inputs.c1 },
  { type: 'function_call', id: 'f2', call_id: 'c2', name: 'g', arguments: inputs.c2 },
];

const empty = (item: JsonObject): JsonObject => ({
  ...item,
  ...(item.summary !== undefined && { summary: [] }),
  ...(item.content !== undefined && { content: [] }),
  ...(item.arguments !== undefined && { arguments: '' }),
  encrypted_content: undefined,
});

/** All events of an item but its begin and its end. */
function partsOf(item: JsonObject, output_index: number): readonly Event[] {
  const at = { output_index, item_id: item.id ?? null };
  if (item.type === 'reasoning')
    return summary.flatMap((text, summary_index) => [
      { type: 'response.reasoning_summary_part.added', ...at, summary_index, part: { type: 'summary_text', text: '' } },
      { type: 'response.reasoning_summary_text.delta', ...at, summary_index, delta: text },
      { type: 'response.reasoning_summary_text.done', ...at, summary_index, text },
      { type: 'response.reasoning_summary_part.done', ...at, summary_index, part: { type: 'summary_text', text } },
    ]);
  if (item.type === 'message')
    return texts.flatMap((text, content_index) => [
      { type: 'response.content_part.added', ...at, content_index, part: { type: 'output_text', text: '' } },
      { type: 'response.output_text.delta', ...at, content_index, delta: text.slice(0, 2) },
      { type: 'response.output_text.delta', ...at, content_index, delta: text.slice(2) },
      { type: 'response.output_text.done', ...at, content_index, text },
      { type: 'response.content_part.done', ...at, content_index, part: { type: 'output_text', text } },
    ]);
  const input = toText(item.arguments);
  return [
    { type: 'response.function_call_arguments.delta', ...at, delta: input.slice(0, 3) },
    { type: 'response.function_call_arguments.delta', ...at, delta: input.slice(3) },
    { type: 'response.function_call_arguments.done', ...at, arguments: input },
  ];
}

const begin = (item: JsonObject, output_index: number): Event => ({
  type: 'response.output_item.added',
  output_index,
  item: empty(item),
});
const end = (item: JsonObject, output_index: number): Event => ({
  type: 'response.output_item.done',
  output_index,
  item,
});
const created: Event = { type: 'response.created', response: { status: 'in_progress', output: [] } };
const completed = (output: readonly JsonObject[] = items): Event => ({
  type: 'response.completed',
  response: { status: 'completed', output },
});

const inOrder: readonly Event[] = [
  created,
  ...items.flatMap((item, at) => [begin(item, at), ...partsOf(item, at), end(item, at)]),
  completed(),
];

const read = (events: readonly Event[]): Heard => hear([bytes(frame(events, { done: false }))], createResponsesReader);
const without = (events: readonly Event[], pattern: RegExp): readonly Event[] =>
  events.filter(({ type }) => !pattern.test(toText(type)));
const changed = (events: readonly Event[], change: (event: Event, at: number) => Event): readonly Event[] =>
  events.map(change);
const noItemId = (event: Event): Event => ({
  ...event,
  item_id: undefined,
  ...(event.item !== undefined && { item: { ...toObject(event.item), id: undefined } }),
});

/** Both calls begin, get their inputs by turns, and end. */
const interleaved = (order: readonly number[]): readonly Event[] => {
  const [one = {}, two = {}] = items.slice(2);
  const [ofOne, ofTwo] = [partsOf(one, 2), partsOf(two, 3)];
  return [
    ...inOrder.slice(
      0,
      inOrder.findIndex(({ item }) => toObject(item).id === 'f1'),
    ),
    begin(one, 2),
    begin(two, 3),
    ...ofOne.flatMap((event, at) => [event, ...ofTwo.slice(at, at + 1)]),
    ...order.map((at) => end(items[at] ?? {}, at)),
    completed([]),
  ];
};

const degraded: readonly (readonly [string, readonly Event[]])[] = [
  ['as it is documented', inOrder],
  ['without indexes', changed(inOrder, (event) => ({ ...event, output_index: undefined }))],
  [
    'with indexes as texts',
    changed(inOrder, (event) => ({ ...event, output_index: `${toText(event.output_index)}0` })),
  ],
  ['with ids of items in no event', changed(inOrder, noItemId)],
  [
    'with another id of the item in each event',
    changed(inOrder, (event, at) => ({
      ...event,
      ...(event.item_id !== undefined && { item_id: `x${at}` }),
      ...(event.item !== undefined && { item: { ...toObject(event.item), id: `y${at}` } }),
    })),
  ],
  ['without the ends of parts', without(inOrder, /(text|part|arguments)\.done$/)],
  ['without the begins of parts', without(inOrder, /part\.added$/)],
  ['without deltas', without(inOrder, /\.delta$/)],
  ['without deltas and ends of parts', without(inOrder, /\.delta$|(text|part|arguments)\.done$/)],
  ['without ends of items', without(inOrder, /item\.done$/)],
  ['with nothing but its items', without(inOrder, /\.delta$|part|text|arguments/)],
  ['with nothing but the ends of its items', [created, ...items.map(end), completed([])]],
  ['with nothing but its end', [created, completed()]],
  ['as one whole response', [{ object: 'response', status: 'completed', output: items }]],
  ['with an end that has no items', [...inOrder.slice(0, -1), completed([])]],
  [
    'with ends of items twice',
    inOrder.flatMap((event) => (event.type === 'response.output_item.done' ? [event, event] : [event])),
  ],
  [
    'with ends of items all at the end, without indexes (llama.cpp)',
    [
      created,
      ...items.flatMap((item, at) => [begin(item, at), ...partsOf(item, at)]),
      ...items.map(end),
      completed(),
    ].map((event) => ({ ...event, output_index: undefined })),
  ],
  ['with two calls at once', interleaved([2, 3])],
  ['with two calls at once, the second one complete first', interleaved([3, 2])],
  ['with two calls at once, at one index', changed(interleaved([2, 3]), (event) => ({ ...event, output_index: 0 }))],
  ['with two calls at once, without ids of items', changed(interleaved([2, 3]), noItemId)],
  ['begun twice', inOrder.flatMap((event) => (event.type === 'response.created' ? [event, event] : [event]))],
];

describe('an answer of /responses is the same', () => {
  test.each(degraded)('%s', (_, events) => {
    const heard = read(events);
    expect(heard.error).toBeUndefined();
    expect(heard.calls).toMatchObject([
      { name: 'f', inputText: inputs.c1, id: 'c1' },
      { name: 'g', inputText: inputs.c2, id: 'c2' },
    ]);
    expect(heard).toMatchObject({ reasoning: 'Plan\n\nCheck', finish: 'tool-calls' });
    // The second part of a message begins after a blank line, or with its own space.
    expect(heard.text.replaceAll('\n\n', '')).toBe('Hello there');
    expect(heard.providers).toMatchObject([{ responses: { encrypted_content: 'S' } }]);
  });
});

describe('an item of /responses', () => {
  const message = (text: string, more: JsonObject = {}): JsonObject => ({
    type: 'message',
    content: [{ type: 'output_text', text }],
    ...more,
  });
  const delta = (text: string, more: JsonObject = {}): Event => ({
    type: 'response.output_text.delta',
    delta: text,
    ...more,
  });

  test('is not read again in the end of the response where its text has arrived under no id', () => {
    // The end has no item that an event named: only the text tells.
    const heard = read([
      created,
      delta('Hello', { output_index: 7, item_id: 'a' }),
      { type: 'response.output_item.done', output_index: 7, item: message('Hello', { id: 'a' }) },
      completed([message('Hello', { id: 'z' })]),
    ]);
    expect(heard.text).toBe('Hello');
    const reasoning = { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Hm' }] };
    const thought = read([
      created,
      { type: 'response.output_item.done', output_index: 5, item: reasoning },
      completed([{ ...reasoning, id: 'q' }]),
    ]);
    expect(thought.reasoning).toBe('Hm');
  });

  test('is read in the end of the response where its text has not arrived', () => {
    const heard = read([
      created,
      { type: 'response.output_item.done', output_index: 0, item: message('One.', { id: 'a' }) },
      completed([
        message('One.', { id: 'a' }),
        message('Two.', { id: 'b' }),
        { type: 'reasoning', id: 'r', summary: [{ text: 'Hm' }] },
      ]),
    ]);
    expect(heard).toMatchObject({ text: 'One.\n\nTwo.', reasoning: 'Hm' });
  });

  test('keeps its text where its end states another', () => {
    const heard = read([
      created,
      delta('Hello', { output_index: 0 }),
      { type: 'response.output_text.done', output_index: 0, text: 'Bye' },
      { type: 'response.output_item.done', output_index: 0, item: message('Goodbye') },
      completed([]),
    ]);
    expect(heard.text).toBe('Hello');
  });

  test('has the rest of its text in its end, by parts', () => {
    const content = ['One. ', 'Two. ', 'Three.'].map((text) => ({ type: 'output_text', text }));
    const heard = read([
      created,
      delta('One. ', { output_index: 0, content_index: 0 }),
      delta('Tw', { output_index: 0, content_index: 1 }),
      { type: 'response.output_item.done', output_index: 0, item: { type: 'message', content } },
      completed([]),
    ]);
    expect(heard.text.replaceAll('\n\n', '')).toBe('One. Two. Three.');
  });

  test('stands apart from the one before, but where a space or a line is between', () => {
    const two = (one: string, other: string): string =>
      read([
        created,
        delta(one, { output_index: 0, item_id: 'a' }),
        delta(other, { output_index: 1, item_id: 'b' }),
        completed([]),
      ]).text;
    expect(two('One.', 'Two.')).toBe('One.\n\nTwo.');
    expect(two('One.\n', 'Two.')).toBe('One.\nTwo.');
    expect(two('One.', '\nTwo.')).toBe('One.\nTwo.');
    expect(two('One. or ', 'Two.\n')).toBe('One. or Two.\n');
  });

  test('of another response is another one, though the first never ended', () => {
    const heard = read([
      created,
      delta('One.', { output_index: 0 }),
      created,
      delta('Two.', { output_index: 0 }),
      completed([]),
    ]);
    expect(heard.text).toBe('One.\n\nTwo.');
  });

  test('of reasoning has its summary, or its text where there is no summary, once', () => {
    const reasoning = (more: JsonObject): JsonObject => ({ type: 'reasoning', id: 'r', ...more });
    const both = { summary: [{ text: 'Short' }], content: [{ type: 'reasoning_text', text: 'Long' }] };
    const ends = (item: JsonObject, ...before: Event[]): string =>
      read([created, ...before, { type: 'response.output_item.done', output_index: 0, item }, completed([])]).reasoning;
    expect(ends(reasoning({ content: both.content }))).toBe('Long');
    expect(ends(reasoning(both))).toContain('Short');
    const text: Event = { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'Lo' };
    expect(ends(reasoning(both), text)).toBe('Long');
    const short: Event = {
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index: 0,
      delta: 'Sh',
    };
    expect(ends(reasoning(both), short)).toBe('Short');
    const old: Event = { type: 'response.reasoning.delta', output_index: 0, delta: 'Lo' };
    expect(ends(reasoning({ content: both.content }), old)).toBe('Long');
  });

  test('emits its encrypted reasoning once, also where two responses have it', () => {
    const sealed = { type: 'reasoning', summary: [], encrypted_content: 'S' };
    const done = (id: string, index: number): Event => ({
      type: 'response.output_item.done',
      output_index: index,
      item: { ...sealed, id },
    });
    expect(read([created, done('a', 0), created, done('b', 1), completed([])]).providers).toHaveLength(1);
    const open = {
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'reasoning', summary: [{ text: 'Hm' }] },
    };
    expect(read([created, open, completed([])]).providers).toEqual([]);
  });

  test('that is an image has its data as a part, and its name without the data', () => {
    const image = { type: 'image_generation_call', id: 'i', result: 'QUJD', output_format: 'webp' };
    const { parts } = read([created, completed([image, { type: 'image_generation_call', id: 'j', status: 'failed' }])]);
    expect(parts).toEqual([
      { type: 'image', mediaType: 'image/webp', data: 'QUJD' },
      {
        type: 'provider',
        name: 'image_generation_call',
        data: { type: 'image_generation_call', id: 'i', output_format: 'webp' },
      },
      {
        type: 'provider',
        name: 'image_generation_call',
        data: { type: 'image_generation_call', id: 'j', status: 'failed' },
      },
    ]);
  });

  test('has its sources once: as they came, else as its end has them', () => {
    const annotation = { type: 'url_citation', url: 'https://a.example/' };
    const done = {
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'message', content: [{ type: 'output_text', text: 'a', annotations: [annotation] }] },
    };
    const added = { type: 'response.output_text.annotation.added', output_index: 0, annotation };
    const source = [{ type: 'source', url: 'https://a.example/' }];
    expect(read([created, done, completed([])]).parts).toEqual(source);
    expect(read([created, added, done, completed([])]).parts).toEqual(source);
  });

  test('that is a call gets its name from whatever event states it', () => {
    const named = read([
      created,
      { type: 'response.function_call_arguments.delta', output_index: 0, call_id: 'c', name: 'f', delta: '{"a"' },
      { type: 'response.function_call_arguments.done', output_index: 0, call_id: 'c', name: 'f', arguments: { a: 1 } },
      completed([]),
    ]);
    expect(named.calls).toMatchObject([{ name: 'f', id: 'c' }]);
    const late = read([
      created,
      { type: 'response.output_item.added', output_index: 0, item: { type: 'function_call', call_id: 'c', name: '' } },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'function_call', call_id: 'c', name: 'g', arguments: ' ' },
      },
      completed([]),
    ]);
    expect(late.calls).toMatchObject([{ name: 'g', id: 'c' }]);
  });
});

describe('the state of a response', () => {
  const response = (status: string, more: JsonObject = {}): Event => ({
    type: `response.${status}`,
    response: { status, ...more },
  });

  test.each(['queued', 'in_progress'])('%s after a complete one is not the end', (status) => {
    expect(read([response('completed'), response(status)]).error).toMatchObject({ code: 'STREAM_INTERRUPTED' });
    expect(read([response(status), response('completed')]).error).toBeUndefined();
  });

  test.each(['failed', 'cancelled'])('%s is an error', (status) => {
    expect(read([response(status)]).error).toBeDefined();
    expect(read([response(status, { error: { code: 'rate_limit_exceeded', message: 'slow' } })]).error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
    });
  });

  test('incomplete has its reason, or none', () => {
    const incomplete = (details: JsonObject): Heard => read([response('incomplete', details)]);
    expect(incomplete({ incomplete_details: { reason: 'max_output_tokens' } })).toMatchObject({
      finish: 'length',
      raw: 'max_output_tokens',
    });
    expect(incomplete({})).toMatchObject({ finish: 'other', raw: 'incomplete' });
  });
});
