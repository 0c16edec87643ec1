import { isJsonObject, type JsonObject } from '../core/json.ts';
import { toList, toObject, toText, toWord } from '../core/model/read-json.ts';
import { toParts } from './blocks.ts';
import { type Conversation, createSketch, type Sketch } from './conversation.ts';
import { endedCall, textCall } from './foreign-call.ts';
import { mediaPart } from './media.ts';
import { roles } from './roles.ts';
import { toTime } from './time.ts';

// A backup of NextChat: `{ 'chat-next-web-store': { sessions }, … }` (ChatGPTNextWeb/NextChat, app/utils/sync.ts `getLocalAppState`;
// app/store/chat.ts `ChatSession` and `ChatMessage`). The other stores hold settings and keys: they are not read.

const chatStore = 'chat-next-web-store';

/** Whether a value is a backup of NextChat, or its store of chats. */
export function isNextChat(value: JsonObject): boolean {
  return (
    isJsonObject(value[chatStore]) || (Array.isArray(value.sessions) && typeof value.currentSessionIndex === 'number')
  );
}

/** Reads the conversations of a backup. */
export function readNextChat(value: JsonObject, now: number): readonly Conversation[] {
  const { sessions } = isJsonObject(value[chatStore]) ? value[chatStore] : value;
  return toList(sessions).map((session) => readSession(toObject(session), now));
}

function readSession(session: JsonObject, now: number): Conversation {
  const sketch = createSketch(toTime(session.lastUpdate) ?? now);
  // A mask begins each request with messages of its own.
  for (const message of toList(toObject(session.mask).context)) addMessage(toObject(message), sketch);
  for (const message of toList(session.messages)) addMessage(toObject(message), sketch);
  if (toText(session.memoryPrompt) !== '') sketch.tally.leave('summary', 'note');
  return sketch.end({ id: toText(session.id), title: toText(session.topic), current: '' });
}

function addMessage(message: JsonObject, { transcript, tally }: Sketch): void {
  const role = roles.get(message.role);
  // A date is written as the browser's language writes it: one that no other reads has the time before.
  transcript.setTime(toTime(message.date));
  if (role === undefined) return tally.leave(toWord(message.role) || 'message', 'unknown');
  const before = transcript.place();
  const model = toText(message.model);
  const draft = transcript.add(role, [], { ...(role === 'assistant' && model && { model }), id: toText(message.id) });
  const tools = toList(message.tools).map(toObject);
  for (const { id, function: called, content, isError, errorMsg } of tools) {
    const { name, arguments: text } = toObject(called);
    const call = textCall(toText(name), toText(text) || '{}', 'input');
    const isEnded = content !== undefined || isError !== undefined;
    const output = toText(content) || toText(errorMsg);
    transcript.addCall(toText(id), isEnded ? endedCall(call, { output, isError: isError === true }) : call);
  }
  draft.content.push(...toParts(message.content, tally));
  if (toText(message.audio_url) !== '') {
    const audio = mediaPart({ kind: 'audio', url: toText(message.audio_url) });
    if (audio) draft.content.push(audio);
    else tally.leave('audio', 'not-in-file');
  }
  if (draft.content.length > 0) return;
  transcript.goTo(before);
  tally.leave('message', 'empty');
}
