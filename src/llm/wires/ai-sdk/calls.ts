import { isJsonObject, type JsonObject, parseJson } from '../../../core/json.ts';
import type { FinishReason } from '../../../core/model/message.ts';
import { isEmptyObject, isSameInput, toInput } from '../../transport/call-input.ts';
import { malformed, tooLarge } from '../../transport/stream-errors.ts';
import type { ReaderOptions } from '../../transport/reader.ts';
import { aiSdkWire, isFilled } from './opaque.ts';

/** The calls of one answer that the page has to run. */
export interface Calls {
  start(id: string, name: string): void;
  /** Adds a piece of an input. Pieces of calls that were not started belong to tools of the provider, and are ignored. */
  add(id: string, text: string): void;
  /** The whole call, which counts: what was streamed may be a part of it. */
  complete(id: string, name: string, input: string, metadata: JsonObject): void;
  /** Emits `call-end` for every call. The input of a call that was not completed stays as it arrived. */
  end(finish: FinishReason): void;
  readonly count: number;
}

interface Call {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  /** What was emitted. */
  text: string;
  /** The whole input; missing while the call is incomplete. */
  input: string | undefined;
  metadata: JsonObject;
}

/**
 * Creates the calls of one answer. Here a call is its id, and each `tool-call` of the stream is a call: the provider packages assemble the
 * pieces of their wires. Invariant: the same id, name and input is one call. Where a package has corrected what it streamed, the whole input
 * counts, and the pieces do not add up to it.
 */
export function createCalls({ emit, host, limits }: ReaderOptions): Calls {
  const { calls: maxCalls = 128, call: maxChars = 1024 * 1024 } = limits ?? {};
  const calls: Call[] = [];

  function begin(id: string, name: string): Call {
    if (calls.length === maxCalls) throw tooLarge(host, `more than ${maxCalls} tool calls`);
    if (name === '') throw malformed(host, 'a tool call has no name');
    const call: Call = { index: calls.length, id, name, text: '', input: undefined, metadata: {} };
    calls.push(call);
    emit({ type: 'call', index: call.index, name, text: '' });
    return call;
  }

  function openCall(id: string): Call | undefined {
    return calls.findLast((call) => call.id === id && call.input === undefined);
  }

  function grow(call: Call, text: string): void {
    if (text === '') return;
    call.text += text;
    if (call.text.length > maxChars) throw tooLarge(host, 'a huge tool call');
    emit({ type: 'call', index: call.index, text });
  }

  return {
    get count() {
      return calls.length;
    },
    start(id, name) {
      if (openCall(id) === undefined) begin(id, name);
    },
    add(id, text) {
      const call = openCall(id);
      if (call) grow(call, text);
    },
    complete(id, name, input, metadata) {
      const whole = toInput(input, host);
      const isRepeated = calls.some(
        (call) => call.id === id && call.name === name && call.input !== undefined && isSameInput(call.input, whole),
      );
      const open = openCall(id);
      if (isRepeated && open === undefined) return;
      const call = open ?? begin(id, name);
      call.metadata = metadata;
      call.input = whole;
      // Packages write `{}` for an input that was cut off before it began: the end decides.
      if (call.text === '' && isEmptyObject(whole)) return;
      if (whole.startsWith(call.text)) grow(call, whole.slice(call.text.length));
      // The same input written in another way is what was streamed, and so is a text that is not JSON: OpenAI's custom tools.
      if (isSameInput(call.text, whole) || !isJsonObject(parseJson(whole))) call.input = call.text;
    },
    end(finish) {
      for (const call of calls) {
        const { index, id, name, metadata } = call;
        // An answer that was cut may lack the input of its newest call.
        const isCut = (finish === 'length' || finish === 'content-filter') && index === calls.length - 1;
        if (call.text === '' && call.input !== undefined && !isCut) grow(call, call.input);
        const inputText = call.text === '' ? '' : (call.input ?? call.text);
        emit({
          type: 'call-end',
          index,
          name,
          inputText,
          ...(id !== '' && { id }),
          ...(isFilled(metadata) && { provider: { [aiSdkWire]: metadata } }),
        });
      }
    },
  };
}
