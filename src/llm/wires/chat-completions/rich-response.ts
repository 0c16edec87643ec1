import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { createCallTracker } from '../../transport/call-assembler.ts';
import { chatWire } from './messages.ts';
import { toList, toObject, toText } from '../../../core/model/read-json.ts';
import type { ReaderOptions } from '../../transport/reader.ts';
import { fromBase64 } from '../../../core/model/tool-result.ts';

/** How an answer's words are said, and that it has begun. */
export interface ChatText {
  say(type: 'text' | 'reasoning', said: Json | undefined): void;
  /** The fields of a delta that hold text. `thought` is said where it has no reasoning else. */
  sayAll(delta: JsonObject, thought?: string): void;
  begin(): void;
}

/** Reads what only some answers hold: calls, images, sound, sources, sealed thoughts. */
export interface ChatExtras {
  /** A document, and its delta with all its text. */
  read(json: JsonObject, delta: JsonObject): void;
  /** The opaque side of reasoning goes behind its last word: OpenRouter wants it back. */
  closeReasoning(): void;
  /** Emits what was held back. */
  end(): void;
  /** Calls so far. */
  readonly calls: number;
}

export function createChatExtras(options: ReaderOptions, { say, sayAll, begin }: ChatText): ChatExtras {
  const { emit } = options;
  const calls = createCallTracker(options, chatWire);
  const sources = new Map<string, string>();
  let sound = '';
  let details: JsonObject[] = [];

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
    begin();
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
    begin();
    emit({ type: 'part', part: { type: 'image', mediaType, ...(data ? { data } : { url }) } });
  }

  function readRest(json: JsonObject, delta: JsonObject): void {
    toList(json.citations).forEach(addSource);
    toList(json.search_results).forEach(addSource);
    let told = '';
    for (const fresh of toList(delta.reasoning_details)) {
      if (!isJsonObject(fresh)) continue;
      addDetail(fresh);
      told += toText(fresh.text) || toText(fresh.summary);
    }
    sayAll(delta, told);
    for (const piece of toList(delta.content)) {
      const part = toObject(piece);
      say('text', part.text);
      addImage(part);
      for (const thought of toList(part.thinking)) say('reasoning', toObject(thought).text);
    }
    toList(delta.images).forEach(addImage);
    const { transcript, data } = toObject(delta.audio);
    say('text', transcript);
    // Each piece is base64 of its own.
    if (data) sound += fromBase64(toText(data), 'STREAM_MALFORMED');
    for (const note of toList(delta.annotations)) addSource(toObject(note).url_citation);
  }

  return {
    get calls() {
      return calls.count;
    },
    closeReasoning,
    read(json, delta) {
      const { tool_calls, function_call } = delta;
      // Mostly it is a piece of a call and nothing else.
      if (!tool_calls || Object.keys(delta).length > 1 || json.citations || json.search_results) readRest(json, delta);
      for (const piece of toList(tool_calls)) readCall(piece);
      if (isJsonObject(function_call)) readCall({ function: function_call }, 'function_call');
    },
    end() {
      closeReasoning();
      calls.end();
      // Samples: 16 bits, 24,000 a second, one channel.
      if (sound) emit({ type: 'part', part: { type: 'audio', mediaType: 'audio/pcm;rate=24000', data: btoa(sound) } });
      for (const [url, title] of sources)
        emit({ type: 'part', part: { type: 'source', url, ...(title !== '' && { title }) } });
    },
  };
}
