import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import {
  createItems,
  type Item,
  type ItemEvent,
  type Items,
  toItemEvent,
} from '../../../src/llm/wires/responses/items.ts';

// Which item of a response an event belongs to: by call, id, index and order, in this order.

const event = (phase: ItemEvent['phase'], fields: Partial<ItemEvent> = {}): ItemEvent => ({
  phase,
  type: 'message',
  callId: '',
  ids: [],
  index: '',
  ...fields,
});
const call = (phase: ItemEvent['phase'], callId: string, fields: Partial<ItemEvent> = {}): ItemEvent =>
  event(phase, { type: 'function_call', callId, ...fields });

/** The items of these events, and their list. */
function begun(...events: ItemEvent[]): { items: Items; made: readonly Item[] } {
  const items = createItems();
  return { items, made: events.map((one) => items.of(one)) };
}

test('an item has what its events state, each once', () => {
  const { items, made } = begun(event('delta', { type: '', ids: ['x'], index: '3' }));
  const [item] = made;
  expect(item).toMatchObject({
    slot: '0',
    index: '3',
    type: '',
    callId: '',
    announced: false,
    closed: false,
    cited: false,
  });
  expect([...(item?.arrived ?? [0])]).toEqual([]);
  expect(items.of(call('added', 'c', { ids: ['x', 'y'], index: '9' }))).toBe(item);
  expect(item).toMatchObject({ index: '3', type: 'function_call', callId: 'c', announced: true });
  expect([...(item?.ids ?? [])]).toEqual(['x', 'y']);
  expect(items.of(event('delta', { type: '', ids: ['y'] }))).toBe(item);
  expect(item).toMatchObject({ type: 'function_call', callId: 'c', announced: true });
  expect(items.of(call('delta', 'd'))).toMatchObject({ slot: '1', announced: false });
  expect(items.count).toBe(2);
});

describe('an event belongs to', () => {
  test('the item of its call, whatever id and index it states (Copilot)', () => {
    const { items, made } = begun(
      call('added', 'a', { ids: ['x'], index: '0' }),
      call('added', 'b', { ids: ['y'], index: '1' }),
    );
    expect(items.find(call('done', 'a', { ids: ['y'], index: '1' }))).toBe(made[0]);
    // A call and its output at the provider have one id.
    expect(items.find(event('done', { type: 'mcp_call', callId: 'a' }))).toBeUndefined();
    expect(items.find(call('done', 'c', { ids: ['x'], index: '0' }))).toBeUndefined();
  });

  test('the item of its id, whatever index it states', () => {
    const { items, made } = begun(
      event('added', { ids: ['x'], index: '0' }),
      event('added', { ids: ['y'], index: '0' }),
    );
    expect(items.find(event('delta', { ids: ['x'], index: '1' }))).toBe(made[0]);
    expect(items.find(event('delta', { ids: ['z', 'y'], index: '0' }))).toBe(made[1]);
    expect(items.find(event('delta', { type: '', ids: ['x'] }))).toBe(made[0]);
    expect(items.find(event('delta', { type: 'reasoning', ids: ['x'] }))).toBeUndefined();
  });

  test('the item whose call is its id (llama.cpp)', () => {
    const { items, made } = begun(call('added', 'fc_a'), call('added', 'fc_b'));
    expect(items.find(call('delta', '', { ids: ['fc_a'] }))).toBe(made[0]);
    expect(items.find(event('delta', { ids: ['fc_a'] }))).toBeUndefined();
  });

  test('the newest open item at its index', () => {
    const { items, made } = begun(
      event('added', { index: '0' }),
      event('added', { index: '1' }),
      event('added', { index: '0' }),
    );
    expect(new Set(made).size).toBe(3);
    expect(items.find(event('delta', { index: '0' }))).toBe(made[2]);
    expect(items.find(event('delta', { index: '1' }))).toBe(made[1]);
    expect(items.find(event('delta', { index: '2' }))).toBeUndefined();
    expect(items.find(event('delta', { type: 'reasoning', index: '1' }))).toBeUndefined();
  });

  test('the item that its deltas began: an item is announced once', () => {
    const { items, made } = begun(event('delta', { index: '0' }));
    expect(items.of(event('added', { index: '0' }))).toBe(made[0]);
    expect(items.of(event('added', { index: '0' }))).not.toBe(made[0]);
  });

  test('a complete item only where it ends again, and nothing states that it is another', () => {
    const closed = (of: ItemEvent, then: ItemEvent): boolean => {
      const { items, made } = begun(of);
      for (const item of made) item.closed = true;
      return items.find(then) === made[0];
    };
    const at = { index: '0' };
    expect(closed(event('added', at), event('done', at))).toBe(true);
    expect(closed(event('added', at), event('delta', at))).toBe(false);
    expect(closed(event('added', at), event('added', at))).toBe(false);
    expect(closed(event('delta', at), event('added', at))).toBe(false);
    expect(closed(event('added', { ...at, ids: ['x'] }), event('done', { ...at, ids: ['y'] }))).toBe(false);
    expect(closed(event('added', { ...at, ids: ['x'] }), event('done', at))).toBe(true);
    expect(closed(event('added', at), event('done', { ...at, ids: ['y'] }))).toBe(true);
    expect(closed(call('added', 'c', { ...at, ids: ['x'] }), call('done', '', { ...at, ids: ['y'] }))).toBe(true);
    expect(closed(event('added'), event('done'))).toBe(false);
  });

  test('an open item of its type, without an index: a delta to the newest, the end to the oldest', () => {
    const { items, made } = begun(
      event('added'),
      event('added'),
      event('added'),
      event('added', { type: 'reasoning' }),
    );
    expect(items.find(event('delta'))).toBe(made[2]);
    expect(items.find(event('done'))).toBe(made[0]);
    for (const at of [0, 2]) {
      const item = made[at];
      if (item) item.closed = true;
    }
    expect(items.find(event('delta'))).toBe(made[1]);
    expect(items.find(event('done'))).toBe(made[1]);
    expect(items.find(event('delta', { type: 'reasoning' }))).toBe(made[3]);
  });

  test('an item whose index one of both does not state', () => {
    const { items, made } = begun(event('added', { index: '0' }));
    expect(items.find(event('delta'))).toBe(made[0]);
    expect(items.find(event('done'))).toBe(made[0]);
    const other = begun(event('added'));
    expect(other.items.find(event('delta', { index: '5' }))).toBe(other.made[0]);
    expect(items.find(event('delta', { index: '5' }))).toBeUndefined();
  });

  test('no item of an earlier response, but by its call or its id', () => {
    const { items, made } = begun(event('added', { index: '0', ids: ['x'] }), call('added', 'c', { index: '1' }));
    items.restart();
    expect(items.find(event('delta', { index: '0' }))).toBeUndefined();
    expect(items.find(event('delta'))).toBeUndefined();
    expect(items.find(event('delta', { ids: ['x'] }))).toBe(made[0]);
    expect(items.find(call('done', 'c'))).toBe(made[1]);
  });

  test('one of the newest 256: an attack begins a million', () => {
    const { items, made } = begun(...Array.from({ length: 300 }, () => event('added')));
    expect(items.find(event('done'))).toBe(made[44]);
    expect(items.find(event('delta'))).toBe(made[299]);
  });
});

test.each<[string, JsonObject, Partial<ItemEvent>]>([
  [
    'the begin of an item',
    { type: 'response.output_item.added', output_index: 2, item: { type: 'function_call', id: 'x', call_id: 'c' } },
    { phase: 'added', type: 'function_call', callId: 'c', ids: ['x'], index: '2' },
  ],
  [
    'the begin of a part, which is no begin of an item',
    { type: 'response.content_part.added', item_id: 'x', part: { type: 'output_text' } },
    { phase: 'delta', type: 'message', ids: ['x'] },
  ],
  [
    'a delta of a text',
    { type: 'response.output_text.delta', item_id: 7, output_index: '0' },
    { phase: 'delta', type: 'message', ids: ['7'], index: '0' },
  ],
  ['a delta of a refusal', { type: 'response.refusal.delta' }, { phase: 'delta', type: 'message' }],
  ['a delta of reasoning', { type: 'response.reasoning_text.delta' }, { phase: 'delta', type: 'reasoning' }],
  ['the end of a summary', { type: 'response.reasoning_summary_text.done' }, { phase: 'done', type: 'reasoning' }],
  [
    'the end of a part of a summary',
    { type: 'response.reasoning_summary_part.done', part: { type: 'summary_text' } },
    { phase: 'done', type: 'reasoning' },
  ],
  [
    'the end of an input',
    { type: 'response.function_call_arguments.done', call_id: 'c', item_id: 'x' },
    { phase: 'done', type: 'function_call', callId: 'c', ids: ['x'] },
  ],
  [
    'the end of an item, with two ids',
    { type: 'response.output_item.done', item_id: 'x', item: { type: 'message', id: 'y' } },
    { phase: 'done', type: 'message', ids: ['x', 'y'] },
  ],
  ['an item of a whole response', { item: { type: 'reasoning' } }, { phase: 'done', type: 'reasoning' }],
  ['something of another kind', { type: 'response.image.partial', item: {} }, { phase: 'delta', type: '' }],
  ['a kind that only contains another', { type: 'response.x.response.refusal.delta' }, { phase: 'delta', type: '' }],
])('of an event is read: %s', (_, given, expected) => {
  expect(toItemEvent(given)).toEqual({ callId: '', ids: [], index: '', ...expected });
});

test('the index of an event may be that of its place in a list', () => {
  expect(toItemEvent({ item: {}, output_index: 4 }, '1').index).toBe('1');
});
