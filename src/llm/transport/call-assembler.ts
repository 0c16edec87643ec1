import type { Json, JsonObject } from '../../core/json.ts';
import { type BracketScanner, createBracketScanner } from './json-documents.ts';
import { toObject, toText, toWord } from '../../core/model/read-json.ts';
import type { ReaderOptions } from './reader.ts';
import { malformed, tooLarge } from './stream-errors.ts';

/** Puts the pieces of tool calls together. */
export interface CallTracker {
  /** One entry of `tool_calls`. `place` stands in for its index where the wire knows none (`function_call`). */
  push(delta: JsonObject, place?: string): void;
  /** Emits `call-end` for every call. */
  end(): void;
  readonly count: number;
}

interface OpenCall {
  readonly index: number;
  readonly scanner: BracketScanner;
  /** Empty where there is none; so are `id` and `name`. */
  slot: string;
  id: string;
  name: string;
  text: string;
  /** Whether its name was emitted, and with it all the text so far. */
  shown: boolean;
  readonly extras: Map<string, Json | undefined>;
}

/** Fields of a piece; the others are opaque. */
const known = new Set(['index', 'id', 'type', 'function']);

/**
 * Providers tell the pieces of parallel calls apart by index, by id, by name or by nothing but their order, and some get it wrong.
 * `find` says at which open call a piece arrives, `isOther` whether it begins a call of its own there.
 *
 * @param wire the name under which what is opaque in a call stands in its `provider`
 */
export function createCallTracker({ emit, host, limits }: ReaderOptions, wire: string): CallTracker {
  const { calls: maxCalls = 128, call: maxChars = 1024 * 1024 } = limits ?? {};
  const calls: OpenCall[] = [];

  function find(slot: string, id: string): OpenCall | undefined {
    const newest = calls.at(-1);
    // Mostly, it grows.
    if (id === '' && (slot === '' || newest?.slot === slot)) return newest;
    const named = id && calls.findLast((call) => call.id === id);
    return named || (slot === '' ? newest : calls.findLast((call) => call.slot === slot));
  }

  function isOther(call: OpenCall, slot: string, id: string, name: string, text: string): boolean {
    // Some servers give every call of a reply the same id.
    if (id !== '' && id === call.id) return slot !== call.slot && name !== '' && isWhole(call);
    if (name !== '' && call.name !== '' && name !== call.name) return true;
    // A new id alone proves nothing: some servers make one up for each piece.
    if (id !== '' && call.id !== '') return isWhole(call) || (name !== '' && call.text === '');
    return name !== '' && text !== '' && isWhole(call);
  }

  function begin(): OpenCall {
    if (calls.length === maxCalls) throw tooLarge(host, `more than ${maxCalls} tool calls`);
    const scanner = createBracketScanner(host);
    const call: OpenCall = {
      index: calls.length,
      scanner,
      slot: '',
      id: '',
      name: '',
      text: '',
      shown: false,
      extras: new Map(),
    };
    calls.push(call);
    return call;
  }

  function show(call: OpenCall, piece: string): void {
    const { index, name } = call;
    if (call.shown) {
      if (piece !== '') emit({ type: 'call', index, text: piece });
    } else if (name !== '') {
      call.shown = true;
      emit({ type: 'call', index, name, text: call.text });
    }
  }

  return {
    get count() {
      return calls.length;
    },
    push(delta, place = '') {
      const called = toObject(delta.function);
      const slot = toWord(delta.index) || place;
      const id = toText(delta.id);
      const name = toText(called.name);
      const piece = toInputText(called.arguments);

      const found = find(slot, id);
      const call = found === undefined || isOther(found, slot, id, name, piece) ? begin() : found;
      call.slot ||= slot;
      call.id ||= id;
      call.name ||= name;
      call.text += piece;
      call.scanner.push(piece);
      for (const field of Object.keys(delta)) if (!known.has(field)) call.extras.set(field, delta[field]);
      if (call.text.length + call.name.length > maxChars) throw tooLarge(host, 'a huge tool call');
      show(call, piece);
    },
    end() {
      for (const call of calls) {
        if (call.name === '') throw malformed(host, 'a tool call has no name');
        if (call.text.trim() === '') {
          call.text += '{}';
          show(call, '{}');
        }
        const { index, id, name, text, extras } = call;
        emit({
          type: 'call-end',
          index,
          name,
          inputText: text,
          ...(id !== '' && { id }),
          ...(extras.size > 0 && { provider: { [wire]: Object.fromEntries(extras) } }),
        });
      }
    },
  };
}

/** Whether a call's input is a whole document, so that more of it would break it. */
function isWhole(call: OpenCall): boolean {
  return call.text !== '' && call.scanner.depth === 0;
}

/** Some servers send the input as JSON, not as text. */
function toInputText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
