import type { JsonObject } from '../../core/json.ts';
import type { FinishReason } from '../../core/model/message.ts';
import { isEmptyObject, isNoInput, isSameInput, toInput } from './call-input.ts';
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

/**
 * Assembles tool calls from their pieces: emits `call` for each piece and `call-end` at the end. A piece that could be a placeholder or a
 * repetition is held back, since what was emitted stays.
 */
export interface CallAssembler {
  /** @throws AgentError `STREAM_TOO_LARGE`, or `STREAM_MALFORMED` for input that is nested too deeply */
  push(piece: CallPiece): void;
  /**
   * Emits `call-end` for every call. An empty input means `{}`, but not that of the newest call of an answer which the output limit or a
   * content filter cut off.
   *
   * @param finish why the answer ended
   * @throws AgentError `STREAM_MALFORMED` for a call without a name
   */
  end(finish: FinishReason): void;
  /** Calls so far. */
  readonly count: number;
}

interface OpenCall {
  readonly scanner: BracketScanner;
  /** Number in the answer; missing before the name was emitted. */
  index: number | undefined;
  /** Empty where there is none; so are `id` and `name`. */
  slot: string;
  id: string;
  name: string;
  text: string;
  /** Characters of `text` that were emitted. */
  sent: number;
  /** Characters of `text` up to the end of its first whole document; 0 while there is none. */
  whole: number;
  /** Whether `text` is more than white space. */
  begun: boolean;
  /** Whether the rest of `text` is emitted at the end. */
  held: boolean;
  /** Whether an earlier call has the id: this one may be a repetition of it, and is emitted at the end. */
  repeats: boolean;
  provider: JsonObject | undefined;
}

/** Characters. Longer texts are not compared with the spellings of "no input" for each piece. */
const longestNoInput = 32;

/** Names in pieces that have no name. */
const noName: ReadonlySet<string> = new Set(['null', 'undefined', 'None']);

/**
 * Creates the assembler of one answer. Providers distinguish the pieces of parallel calls by index, by id, by name or only by their
 * order, and some do so incorrectly: `find` returns the open call that a piece belongs to, `startsNewCall` whether the piece starts
 * another call there instead.
 *
 * The identity of a call is its id, then its position, then the order: by id where there is no position (Gemini's compatible endpoint) or
 * another one (relays repeat a call under the next index); by position where the id is new in each piece (early vLLM), missing, or the same
 * for all calls ("null" of Mistral, "0" of SGLang). Invariant: the same id, name and input is one call.
 *
 * @param wire the key of the opaque fields in a call's `provider`
 */
export function createCallAssembler({ emit, host, limits, tools }: ReaderOptions, wire: string): CallAssembler {
  const { calls: maxCalls = 128, call: maxChars = 1024 * 1024 } = limits ?? {};
  const calls: OpenCall[] = [];
  let emitted = 0;

  function find(slot: string, id: string): OpenCall | undefined {
    const newest = calls.at(-1);
    // Most pieces continue the newest call.
    if (id === '' && (slot === '' || newest?.slot === slot)) return newest;
    const named = id === '' ? [] : calls.filter((call) => call.id === id);
    return (
      named.findLast((call) => call.slot === slot) ??
      named.at(-1) ??
      (slot === '' ? newest : calls.findLast((call) => call.slot === slot))
    );
  }

  /** Returns the name that a piece states. A name that no tool has, in a piece that continues an input, does not count. */
  function nameIn(piece: string, id: string, call: OpenCall | undefined): string {
    if (tools?.has(piece)) return piece;
    if (noName.has(piece)) return '';
    const continues = call !== undefined && call.name !== '' && call.text !== '' && !isWhole(call);
    return tools !== undefined && continues && (id === '' || id === call.id) ? '' : piece;
  }

  function startsNewCall(call: OpenCall, slot: string, id: string, name: string, text: string): boolean {
    if (name === '') return false;
    const isOther = call.name !== '' && name !== call.name;
    // Text that could stand after a whole input: an empty object is a placeholder, a bracket is one too many.
    const begins = isWhole(call) && /^\s*[^\s}\]]/.test(text);
    const isPlaceholder = call.text.length < longestNoInput && isEmptyObject(call.text);
    // Some servers send the same id for every call of a reply.
    if (id !== '' && id === call.id) return slot === call.slot ? isOther || (begins && !isPlaceholder) : isWhole(call);
    if (isOther) return true;
    // A new id alone proves nothing: some servers generate one for each piece.
    if (id !== '' && call.id !== '') return isWhole(call) || (call.text === '' && text === '');
    return begins && !(isPlaceholder && slot !== '' && slot === call.slot);
  }

  function begin(): OpenCall {
    if (calls.length === maxCalls) throw tooLarge(host, `more than ${maxCalls} tool calls`);
    const call: OpenCall = {
      scanner: createBracketScanner(host),
      index: undefined,
      slot: '',
      id: '',
      name: '',
      text: '',
      sent: 0,
      whole: 0,
      begun: false,
      held: false,
      repeats: false,
      provider: undefined,
    };
    calls.push(call);
    return call;
  }

  /** Emits the text of a call up to `end`, with the name first. Returns the number of the call. */
  function emitUpTo(call: OpenCall, end: number): number {
    const text = end > call.sent ? call.text.slice(call.sent, end) : '';
    call.sent += text.length;
    if (call.index === undefined) {
      call.index = emitted++;
      emit({ type: 'call', index: call.index, name: call.name, text });
    } else if (text !== '') emit({ type: 'call', index: call.index, text });
    return call.index;
  }

  /**
   * Emits a piece that has just been added, up to the end of the first object. Held back is what may have no meaning: an empty object at the
   * beginning, text that is not an object, and text after a whole object.
   */
  function emitPiece(call: OpenCall, piece: string): void {
    if (call.name === '' || call.repeats) return;
    const { text, whole } = call;
    if (!call.begun || call.held) {
      if (call.index === undefined) emitUpTo(call, 0);
    } else if (whole > 0) {
      call.held = true;
      emitUpTo(call, isEmptyObject(text.slice(0, whole)) ? 0 : whole);
    } else if (call.index !== undefined && call.sent + piece.length === text.length) {
      // The common case, without a look at the text before.
      call.sent = text.length;
      if (piece !== '') emit({ type: 'call', index: call.index, text: piece });
    } else emitUpTo(call, text.length);
  }

  /** Whether a call is an earlier one again: it has the id, and the name and input or no input of its own. */
  function isRepetition(call: OpenCall, input: string): boolean {
    return (
      call.repeats &&
      calls
        .slice(0, calls.indexOf(call))
        .some(
          ({ id, name, text }) =>
            id === call.id &&
            name === call.name &&
            (call.text.trim() === '' || isSameInput(toInput(text, host), input)),
        )
    );
  }

  return {
    get count() {
      return calls.length;
    },
    push({ slot = '', id = '', name: stated = '', text = '', provider }) {
      const found = find(slot, id);
      const name = nameIn(stated, id, found);
      const call = found === undefined || startsNewCall(found, slot, id, name, text) ? begin() : found;
      call.slot ||= slot;
      if (call.id === '' && id !== '') {
        call.repeats = call.index === undefined && calls.some((earlier) => earlier.id === id);
        call.id = id;
      }
      call.name ||= name;
      if (!call.begun && text.trim() !== '') {
        call.begun = true;
        call.held = !text.trimStart().startsWith('{');
      }
      const [end] = call.scanner.push(text);
      if (end !== undefined) call.whole ||= call.text.length + end;
      call.text += text;
      if (provider) call.provider = { ...call.provider, ...provider };
      if (call.text.length + call.name.length > maxChars) throw tooLarge(host, 'a huge tool call');
      emitPiece(call, text);
    },
    end(finish) {
      for (const call of calls) {
        if (call.name === '') throw malformed(host, 'a tool call has no name');
        // An answer that was cut may lack the input of its newest call.
        const isCut = (finish === 'length' || finish === 'content-filter') && call === calls.at(-1);
        const inputText = isCut && isNoInput(call.text) ? call.text : toInput(call.text, host);
        if (isRepetition(call, inputText)) continue;
        const { id, name, provider } = call;
        call.text = inputText;
        const index = emitUpTo(call, inputText.length);
        emit({
          type: 'call-end',
          index,
          name,
          inputText,
          ...(id !== '' && { id }),
          ...(provider && { provider: { [wire]: provider } }),
        });
      }
    },
  };
}

/** Whether a call's input is complete, so that more text would break it. */
function isWhole({ text, whole, scanner }: OpenCall): boolean {
  return scanner.depth === 0 && (whole > 0 || (text !== '' && text.length < longestNoInput && isNoInput(text)));
}
