import { defined, isJsonObject, parseJson, type Json, type JsonObject } from '../core/json.ts';
import { isToolPart, type Part } from '../core/model/message.ts';
import { toList, toObject, toText, toWord } from '../core/model/read-json.ts';
import { reasoningPart, sourcePart, textPart } from './blocks.ts';
import { type Conversation, createSketch, type Sketch } from './conversation.ts';
import { toFinish } from './facts.ts';
import { openCall, textCall } from './foreign-call.ts';
import { inTreeOrder } from './message-tree.ts';
import { roles } from './roles.ts';
import type { Tally } from './tally.ts';
import { toTime } from './time.ts';
import type { Draft } from './transcript.ts';

// An element of `conversations.json` of ChatGPT's data export. OpenAI does not document it; the fields are those in
// mitkury/chatgpt-export-parser, docs/chatgpt-data-export-format.md, and in the readers of open-webui/open-webui, src/lib/utils/index.ts
// (`convertOpenAIMessages`), and of danny-avila/LibreChat, api/server/utils/import/importers.js.

/** Whether a value is a conversation of ChatGPT. */
export function isChatGPT({ mapping }: JsonObject): boolean {
  return isJsonObject(mapping);
}

/** Reads a conversation of ChatGPT. Edited questions and regenerated answers are versions. */
export function readChatGPT(value: JsonObject, now: number): Conversation {
  const start = toTime(value.create_time) ?? now;
  const sketch = createSketch(start);
  const nodes = Object.entries(toObject(value.mapping)).map(([id, node]) => ({ id, node: toObject(node) }));
  const order = childOrder(nodes);
  const tree = nodes
    .map(({ id, node }) => ({ id, parent: toText(node.parent), value: node }))
    .toSorted((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
  /** The message that each node is in, or follows, and how many parts it had then. */
  const places = new Map<string, { readonly draft: Draft | undefined; readonly length: number }>();
  /** Nodes whose first child has been read. */
  const followed = new Set<string>();
  for (const { id, parent, value: node } of inTreeOrder(tree)) {
    const isVersion = followed.has(parent);
    followed.add(parent);
    const { draft, length = 0 } = places.get(parent) ?? {};
    // Where the first child has continued the message of its parent, the others are versions of that message.
    const isContinued = isVersion && draft !== undefined && draft.content.length > length;
    sketch.transcript.goTo(isContinued ? draft.parent : draft);
    if (isJsonObject(node.message)) addNode(id, node.message, sketch, isVersion);
    const place = sketch.transcript.place();
    places.set(id, { draft: place, length: place?.content.length ?? 0 });
  }
  return sketch.end({
    id: toText(value.conversation_id) || toText(value.id),
    title: toText(value.title),
    current: places.get(toText(value.current_node))?.draft?.id ?? '',
  });
}

/** The place of each node among the children of its parent. */
function childOrder(nodes: readonly { readonly id: string; readonly node: JsonObject }[]): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  for (const { node } of nodes)
    for (const [index, child] of toList(node.children).entries()) order.set(toText(child), index);
  return order;
}

function addNode(id: string, message: JsonObject, { transcript, tally }: Sketch, isVersion: boolean): void {
  const author = toObject(message.author);
  const content = toObject(message.content);
  const metadata = toObject(message.metadata);
  const type = toText(content.content_type);
  transcript.setTime(toTime(message.create_time));
  const role = author.role === 'tool' ? 'tool' : roles.get(author.role);
  if (role === undefined) return tally.leave(toWord(author.role), 'unknown');
  if (type === 'user_editable_context' || type === 'model_editable_context')
    return tally.leave('instructions', 'hidden');
  if (metadata.is_visually_hidden_from_conversation === true) return tally.leave('message', 'hidden');
  if (type === 'reasoning_recap') return tally.leave(type, 'note');

  const parts = [...partsOf(content, tally), ...sourcesOf(metadata)];
  const finish = toFinish(toObject(metadata.finish_details).type);
  const facts = defined({ model: toText(metadata.model_slug) || undefined, finish });
  const recipient = toText(message.recipient);
  if (role === 'tool') return addResult();
  if (role !== 'assistant') {
    countAttachments();
    if (parts.length > 0) transcript.add(role, parts, { id });
    else tally.leave('message', 'empty');
    return;
  }
  if (recipient !== '' && recipient !== 'all' && recipient !== 'assistant') {
    addReply([]);
    transcript.addCall(id, callOf(recipient, content, parts));
  } else if (parts.length > 0) addReply(parts);
  else tally.leave('message', 'empty');

  function addReply(content: readonly Part[]): void {
    if (isVersion) transcript.add('assistant', content, { ...facts, id });
    else transcript.addToReply(content, { ...facts, id });
  }

  /** The result of the call before; a result that nothing asked for is a call of its own. */
  function addResult(): void {
    const call = transcript.place()?.content.findLast(isToolPart);
    const media = parts.filter((part) => part.type !== 'text');
    const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
    const output = media.length > 0 ? parts : text;
    const isError = type === 'system_error';
    if (call && transcript.addResult(call.callId, { output, isError })) return;
    addReply([]);
    transcript.addCall(id, openCall(toText(author.name) || 'tool', {}));
    transcript.addResult(id, { output, isError });
  }

  /** Files beside the text are not in the file; pictures among them are counted where the text has them. */
  function countAttachments(): void {
    const isPicture = (one: JsonObject): boolean => toText(one.mime_type ?? one.mimeType).startsWith('image/');
    const files = toList(metadata.attachments).map(toObject);
    const pictures = files.filter(isPicture).length;
    const pointers = toList(content.parts).filter(
      (part) => toObject(part).content_type === 'image_asset_pointer',
    ).length;
    tally.leave('file', 'not-in-file', files.length - pictures);
    tally.leave('image', 'not-in-file', Math.max(0, pictures - pointers));
  }
}

function callOf(recipient: string, content: JsonObject, parts: readonly Part[]): ReturnType<typeof openCall> {
  const text = toText(content.text) || parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  return textCall(recipient, text, recipient === 'python' ? 'code' : 'input');
}

/** Returns the content of a message as parts; calls, whose content is their input, are made of the same parts. */
function partsOf(content: JsonObject, tally: Tally): readonly Part[] {
  const type = toText(content.content_type);
  switch (type) {
    case 'text':
    case 'multimodal_text':
      return toList(content.parts).flatMap((part) => multimodal(part, tally));
    case 'code': {
      const language = toText(content.language);
      const text = toText(content.text);
      const isPlain = language === '' || language === 'unknown' || isJsonObject(parseJson(text));
      return text === '' ? [] : textPart(isPlain ? text : `\`\`\`${language}\n${text}\n\`\`\``);
    }
    case 'thoughts':
      return toList(content.thoughts)
        .map(toObject)
        .flatMap(({ summary, content: thought }) =>
          reasoningPart([toText(summary), toText(thought)].filter((line) => line !== '').join('\n')),
        );
    case 'tether_quote':
      return [...textPart(toText(content.text)), ...sourcePart(toText(content.url), toText(content.title))];
    case 'tether_browsing_display':
      return textPart(toText(content.result) || toText(content.summary));
    default: {
      // Output of code, errors, pages, and what may come later.
      const text = toText(content.text) || toText(content.result);
      if (text === '' && type !== 'execution_output' && type !== 'system_error') tally.leave(type, 'unknown');
      return textPart(text);
    }
  }
}

function multimodal(part: Json, tally: Tally): readonly Part[] {
  if (typeof part === 'string') return textPart(withoutMarks(part));
  const {
    content_type: type,
    text,
    audio_asset_pointer: audio,
    frames_asset_pointers: frames,
    video_container_asset_pointer: video,
  } = toObject(part);
  switch (type) {
    case 'text':
    case 'audio_transcription':
      return textPart(toText(text));
    case 'image_asset_pointer':
      tally.leave('image', 'not-in-file');
      return [];
    case 'audio_asset_pointer':
      tally.leave('audio', 'not-in-file');
      return [];
    case 'real_time_user_audio_video_asset_pointer':
      tally.leave('audio', 'not-in-file', isJsonObject(audio) ? 1 : 0);
      tally.leave('image', 'not-in-file', toList(frames).length);
      tally.leave('video', 'not-in-file', isJsonObject(video) ? 1 : 0);
      return [];
    default:
      tally.leave(toText(type) || 'block', 'unknown');
      return [];
  }
}

/** Removes the marks of citations, which stand between private-use characters: their pages are sources. */
function withoutMarks(text: string): string {
  return text.replaceAll(/\ue200[^\ue200\ue201]*\ue201/g, '');
}

/** Returns the pages that an answer cites, each once. */
function sourcesOf({ content_references: references, citations }: JsonObject): readonly Part[] {
  const pages = new Map<string, string>();
  const add = ({ url, title }: JsonObject): void => {
    if (toText(url) !== '' && !pages.has(toText(url))) pages.set(toText(url), toText(title));
  };
  for (const reference of toList(references).map(toObject)) {
    add(reference);
    for (const page of toList(reference.items).map(toObject)) add(page);
  }
  for (const { metadata } of toList(citations).map(toObject)) add(toObject(metadata));
  return [...pages].flatMap(([url, title]) => sourcePart(url, title));
}
