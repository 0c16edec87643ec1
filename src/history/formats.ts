import { isJsonObject, type JsonObject } from '../core/json.ts';
import { toText } from '../core/model/read-json.ts';
import { isChatGPT, readChatGPT } from './chatgpt.ts';
import { isClaude, readClaude } from './claude.ts';
import type { Conversation } from './conversation.ts';
import { isLobeChat, readLobeChat } from './lobechat.ts';
import { isNextChat, readNextChat } from './nextchat.ts';
import { isOpenWebUI, readOpenWebUI } from './open-webui.ts';

/** A program whose conversations can be read. `messages`: messages of an API, or of the AI SDK, that no program has written. */
export type HistoryFormat =
  | 'chatgpt'
  | 'claude'
  | 'open-webui'
  | 'lobechat'
  | 'nextchat'
  | 'claude-code'
  | 'codex'
  | 'gemini-cli'
  | 'messages';

/** What a file can be, for messages to people. */
export const knownFormats =
  'conversations.json of ChatGPT or Claude, an export of Open WebUI, LobeChat or NextChat, a log of Claude Code, Codex or Gemini CLI, or messages as JSON';

/** A format whose values contain conversations. */
interface WholeFormat {
  readonly format: HistoryFormat;
  readonly is: (value: JsonObject) => boolean;
  readonly read: (value: JsonObject, now: number) => readonly Conversation[];
}

const wholeFormats: readonly WholeFormat[] = [
  { format: 'chatgpt', is: isChatGPT, read: (value, now) => [readChatGPT(value, now)] },
  { format: 'claude', is: isClaude, read: (value, now) => [readClaude(value, now)] },
  { format: 'nextchat', is: isNextChat, read: readNextChat },
  { format: 'lobechat', is: isLobeChat, read: readLobeChat },
  { format: 'open-webui', is: isOpenWebUI, read: (value, now) => [readOpenWebUI(value, now)] },
];

/** Returns the format of a value that contains conversations; `undefined` for an item of one. */
export function wholeFormatOf(value: JsonObject): WholeFormat | undefined {
  return wholeFormats.find(({ is }) => is(value));
}

/** Returns the program that wrote a line of a log; `undefined` for a message. */
export function lineFormatOf(line: JsonObject): HistoryFormat | undefined {
  const type = toText(line.type);
  if (/^(response_item|event_msg|session_meta|turn_context|compacted|(thread|turn|item)\.\w+)$/.test(type))
    return 'codex';
  if (
    typeof line.tool_id === 'string' ||
    type === 'gemini' ||
    line.projectHash !== undefined ||
    line.$set !== undefined
  )
    return 'gemini-cli';
  if (type === 'init' && typeof line.session_id === 'string') return 'gemini-cli';
  const isWrapped = isJsonObject(line.message) && (line.sessionId ?? line.session_id ?? line.uuid) !== undefined;
  if (isWrapped || line.leafUuid !== undefined || type === 'file-history-snapshot' || type === 'queue-operation')
    return 'claude-code';
  return type === 'system' && line.session_id !== undefined ? 'claude-code' : undefined;
}
