import { defined, isJsonObject, type JsonObject } from '../core/json.ts';
import type { Part } from '../core/model/message.ts';
import { toList, toObject, toText, toWord } from '../core/model/read-json.ts';
import { reasoningPart, sourcePart, textPart } from './blocks.ts';
import { type Conversation, createSketch, type Sketch } from './conversation.ts';
import { toUsage } from './facts.ts';
import { endedCall, textCall } from './foreign-call.ts';
import { mediaPart } from './media.ts';
import { inTreeOrder } from './message-tree.ts';
import { roles } from './roles.ts';
import { timeOf } from './time.ts';
import type { Draft } from './transcript.ts';

// An export of LobeChat: `{ exportType, state: { messages, sessions, topics }, version }` (lobehub/lobe-chat, src/types/exportConfig.ts before
// version 2), or the tables of its database, `{ data: { messages, topics, messagePlugins, … }, mode, schemaHash }`
// (packages/types/src/export.ts, `ImportPgDataStructure`; rows as packages/types/src/message/db/item.ts), with the messages of all conversations
// in one flat list; or one topic, `{ exportedAt, messages, title, version: '2.0' }` (`ExportedTopic` in the same file).

/** Whether a value is an export of LobeChat. */
export function isLobeChat(value: JsonObject): boolean {
  const isConfig = isJsonObject(value.state) && (value.exportType !== undefined || Array.isArray(value.state.messages));
  return (
    isConfig ||
    isTopic(value) ||
    (isJsonObject(value.data) && (value.mode !== undefined || value.schemaHash !== undefined))
  );
}

function isTopic({ exportedAt, version, messages }: JsonObject): boolean {
  return exportedAt !== undefined && version === '2.0' && Array.isArray(messages);
}

/** The tables of an export that say more about messages, each by the id that messages have. */
interface Tables {
  readonly plugins: ReadonlyMap<string, JsonObject>;
  readonly files: ReadonlyMap<string, readonly JsonObject[]>;
}

/** Reads the conversations of an export: one for each topic, and one for what is in none. */
export function readLobeChat(value: JsonObject, now: number): readonly Conversation[] {
  const tables = isTopic(value) ? value : isJsonObject(value.state) ? value.state : toObject(value.data);
  const more: Tables = { plugins: byId(tables.messagePlugins), files: filesByMessage(tables) };
  const topics = byId(tables.topics);
  const sessions = byId(tables.sessions);
  const agents = byId(tables.agents);
  const groups = new Map<string, JsonObject[]>();
  for (const message of toList(tables.messages).map(toObject)) {
    const { sessionId, agentId, topicId, threadId } = message;
    const owner = toText(sessionId) || toText(agentId) || 'inbox';
    const key = [toText(topicId) || owner, toText(threadId)].filter((id) => id !== '').join('-');
    groups.set(key, [...(groups.get(key) ?? []), message]);
  }
  return [...groups].map(([id, messages]) => {
    const [first = {}] = messages;
    const session = toObject(sessions.get(toText(first.sessionId)) ?? agents.get(toText(first.agentId)));
    const title =
      toText(toObject(topics.get(toText(first.topicId))).title) ||
      toText(toObject(session.meta).title) ||
      toText(session.title) ||
      toText(value.title);
    return readGroup({ id, title, messages }, more, now);
  });
}

interface Group {
  readonly id: string;
  readonly title: string;
  readonly messages: readonly JsonObject[];
}

function readGroup({ id, title, messages }: Group, tables: Tables, now: number): Conversation {
  const sorted = inTimeOrder(messages);
  const sketch = createSketch(timeOf(sorted[0] ?? {}) ?? now);
  const ids = new Set(sorted.map((one) => toText(one.id)));
  // Only where each message names the one before it are two with the same parent versions.
  const isTree = sorted.length > 1 && sorted.slice(1).every((one) => ids.has(toText(one.parentId)));
  const nodes = sorted.map((one) => ({ id: toText(one.id), parent: isTree ? toText(one.parentId) : '', value: one }));
  const places = new Map<string, Draft | undefined>();
  for (const { id: own, parent, value: message } of isTree ? inTreeOrder(nodes) : nodes) {
    if (isTree) sketch.transcript.goTo(places.get(parent));
    addMessage(message, tables, sketch);
    places.set(own, sketch.transcript.place());
  }
  return sketch.end({ id, title, current: isTree ? (places.get(shownLeaf(sorted))?.id ?? '') : '' });
}

/** A message without a time stays after the one before it. */
function inTimeOrder(messages: readonly JsonObject[]): readonly JsonObject[] {
  let latest = 0;
  return messages
    .map((message) => ({ message, time: (latest = timeOf(message) ?? latest) }))
    .toSorted((one, other) => one.time - other.time)
    .map(({ message }) => message);
}

/** Returns the id of the last message that LobeChat shows: `metadata.activeBranchIndex` of a message chooses among those after it. */
function shownLeaf(messages: readonly JsonObject[]): string {
  let last = toObject(messages[0]);
  for (let steps = 0; steps < messages.length; steps++) {
    const after = messages.filter(({ parentId }) => toText(parentId) === toText(last.id) && toText(last.id) !== '');
    const { activeBranchIndex: active } = toObject(last.metadata);
    const next = (typeof active === 'number' ? after[active] : undefined) ?? after.at(-1);
    if (!next) break;
    last = next;
  }
  return toText(last.id);
}

function addMessage(message: JsonObject, tables: Tables, { transcript, tally }: Sketch): void {
  const id = toText(message.id);
  transcript.setTime(timeOf(message));
  const plugin = toObject(message.plugin ?? tables.plugins.get(id));
  const { content, model, reasoning, search, error, extra, metadata, tools } = message;
  if (message.role === 'tool' || message.role === 'function') return addResult();
  const role = roles.get(message.role);
  if (role === undefined) return tally.leave(toWord(message.role) || 'message', 'unknown');
  const facts = defined({
    model: toText(model) || toText(toObject(extra).fromModel) || undefined,
    usage: toUsage(toObject(metadata).usage ?? metadata),
  });
  const before = transcript.place();
  const draft = transcript.add(role, [], { ...(role === 'assistant' && facts), id });
  draft.content.push(...reasoningPart(toText(toObject(reasoning).content) || toText(reasoning)));
  // `...` is the answer while it is awaited.
  draft.content.push(...textPart(toText(content) === '...' ? '' : toText(content)));
  for (const call of toList(tools).map(toObject))
    transcript.addCall(toText(call.id), textCall(nameOf(call), toText(call.arguments) || '{}', 'input'));
  for (const { url, title } of toList(toObject(search).citations).map(toObject))
    draft.content.push(...sourcePart(toText(url), toText(title)));
  draft.content.push(...media(message, tables));
  if (error) tally.leave('error', 'note');
  if (draft.content.length > 0) return;
  transcript.goTo(before);
  if (!error) tally.leave('message', 'empty');

  /** A result; before version 1, of a call that only the message of the result names. */
  function addResult(): void {
    const key = toText(message.tool_call_id) || toText(plugin.toolCallId);
    const failure = message.pluginError ?? plugin.error;
    const result = { output: toText(content) || (failure ?? ''), isError: Boolean(failure) };
    if (key !== '' && transcript.addResult(key, result)) return;
    if (toText(plugin.apiName) === '') return tally.leave('result', 'without-call');
    const call = textCall(nameOf(plugin), toText(plugin.arguments) || '{}', 'input');
    transcript.addCall(key || id, endedCall(call, result));
  }

  function media(one: JsonObject, { files }: Tables): readonly Part[] {
    const images = toList(one.imageList).map((image) => ({ ...toObject(image), fileType: 'image/*' }));
    const own: readonly JsonObject[] = [...images, ...toList(one.fileList).map(toObject), ...(files.get(id) ?? [])];
    const named = own.length === 0 ? toList(one.files).length : 0;
    tally.leave('file', 'not-in-file', named);
    return own.flatMap((file) => {
      const name = toText(file.name ?? file.alt);
      const part = mediaPart({ mediaType: toText(file.fileType), url: toText(file.url), name });
      if (part) return [part];
      tally.leave(toText(file.fileType).startsWith('image/') ? 'image' : 'file', 'not-in-file');
      return [];
    });
  }
}

/** LobeChat sends a tool under this name. */
function nameOf({ identifier, apiName }: JsonObject): string {
  return [toText(identifier), toText(apiName)].filter((name) => name !== '').join('____');
}

function byId(rows: JsonObject[string]): ReadonlyMap<string, JsonObject> {
  return new Map(
    toList(rows)
      .map(toObject)
      .map((row) => [toText(row.id), row]),
  );
}

function filesByMessage(tables: JsonObject): ReadonlyMap<string, readonly JsonObject[]> {
  const files = byId(tables.files);
  const found = new Map<string, JsonObject[]>();
  for (const { messageId, fileId } of toList(tables.messagesFiles).map(toObject)) {
    const file = files.get(toText(fileId)) ?? {};
    found.set(toText(messageId), [...(found.get(toText(messageId)) ?? []), file]);
  }
  return found;
}
