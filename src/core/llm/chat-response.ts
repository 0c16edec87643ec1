import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { FinishReason, Usage } from '../message.ts';
import { createCallTracker } from './calls.ts';
import { chatWire } from './chat-request.ts';
import { toCount, toList, toObject, toText } from './loose.ts';
import { interrupted } from './broken-answer.ts';
import type { Reader, ReaderOptions } from './reader.ts';
import { fromBase64 } from './result.ts';

/**
 * Reads an answer of OpenAI's `/chat/completions` and of all who speak it more or less: `chat.completion.chunk` objects, or one whole
 * `chat.completion`. Choice 0 only. Its tests name every habit of a service that it knows.
 */
export function createChatReader(options: ReaderOptions): Reader {
  const { host, emit, refuse } = options;
  const calls = createCallTracker(options, chatWire);
  const sources = new Map<string, string>();
  let sound = '';
  let details: JsonObject[] = [];
  let usage: JsonObject | undefined;
  let finish = '';
  let model = '';
  let begun = false;
  let ended = false;

  function say(type: 'text' | 'reasoning', said: Json | undefined): void {
    const text = toText(said);
    if (text === '') return;
    if (type === 'text') closeReasoning();
    begun = true;
    emit({ type, text });
  }

  function count(counted: Json | undefined): void {
    if (isJsonObject(counted)) usage = counted;
  }

  /** The opaque side of reasoning goes behind its last word: OpenRouter wants it back. */
  function closeReasoning(): void {
    if (details.length === 0) return;
    emit({ type: 'reasoning', text: '', provider: { [chatWire]: { reasoning_details: details } } });
    details = [];
  }

  /** Joins the pieces of one detail; else keeps them as they come, in order. */
  function addDetail(fresh: JsonObject): void {
    const last = details.at(-1);
    const goesOn = last?.type === fresh.type && last?.index === fresh.index && fresh.data === undefined;
    const before = toObject(goesOn && details.pop());
    const join = (field: string): string | undefined => toText(before[field]) + toText(fresh[field]) || undefined;
    details.push({ ...before, ...fresh, text: join('text'), summary: join('summary') });
  }

  function readCall(piece: Json | undefined, place?: string): void {
    if (!isJsonObject(piece)) return;
    closeReasoning();
    begun = true;
    calls.push(piece, place);
  }

  /** `"https://…"` or `{url, title}` */
  function addSource(source: Json | undefined): void {
    const { url = source, title } = toObject(source);
    const at = toText(url);
    if (at !== '') sources.set(at, toText(title) || (sources.get(at) ?? ''));
  }

  /** `{image_url: {url}}`, where the URL mostly holds the image itself. */
  function addImage(image: Json | undefined): void {
    const url = toText(toObject(toObject(image).image_url).url);
    const [, mediaType = 'image/*', data] = /^data:(.+?);base64,(.+)/s.exec(url) ?? [];
    if (url === '') return;
    closeReasoning();
    begun = true;
    emit({ type: 'part', part: { type: 'image', mediaType, ...(data ? { data } : { url }) } });
  }

  function readDelta(delta: JsonObject): void {
    const { content, tool_calls, function_call, audio } = delta;
    let told = '';
    for (const fresh of toList(delta.reasoning_details)) {
      if (!isJsonObject(fresh)) continue;
      addDetail(fresh);
      told += toText(fresh.text) || toText(fresh.summary);
    }
    say('reasoning', delta.reasoning_content || delta.reasoning || delta.reasoning_text || told);
    say('text', content);
    for (const piece of toList(content)) {
      const part = toObject(piece);
      say('text', part.text);
      addImage(part);
      for (const thought of toList(part.thinking)) say('reasoning', toObject(thought).text);
    }
    say('text', delta.refusal);
    toList(delta.images).forEach(addImage);
    const { transcript, data } = toObject(audio);
    say('text', transcript);
    // Each piece is base64 of its own.
    if (data) sound += fromBase64(toText(data), 'STREAM_MALFORMED');
    for (const note of toList(delta.annotations)) addSource(toObject(note).url_citation);
    for (const piece of toList(tool_calls)) readCall(piece);
    if (function_call) readCall({ function: function_call }, 'function_call');
  }

  return {
    get complete() {
      return finish !== '';
    },
    read(json, event) {
      if (ended) return;
      if (json.error || json.object === 'error' || event === 'error') throw refuse(json);
      model ||= toText(json.model);
      toList(json.citations).forEach(addSource);
      toList(json.search_results).forEach(addSource);
      const choice = toObject(toList(json.choices).find((one) => Number(toObject(one).index ?? 0) === 0));
      count(json.usage);
      count(choice.usage);
      count(toObject(json.x_groq).usage);
      // Some repeat the whole message when its pieces have come.
      readDelta(isJsonObject(choice.delta) || begun ? toObject(choice.delta) : toObject(choice.message));
      finish = toText(choice.finish_reason) || finish;
      if (finish === '') return;
      if (/error|insufficient/.test(finish) || (finish === 'model_context_window_exceeded' && !begun))
        throw refuse(finish);
    },
    end(marked) {
      if (ended) return;
      if (finish === '' && !marked) throw interrupted(host, begun);
      ended = true;
      closeReasoning();
      calls.end();
      // Samples: 16 bits, 24,000 a second, one channel.
      if (sound) emit({ type: 'part', part: { type: 'audio', mediaType: 'audio/pcm;rate=24000', data: btoa(sound) } });
      for (const [url, title] of sources)
        emit({ type: 'part', part: { type: 'source', url, ...(title !== '' && { title }) } });
      const counted = usage && toUsage(usage);
      const reason = toReason(finish, calls.count > 0);
      // There was no room for a single word.
      if (reason === 'length' && !begun && counted?.output === 0) throw refuse('context length');
      if (counted) emit({ type: 'usage', usage: counted });
      emit({ type: 'finish', reason, ...(finish !== '' && { raw: finish }), ...(model !== '' && { model }) });
    },
  };
}

/** One word for what many services say. Calls win over `stop`, which some say whatever the answer is; `tool_calls` without calls is just an end. */
export function toReason(raw: string, hasCalls: boolean): FinishReason {
  if (/length|max_tokens|context_window/.test(raw)) return 'length';
  if (/filter|sensitive|refusal|safety/i.test(raw)) return 'content-filter';
  if (hasCalls) return 'tool-calls';
  return /^(|stop.*|eos.*|end_turn|.*(tool|function).*)$/.test(raw) ? 'stop' : 'other';
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
    // xAI does not count thoughts as output; as a part of it they would be nonsense.
    ...(reasoning !== undefined && reasoning <= output && { reasoning }),
  };
}
