import type { JsonObject } from '../../core/json.ts';
import type { FinishReason } from '../../core/model/message.ts';
import { type BracketScanner, createBracketScanner } from './json-documents.ts';
import type { ReaderOptions } from './reader.ts';
import { malformed, tooLarge } from './stream-errors.ts';

/** One piece of a tool call. A missing field and an empty one mean the same. */
export interface CallPiece {
  /** The wire's own position of the call (an index, a content block), if the wire has one. */
  readonly slot?: string;
  /** The provider's id of the call. */
  readonly id?: string;
  readonly name?: string;
  /** The next characters of the input, JSON text. */
  readonly text?: string;
  /** Opaque fields of the call, to be sent back with it. */
  readonly provider?: JsonObject | undefined;
}

/** Assembles tool calls from their pieces: emits `call` for each piece and `call-end` at the end. */
export interface CallAssembler {
  /** @throws AgentError `STREAM_TOO_LARGE`, or `STREAM_MALFORMED` for input that is nested too deeply */
  push(piece: CallPiece): void;
  /**
   * Emits `call-end` for every call. An empty input means `{}`, but not that of the newest call of an answer which the output limit cut off.
   *
   * @param finish why the answer ended
   * @throws AgentError `STREAM_MALFORMED` for a call without a name
   */
  end(finish: FinishReason): void;
  /** Calls so far. */
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
  /** Whether the name was emitted, and with it all the text so far. */
  announced: boolean;
  provider: JsonObject | undefined;
}

/**
 * Creates the assembler of one answer. Providers distinguish the pieces of parallel calls by index, by id, by name or only by their
 * order, and some do so incorrectly: `find` returns the open call that a piece belongs to, `startsNewCall` whether the piece starts
 * another call there instead.
 *
 * @param wire the key of the opaque fields in a call's `provider`
 */
export function createCallAssembler({ emit, host, limits }: ReaderOptions, wire: string): CallAssembler {
  const { calls: maxCalls = 128, call: maxChars = 1024 * 1024 } = limits ?? {};
  const calls: OpenCall[] = [];

  function find(slot: string, id: string): OpenCall | undefined {
    const newest = calls.at(-1);
    // Most pieces continue the newest call.
    if (id === '' && (slot === '' || newest?.slot === slot)) return newest;
    const named = id && calls.findLast((call) => call.id === id);
    return named || (slot === '' ? newest : calls.findLast((call) => call.slot === slot));
  }

  function startsNewCall(call: OpenCall, slot: string, id: string, name: string, text: string): boolean {
    // Some servers send the same id for every call of a reply.
    if (id !== '' && id === call.id) return slot !== call.slot && name !== '' && isWhole(call);
    if (name !== '' && call.name !== '' && name !== call.name) return true;
    // A new id alone is no proof: some servers generate one for each piece.
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
      announced: false,
      provider: undefined,
    };
    calls.push(call);
    return call;
  }

  function emitPiece(call: OpenCall, text: string): void {
    const { index, name } = call;
    if (call.announced) {
      if (text !== '') emit({ type: 'call', index, text });
    } else if (name !== '') {
      call.announced = true;
      emit({ type: 'call', index, name, text: call.text });
    }
  }

  return {
    get count() {
      return calls.length;
    },
    push({ slot = '', id = '', name = '', text = '', provider }) {
      const found = find(slot, id);
      const call = found === undefined || startsNewCall(found, slot, id, name, text) ? begin() : found;
      call.slot ||= slot;
      call.id ||= id;
      call.name ||= name;
      call.text += text;
      call.scanner.push(text);
      if (provider) call.provider = { ...call.provider, ...provider };
      if (call.text.length + call.name.length > maxChars) throw tooLarge(host, 'a huge tool call');
      emitPiece(call, text);
    },
    end(finish) {
      for (const call of calls) {
        if (call.name === '') throw malformed(host, 'a tool call has no name');
        if (call.text.trim() === '' && !(finish === 'length' && call === calls.at(-1))) {
          call.text += '{}';
          emitPiece(call, '{}');
        }
        const { index, id, name, text, provider } = call;
        emit({
          type: 'call-end',
          index,
          name,
          inputText: text,
          ...(id !== '' && { id }),
          ...(provider && { provider: { [wire]: provider } }),
        });
      }
    },
  };
}

/** Whether a call's input is a complete JSON document, so that more text would break it. */
function isWhole(call: OpenCall): boolean {
  return call.text !== '' && call.scanner.depth === 0;
}
