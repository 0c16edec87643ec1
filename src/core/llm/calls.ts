import type { Json, JsonObject } from '../json.ts';
import type { LLMChunk } from './client.ts';
import { type BracketScanner, createBracketScanner } from './json-documents.ts';
import { toObject, toText } from './loose.ts';
import { malformed, tooLarge } from './broken-answer.ts';

/** What the calls of a reply may come to; beyond it `STREAM_TOO_LARGE`. */
export interface CallLimits {
  readonly calls: number;
  /** Characters of one call's name and input. */
  readonly input: number;
}

const usualCallLimits: CallLimits = { calls: 128, input: 1024 * 1024 };

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
  readonly slot: string | undefined;
  readonly scanner: BracketScanner;
  id: string;
  name: string;
  text: string;
  /** Whether its name was emitted, and with it all the text so far. */
  shown: boolean;
  extras: JsonObject;
}

const known = new Set(['index', 'id', 'type', 'function']);

/**
 * Providers tell the pieces of parallel calls apart by index, by id, by name or by nothing but their order, and some get it wrong.
 * `find` says at which open call a piece arrives, `isOther` whether it begins a call of its own there.
 *
 * @param wire the name under which what is opaque in a call stands in its `provider`
 */
export function createCallTracker(
  emit: (chunk: LLMChunk) => void,
  host: string,
  wire: string,
  limits: CallLimits = usualCallLimits,
): CallTracker {
  const calls: OpenCall[] = [];
  const bySlot = new Map<string, OpenCall>();
  const byId = new Map<string, OpenCall>();

  function find(slot: string | undefined, id: string): OpenCall | undefined {
    const named = id === '' ? undefined : byId.get(id);
    return named ?? (slot === undefined ? calls.at(-1) : bySlot.get(slot));
  }

  function isOther(call: OpenCall, slot: string | undefined, id: string, name: string, text: string): boolean {
    // Some servers give every call of a reply the same id.
    if (id !== '' && id === call.id) return slot !== call.slot && name !== '' && isWhole(call);
    if (name !== '' && call.name !== '' && name !== call.name) return true;
    // A new id alone proves nothing: some servers make one up for each piece.
    if (id !== '' && call.id !== '') return isWhole(call) || (name !== '' && call.text === '');
    return name !== '' && text !== '' && isWhole(call);
  }

  function begin(slot: string | undefined): OpenCall {
    if (calls.length === limits.calls) throw tooLarge(host, `more than ${limits.calls} tool calls`);
    const scanner = createBracketScanner();
    const call: OpenCall = { index: calls.length, slot, scanner, id: '', name: '', text: '', shown: false, extras: {} };
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
    push(delta, place) {
      const slot = typeof delta.index === 'number' || typeof delta.index === 'string' ? String(delta.index) : place;
      const id = toText(delta.id);
      const name = toText(toObject(delta.function).name);
      const piece = toInputText(toObject(delta.function).arguments, host);

      const found = find(slot, id);
      const call = found === undefined || isOther(found, slot, id, name, piece) ? begin(slot) : found;
      if (slot !== undefined) bySlot.set(slot, call);
      if (id !== '') byId.set(id, call);
      call.id ||= id;
      call.name ||= name;
      call.text += piece;
      call.scanner.push(piece);
      const extras = Object.entries(delta).filter(([key]) => !known.has(key));
      if (extras.length > 0) call.extras = { ...call.extras, ...Object.fromEntries(extras) };
      if (call.text.length + call.name.length > limits.input) throw tooLarge(host, 'a huge tool call');
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
          ...(Object.keys(extras).length > 0 && { provider: { [wire]: extras } }),
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
function toInputText(value: Json | undefined, host: string): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  try {
    return JSON.stringify(value);
  } catch {
    throw malformed(host, 'the input of a tool call is nested too deeply');
  }
}
