import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { LLMRequest } from '../../../core/model/llm.ts';
import type { Usage } from '../../../core/model/message.ts';
import { toCount, toList, toObject, toPiece, toText } from '../../../core/model/read-json.ts';
import { fromBase64 } from '../../../core/model/tool-result.ts';
import { createCallAssembler } from '../../transport/call-assembler.ts';
import { isFailure, toFailure, toFinishReason } from '../../transport/finish-reason.ts';
import type { Reader, ReaderOptions } from '../../transport/reader.ts';
import { unfinished } from '../../transport/stream-errors.ts';
import { toolNames } from '../../transport/wire-name.ts';
import type { ChatCompat } from './compat.ts';
import { chatWire } from './messages.ts';
import { addDetail, addSource, toCallPiece, toImagePart } from './pieces.ts';
import { toReportedError } from './reported-error.ts';

/** What the reader knows of the request. */
export interface ChatReading extends ReaderOptions {
  /** Whether the request asks for several choices; only choice 0 is read then. */
  readonly hasChoices?: boolean;
}

/** Adds what the reader needs to know of the request. */
export function toReading(reading: ReaderOptions, { tools, providerParams }: LLMRequest): ChatReading {
  return { ...reading, tools: toolNames(tools), hasChoices: Number(providerParams?.n ?? 1) > 1 };
}

/**
 * Creates the reader of one answer of OpenAI's `/chat/completions` and of the services that are compatible with it, more or less:
 * `chat.completion.chunk` objects, or one whole `chat.completion`. One choice is read: the only one of a document, whatever its index
 * (Foundry Local counts it up), else choice 0. The tests name every deviation of a service that the reader handles.
 *
 * An answer that ends at `[DONE]` or with its document, but without a finish reason, has the finish `unknown`: a relay that lost the rest
 * of the answer writes the same.
 */
export function createChatReader(options: ChatReading, { finishReason = true }: ChatCompat = {}): Reader {
  const { host, emit, toError, hasChoices = false } = options;
  const calls = createCallAssembler(options, chatWire);
  /** Title by URL; empty where there is none. */
  const sources = new Map<string, string>();
  /** Opaque reasoning details that have not been emitted yet. */
  let details: JsonObject[] = [];
  /** Decoded audio, one character a byte. */
  let audio = '';
  let usage: JsonObject | undefined;
  let finish = '';
  let model = '';
  let begun = false;
  /** Whether text and reasoning have arrived. */
  const arrived = { text: false, reasoning: false };
  /** Whether a document contained choice 0. */
  let answered = false;
  let ended = false;

  function emitText(type: 'text' | 'reasoning', value: Json | undefined): void {
    const text = toPiece(value);
    if (text === '') return;
    if (type === 'text') closeReasoning();
    begun = true;
    arrived[type] = true;
    emit({ type, text });
  }

  /** Emits the scalar fields of a delta. `detail` is the reasoning of a delta that has no other; `gap` precedes it. */
  function emitTexts(delta: JsonObject, detail = '', gap = ''): void {
    const { reasoning_content, reasoning, reasoning_text } = delta;
    const thought = toPiece(reasoning_content) || toPiece(reasoning) || toPiece(reasoning_text) || detail;
    emitText('reasoning', thought && gap + thought);
    emitText('text', delta.content);
    emitText('text', delta.refusal);
  }

  /** The opaque details follow the last word of the reasoning: OpenRouter requires them in the next request. */
  function closeReasoning(): void {
    if (details.length === 0) return;
    emit({ type: 'reasoning', text: '', provider: { [chatWire]: { reasoning_details: details } } });
    details = [];
  }

  function readCall(piece: Json | undefined, slot?: string): void {
    if (!isJsonObject(piece)) return;
    closeReasoning();
    begun = true;
    calls.push(toCallPiece(piece, slot));
  }

  function emitImage(image: Json | undefined): void {
    const part = toImagePart(image);
    if (part === undefined) return;
    closeReasoning();
    begun = true;
    emit({ type: 'part', part });
  }

  /** Reads everything a delta may contain but calls. */
  function readContent(json: JsonObject, delta: JsonObject): void {
    for (const source of toList(json.citations)) addSource(sources, source);
    for (const source of toList(json.search_results)) addSource(sources, source);
    let detail = '';
    let gap = '';
    for (const fresh of toList(delta.reasoning_details)) {
      if (!isJsonObject(fresh)) continue;
      const text = toPiece(fresh.text) || toPiece(fresh.summary);
      const follows = hasText(details);
      // Entries are separated by their index alone.
      const isNext = addDetail(details, fresh) && follows && text !== '';
      if (isNext && detail === '') gap = blankLine;
      detail += isNext && detail !== '' ? blankLine + text : text;
    }
    emitTexts(delta, detail, gap);
    for (const block of toList(delta.content)) {
      const part = toObject(block);
      emitText('text', part.text);
      emitImage(part);
      for (const thought of toList(part.thinking)) emitText('reasoning', toObject(thought).text);
    }
    toList(delta.images).forEach(emitImage);
    const { transcript, data } = toObject(delta.audio);
    emitText('text', transcript);
    // Each piece is base64 of its own.
    if (data) audio += fromBase64(toText(data), 'STREAM_MALFORMED');
    for (const note of toList(delta.annotations)) addSource(sources, toObject(note).url_citation);
  }

  function readDelta(json: JsonObject, delta: JsonObject): void {
    // Most deltas contain text alone.
    if (isTextOnly(json, delta)) return emitTexts(delta);
    readContent(json, delta);
    for (const piece of toList(delta.tool_calls)) readCall(piece);
    const { function_call } = delta;
    // Some services send an empty `function_call` beside every text.
    if (Object.keys(toObject(function_call)).length > 0) readCall({ function: function_call }, 'function_call');
  }

  /** Returns the fields of a whole message of which nothing has arrived in pieces. Sources are counted once in any case. */
  function whatIsNew(message: JsonObject): JsonObject {
    if (!begun) return message;
    const { content, refusal, annotations, tool_calls, function_call } = message;
    const { reasoning_content, reasoning, reasoning_text } = message;
    return {
      annotations,
      ...(!arrived.text && { content, refusal }),
      ...(!arrived.reasoning && { reasoning_content, reasoning, reasoning_text }),
      ...(calls.count === 0 && { tool_calls, function_call }),
    };
  }

  function readUsage(json: JsonObject, choice: JsonObject): void {
    if (isJsonObject(json.usage)) ({ usage } = json);
    if (isJsonObject(choice.usage)) ({ usage } = choice);
    const { usage: groq } = toObject(json.x_groq);
    if (isJsonObject(groq)) usage = groq;
  }

  return {
    get complete() {
      return finish !== '';
    },
    read(json, event) {
      if (ended) return;
      const error = toReportedError(json, event);
      if (error !== undefined) throw toError(error);
      const choices = toList(json.choices);
      const first = choices.length === 1 && !hasChoices ? choices[0] : choices.find(isFirst);
      answered ||= first !== undefined;
      const choice = toObject(first);
      model ||= toText(json.model);
      readUsage(json, choice);
      readDelta(json, toObject(choice.delta));
      finish = toText(choice.finish_reason) || finish;
      // Some services repeat the whole message after its pieces, or send a part of it only there.
      if (isJsonObject(choice.message) && (finish !== '' || !isJsonObject(choice.delta)))
        readDelta(json, whatIsNew(choice.message));
      if (finish === '') return;
      if (isFailure(finish)) throw toError(toFailure(finish));
      if (/context_window/i.test(finish) && !begun) throw toError(finish);
    },
    end(by) {
      if (ended) return;
      if (finish === '' && (by === 'close' || !answered)) throw unfinished(host, begun, by);
      ended = true;
      closeReasoning();
      const reason = finish === '' && finishReason ? 'unknown' : toFinishReason(finish, calls.count > 0);
      calls.end(reason);
      // Samples: 16 bits, 24,000 a second, one channel.
      if (audio) emit({ type: 'part', part: { type: 'audio', mediaType: 'audio/pcm;rate=24000', data: btoa(audio) } });
      for (const [url, title] of sources)
        emit({ type: 'part', part: { type: 'source', url, ...(title !== '' && { title }) } });
      const counted = usage && toUsage(usage);
      // The context window had no room for a single token.
      if (reason === 'length' && !begun && counted?.output === 0) throw toError('context length');
      if (counted) emit({ type: 'usage', usage: counted });
      emit({ type: 'finish', reason, ...(finish !== '' && { raw: finish }), ...(model !== '' && { model }) });
    },
  };
}

/** Between pieces that the wire separates by an index. */
const blankLine = '\n\n';

function hasText(details: readonly JsonObject[]): boolean {
  return details.some(({ text, summary }) => toText(text) + toText(summary) !== '');
}

/** Choice 0; its index may be missing. */
function isFirst(choice: Json): boolean {
  return Number(toObject(choice).index ?? 0) === 0;
}

/** Whether `emitTexts` reads all that a document contains. A field that is present but empty may give `false`, at the cost of time only. */
function isTextOnly({ citations, search_results }: JsonObject, delta: JsonObject): boolean {
  return !(
    delta.tool_calls ||
    delta.function_call ||
    delta.reasoning_details ||
    delta.images ||
    delta.audio ||
    delta.annotations ||
    citations ||
    search_results ||
    Array.isArray(delta.content)
  );
}

function toUsage(raw: JsonObject): Usage {
  const input = toObject(raw.prompt_tokens_details);
  const output = toCount(raw.completion_tokens, raw.output_tokens) ?? 0;
  const cached = toCount(input.cached_tokens, raw.prompt_cache_hit_tokens, raw.cached_tokens);
  const reasoning = toCount(toObject(raw.completion_tokens_details).reasoning_tokens);
  return {
    input: toCount(raw.prompt_tokens, raw.input_tokens) ?? 0,
    output,
    ...(cached !== undefined && { cached }),
    // xAI does not count reasoning as output; as a part of the output the number would be wrong.
    ...(reasoning !== undefined && reasoning <= output && { reasoning }),
  };
}
