import type { JsonObject } from '../core/json.ts';
import { toList, toObject, toText, toWord } from '../core/model/read-json.ts';
import { blockCall } from './block-calls.ts';
import { blockParts, textPart } from './blocks.ts';
import { type Conversation, createSketch, type Sketch } from './conversation.ts';
import { textFile } from './media.ts';
import { inTreeOrder } from './message-tree.ts';
import { toOutput } from './output.ts';
import { roles } from './roles.ts';
import { toTime } from './time.ts';
import type { Draft } from './transcript.ts';

// An element of `conversations.json` of the data export of claude.ai. Anthropic does not document it; the fields are those that
// Sinity/polylogue, docs/providers/claude-ai.md, and yetanotherchris/openwebui-importer describe, and those of
// withLinda/claude-conversation-exporter, which saves what the page of a conversation loads (`current_leaf_message_uuid`).

/** Parent of the first message. */
const root = '00000000-0000-4000-8000-000000000000';

/** Whether a value is a conversation of claude.ai. */
export function isClaude({ chat_messages: messages }: JsonObject): boolean {
  return Array.isArray(messages);
}

/** Reads a conversation of claude.ai. Edited questions and retried answers are versions, where the file names the message before. */
export function readClaude(value: JsonObject, now: number): Conversation {
  const sketch = createSketch(toTime(value.created_at) ?? now);
  const messages = toList(value.chat_messages).map(toObject);
  const isTree = messages.some((one) => toText(one.parent_message_uuid) !== '');
  const nodes = messages.map((one, index) => {
    const before = isTree ? toText(one.parent_message_uuid) : toText(messages[index - 1]?.uuid);
    return { id: toText(one.uuid) || `m${index + 1}`, parent: before === root ? '' : before, value: one };
  });
  const places = new Map<string, Draft | undefined>();
  for (const { id, parent, value: message } of isTree ? inTreeOrder(nodes) : nodes) {
    if (isTree) sketch.transcript.goTo(places.get(parent));
    addMessage(id, message, sketch);
    places.set(id, sketch.transcript.place());
  }
  const newest = messages.toSorted((one, other) => (toTime(other.created_at) ?? 0) - (toTime(one.created_at) ?? 0))[0];
  const leaf = toText(value.current_leaf_message_uuid) || (isTree ? toText(newest?.uuid) : '');
  const current = places.get(leaf)?.id ?? '';
  return sketch.end({ id: toText(value.uuid), title: toText(value.name), current });
}

function addMessage(id: string, message: JsonObject, { transcript, tally }: Sketch): void {
  const role = roles.get(message.sender ?? message.role);
  transcript.setTime(toTime(message.created_at));
  if (role === undefined) return tally.leave(toWord(message.sender) || 'message', 'unknown');
  const before = transcript.place();
  const draft = transcript.add(role, [], { id });
  const blocks = toList(message.content);
  if (blocks.length === 0) draft.content.push(...textPart(toText(message.text)));
  for (const block of blocks) {
    const call = blockCall(block);
    if (call) transcript.addCall(call.id, call.call);
    else if (toText(toObject(block).type).endsWith('tool_result')) addResult(toObject(block));
    else if (toObject(block).type === 'token_budget' || toObject(block).type === 'flag')
      tally.leave('token_budget', 'note');
    else draft.content.push(...blockParts(block, tally));
  }
  for (const { file_name: name, file_type: type, extracted_content: text } of toList(message.attachments).map(
    toObject,
  )) {
    if (toText(text) === '') tally.leave('file', 'not-in-file');
    else draft.content.push(textFile(toText(text), toText(name), mimeOf(toText(type))));
  }
  const files = toList(message.files).map(toObject);
  for (const file of files) tally.leave(isPicture(file) ? 'image' : 'file', 'not-in-file');
  if (draft.content.length > 0) return;
  transcript.goTo(before);
  if (files.length === 0) tally.leave('message', 'empty');

  /** Older exports state no ids of calls. */
  function addResult({ tool_use_id: callId, content, is_error: failed, name }: JsonObject): void {
    const isAdded = transcript.addResult(toText(callId), { output: toOutput(content), isError: failed === true });
    if (!isAdded) tally.leave(toText(name) || 'result', 'without-call');
  }
}

/** `file_type` is a MIME type, or an ending. */
function mimeOf(type: string): string {
  return type.startsWith('text/') ? type : 'text/plain';
}

function isPicture({ file_kind: kind, file_name: name }: JsonObject): boolean {
  return kind === 'image' || /\.(png|jpe?g|gif|webp)$/i.test(toText(name));
}
