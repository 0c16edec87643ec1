import { isJsonObject, parseJson, type Json, type JsonObject } from '../core/json.ts';
import type { Part } from '../core/model/message.ts';
import { toList, toObject, toText, toWord } from '../core/model/read-json.ts';
import { reasoningPart, sourcePart, textPart, toParts } from './blocks.ts';
import { type Conversation, createSketch, type Sketch } from './conversation.ts';
import { toUsage } from './facts.ts';
import { endedCall, type ForeignCall, openCall, textCall } from './foreign-call.ts';
import { mediaPart, textFile } from './media.ts';
import { inTreeOrder } from './message-tree.ts';
import { roles } from './roles.ts';
import type { Tally } from './tally.ts';
import { toTime } from './time.ts';
import type { Draft } from './transcript.ts';

// An element of an export of chats of Open WebUI: `{ id, title, chat: { history: { messages, currentId } }, created_at, … }`
// (open-webui/open-webui, backend/open_webui/models/chats.py and src/lib/components/chat/Chat.svelte). Reasoning and calls are in the text,
// as `<details type="reasoning">` and `<details type="tool_calls">` (backend/open_webui/utils/middleware.py). Times are in seconds.

/** Whether a value is a chat of Open WebUI. */
export function isOpenWebUI(value: JsonObject): boolean {
  const { history, messages } = chatOf(value);
  return isJsonObject(toObject(history).messages) || (isJsonObject(value.chat) && Array.isArray(messages));
}

/** Reads a chat of Open WebUI. Regenerated answers, and those of several models, are versions. */
export function readOpenWebUI(value: JsonObject, now: number): Conversation {
  const chat = chatOf(value);
  const sketch = createSketch(toTime(value.created_at ?? chat.timestamp) ?? now);
  const { messages, currentId } = toObject(chat.history);
  const isTree = isJsonObject(messages);
  const list = (isTree ? Object.values(messages) : toList(chat.messages)).map(toObject);
  const ids = list.map(({ id }, index) => toText(id) || `m${index + 1}`);
  const nodes = list.map((one, index) => ({
    id: ids[index] ?? '',
    parent: isTree ? toText(one.parentId) : (ids[index - 1] ?? ''),
    value: one,
  }));
  const system = toText(toObject(chat.params).system) || toText(chat.system);
  const start = system === '' ? undefined : sketch.transcript.add('system', textPart(system), { id: 'system' });
  const places = new Map<string, Draft | undefined>();
  for (const { id, parent, value: message } of inTreeOrder(nodes)) {
    sketch.transcript.goTo(places.get(parent) ?? start);
    addMessage(id, message, sketch);
    places.set(id, sketch.transcript.place());
  }
  sketch.tally.leave('file', 'note', toList(chat.files).length);
  return sketch.end({
    id: toText(value.id) || toText(chat.id),
    title: toText(value.title) || toText(chat.title),
    current: places.get(toText(currentId))?.id ?? '',
  });
}

function chatOf(value: JsonObject): JsonObject {
  return isJsonObject(value.chat) ? value.chat : value;
}

function addMessage(id: string, message: JsonObject, { transcript, tally }: Sketch): void {
  const { content, model, usage, info, sources, files, error, timestamp } = message;
  const role = roles.get(message.role);
  transcript.setTime(toTime(timestamp));
  if (role === undefined) return tally.leave(toWord(message.role) || 'message', 'unknown');
  const used = toUsage(usage ?? info);
  const facts = { ...(toText(model) && { model: toText(model) }), ...(used && { usage: used }) };
  const before = transcript.place();
  const draft = transcript.add(role, [], { ...(role === 'assistant' && facts), id });
  if (typeof content !== 'string') draft.content.push(...toParts(content, tally));
  else if (role === 'assistant') addAnswer(draft, content, { transcript, tally });
  else draft.content.push(...textPart(content));
  draft.content.push(...toList(files).flatMap((file) => fileParts(toObject(file), tally)));
  draft.content.push(...toList(sources ?? message.citations).flatMap((source) => sourceParts(toObject(source), tally)));
  if (error) tally.leave('error', 'note');
  if (draft.content.length > 0) return;
  transcript.goTo(before);
  if (!error) tally.leave('message', 'empty');
}

/** Adds an answer: its text, reasoning and calls. */
function addAnswer(
  { content: parts }: Draft,
  content: string,
  { transcript, tally }: Pick<Sketch, 'transcript' | 'tally'>,
): void {
  let end = 0;
  const addText = (text: string): void => void parts.push(...textPart(text.trim()));
  for (const found of content.matchAll(details)) {
    const [all, type = '', attributes = '', body = ''] = found;
    addText(content.slice(end, found.index));
    end = found.index + all.length;
    const text = body.replace(/<summary>[^]*?<\/summary>/, '').trim();
    if (type === 'reasoning') parts.push(...reasoningPart(unescape(text.replaceAll(/^(> ?|&gt; ?)/gm, ''))));
    else if (type === 'tool_calls') {
      const { id, call } = callOf(attributes, text);
      transcript.addCall(id, call);
    } else tally.leave(type, 'unknown');
  }
  addText(content.slice(end));
}

const details = /<details type="(reasoning|tool_calls|code_interpreter)"([^>]*)>([^]*?)<\/details>/g;

function callOf(attributes: string, body: string): { readonly id: string; readonly call: ForeignCall } {
  const read = (name: string): string | undefined => {
    const value = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
    return value === undefined ? undefined : unescape(value);
  };
  const name = read('name') ?? '';
  const given = unquoted(read('arguments') ?? '');
  const call = typeof given === 'string' ? textCall(name, given || '{}', 'input') : openCall(name, given);
  const result = read('result') ?? (body === '' ? undefined : unescape(body));
  const ended = result === undefined ? call : endedCall(call, { output: unquoted(result), isError: false });
  return { id: read('id') ?? '', call: ended };
}

/** Arguments and results are JSON, often twice: a text that is JSON. */
function unquoted(text: string): Json {
  const once = parseJson(text);
  if (typeof once !== 'string') return once ?? text;
  return parseJson(once) ?? once;
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#x27;', "'"],
  ['&#39;', "'"],
  ['&amp;', '&'],
]);

/** The inverse of `html.escape` of Python. */
function unescape(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|amp|#x27|#39);/g, (entity) => entities.get(entity) ?? entity);
}

/** A file of a message: a picture with its content or its address in Open WebUI, or a document with its text. */
function fileParts(file: JsonObject, tally: Tally): readonly Part[] {
  const { type, url, file: own, name } = file;
  const { data, meta, filename } = toObject(own);
  const text = toText(toObject(data).content) || toText(toObject(file.data).content);
  const label = toText(name) || toText(filename) || toText(toObject(meta).name);
  const isImage = type === 'image' || toText(file.content_type).startsWith('image/');
  const part = isImage ? mediaPart({ kind: 'image', url: toText(url), name: label }) : text && textFile(text, label);
  if (part) return [part];
  tally.leave(isImage ? 'image' : 'file', 'not-in-file');
  return [];
}

/** A source of an answer: pages have an address; passages of documents are only counted. */
function sourceParts({ source, metadata }: JsonObject, tally: Tally): readonly Part[] {
  const { url, name } = toObject(source);
  const own: JsonObject = { source: url, title: name };
  const pages = new Map<string, string>();
  for (const page of [own, ...toList(metadata).map(toObject)]) {
    const address = [toText(page.url), toText(page.source)].find((one) => /^https?:/i.test(one));
    if (address !== undefined && !pages.has(address)) pages.set(address, toText(page.title));
  }
  if (pages.size === 0) tally.leave('source', 'not-in-file');
  return [...pages].flatMap(([address, title]) => sourcePart(address, title));
}
