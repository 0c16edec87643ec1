import type { JsonObject } from '../../../core/json.ts';
import { toObject, toText, toWord } from '../../../core/model/read-json.ts';

/** One output item of an answer. */
export interface Item {
  /** Position among all items of the answer: the wire's own index restarts with each response. */
  readonly slot: string;
  /** The wire's index; empty where there is none. */
  readonly index: string;
  /** Empty until an event states it. */
  type: string;
  callId: string;
  /** Every id that an event gave the item. */
  readonly ids: Set<string>;
  /** What has arrived, by part: `text:0`, `summary:1`, `input`. */
  readonly arrived: Map<string, string>;
  /** Whether `output_item.added` announced the item. */
  announced: boolean;
  /** Whether the item is complete. What an event repeats of it later is nothing new. */
  closed: boolean;
  /** Whether sources of the item have arrived. */
  cited: boolean;
}

/** The items of an answer, in the order of their start. */
export interface Items {
  readonly count: number;
  /** Returns the item that an event belongs to; a new one where it belongs to none. */
  of(event: ItemEvent): Item;
  /** Returns the item that an event belongs to, if there is one. */
  find(event: ItemEvent): Item | undefined;
  /** Indexes start again: another response follows. */
  restart(): void;
}

/** What an event states of its item. */
export interface ItemEvent {
  /** Whether the event begins its item, continues it, or completes it. */
  readonly phase: 'added' | 'delta' | 'done';
  readonly type: string;
  readonly callId: string;
  readonly ids: readonly string[];
  readonly index: string;
}

/** Items among which an event without a known id is looked for: an answer has few, an attack a million. */
const maxOpen = 256;

/**
 * Creates the list of an answer's items. An event belongs to an item by, in this order:
 *
 * - the `call_id`: GitHub Copilot confirms a call under another index and another item id;
 * - the item id, which may be the `call_id`: llama.cpp sends no index; some relays send index 0 for all items;
 * - the index: Copilot gives an item another id in each event;
 * - the order, among items of its type: a delta continues the newest open one, the end is that of the oldest open one.
 */
export function createItems(): Items {
  const items: Item[] = [];
  const byId = new Map<string, Item>();
  let first = 0;

  function find({ phase, type, callId, ids, index }: ItemEvent): Item | undefined {
    const fits = (item: Item): boolean =>
      (type === '' || item.type === '' || item.type === type) &&
      (callId === '' || item.callId === '' || item.callId === callId);
    const called = callId === '' ? undefined : byId.get(callKey(type, callId));
    const named =
      called ??
      ids.flatMap((id) => [byId.get(id), byId.get(callKey(type, id))]).find((item) => item !== undefined && fits(item));
    if (named) return named;
    const open = items
      .slice(Math.max(first, items.length - maxOpen))
      .filter((item) => fits(item) && !(phase === 'added' && item.announced));
    if (index !== '') {
      const at = open.findLast((item) => item.index === index && (!item.closed || isRepetition(item, phase, ids)));
      if (at) return at;
    }
    const unplaced = open.filter((item) => !item.closed && (index === '' || item.index === ''));
    return phase === 'done' ? unplaced[0] : unplaced.at(-1);
  }

  return {
    get count() {
      return items.length;
    },
    find,
    of(event) {
      const { phase, type, callId, ids, index } = event;
      let item = find(event);
      if (item === undefined) {
        item = {
          slot: String(items.length),
          index,
          type,
          callId,
          ids: new Set(),
          arrived: new Map(),
          announced: false,
          closed: false,
          cited: false,
        };
        items.push(item);
      }
      item.type ||= type;
      item.callId ||= callId;
      item.announced ||= phase === 'added';
      if (callId !== '') byId.set(callKey(item.type, callId), item);
      for (const id of ids) {
        item.ids.add(id);
        byId.set(id, item);
      }
      return item;
    },
    restart() {
      first = items.length;
    },
  };
}

/** A call and its output at the provider have the same id, and different types. */
function callKey(type: string, callId: string): string {
  return `${type} ${callId}`;
}

/** Whether the end of an item at a known index is that of the same item: nothing states that it is another. */
function isRepetition(item: Item, phase: ItemEvent['phase'], ids: readonly string[]): boolean {
  return phase === 'done' && (ids.length === 0 || item.ids.size === 0 || item.callId !== '');
}

/** The type of the item that the deltas of a kind belong to. */
const typeOfKind: readonly (readonly [RegExp, string])[] = [
  [/^(output_text|refusal)/, 'message'],
  [/^(reasoning|summary_text)/, 'reasoning'],
  [/^function_call_arguments/, 'function_call'],
];

/** Reads what an event states of its item. */
export function toItemEvent(event: JsonObject, index: string = toWord(event.output_index)): ItemEvent {
  const name = toText(event.type);
  const kind = toText(toObject(event.part).type) || name.replace(/^response\./, '');
  const item = toObject(event.item);
  const ids = [toWord(event.item_id), toWord(item.id)].filter(Boolean);
  return {
    phase: name.endsWith('.added') && event.item ? 'added' : name.endsWith('.done') || !event.type ? 'done' : 'delta',
    type: toText(item.type) || (typeOfKind.find(([pattern]) => pattern.test(kind))?.[1] ?? ''),
    callId: toWord(item.call_id) || toWord(event.call_id),
    ids,
    index,
  };
}
