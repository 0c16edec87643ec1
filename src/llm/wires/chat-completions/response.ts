import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Usage } from '../../../core/model/message.ts';
import { toCount, toList, toObject, toText } from '../../../core/model/read-json.ts';
import { fromBase64 } from '../../../core/model/tool-result.ts';
import { createCallAssembler } from '../../transport/call-assembler.ts';
import { toFinishReason } from '../../transport/finish-reason.ts';
import type { Reader, ReaderOptions } from '../../transport/reader.ts';
import { unfinished } from '../../transport/stream-errors.ts';
import type { ChatCompat } from './compat.ts';
import { chatWire } from './messages.ts';
import { addDetail, addSource, toCallPiece, toImagePart } from './pieces.ts';

/**
 * Creates the reader of one answer of OpenAI's `/chat/completions` and of the services that are compatible with it, more or less:
 * `chat.completion.chunk` objects, or one whole `chat.completion`. Only choice 0 is read. The tests name every deviation of a service
 * that the reader handles.
 *
 * An answer that ends at `[DONE]` or with its document, but without a finish reason, has the finish `unknown`: a relay that lost the rest
 * of the answer writes the same.
 */
export function createChatReader(options: ReaderOptions, { finishReason = true }: ChatCompat = {}): Reader {
  const { host, emit, toError } = options;
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
  /** Whether a document contained choice 0. */
  let answered = false;
  let ended = false;

  function emitText(type: 'text' | 'reasoning', value: Json | undefined): void {
    const text = toText(value);
    if (text === '') return;
    if (type === 'text') closeReasoning();
    begun = true;
    emit({ type, text });
  }

  /** Emits the string fields of a delta. `detail` is the reasoning of a delta that has no other. */
  function emitTexts(delta: JsonObject, detail?: string): void {
    emitText('reasoning', delta.reasoning_content || delta.reasoning || delta.reasoning_text || detail);
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
    for (const fresh of toList(delta.reasoning_details)) {
      if (!isJsonObject(fresh)) continue;
      addDetail(details, fresh);
      detail += toText(fresh.text) || toText(fresh.summary);
    }
    emitTexts(delta, detail);
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
      if (json.error || json.object === 'error' || event === 'error') throw toError(json);
      const first = toList(json.choices).find(isFirst);
      answered ||= first !== undefined;
      const choice = toObject(first);
      model ||= toText(json.model);
      readUsage(json, choice);
      // Some services repeat the whole message after its pieces.
      const delta = toObject(isJsonObject(choice.delta) || begun ? choice.delta : choice.message);
      const { tool_calls, function_call } = delta;
      // Most deltas contain text alone.
      if (isTextOnly(json, delta)) emitTexts(delta);
      else {
        readContent(json, delta);
        for (const piece of toList(tool_calls)) readCall(piece);
        // Some services send an empty `function_call` beside every text.
        if (Object.keys(toObject(function_call)).length > 0) readCall({ function: function_call }, 'function_call');
      }
      finish = toText(choice.finish_reason) || finish;
      if (finish === '') return;
      if (/error|insufficient/.test(finish) || (finish === 'model_context_window_exceeded' && !begun))
        throw toError(finish);
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
