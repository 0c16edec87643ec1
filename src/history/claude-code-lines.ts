import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import type { AddMessage, Reading } from './reading.ts';
import type { Tally } from './tally.ts';

// Lines of a transcript (~/.claude/projects/*/*.jsonl) and of `claude -p --output-format stream-json`. Anthropic documents the stream
// (code.claude.com/docs, SDK message types); the fields of transcripts are those in oneryalcin/agent-schemas,
// claude-code/v2.1.1/session.schema.json: isMeta, isSidechain, isCompactSummary, uuid, parentUuid, one line for each block of a reply.

/** Types of lines without a message. Types that are not listed are counted as unknown. */
const notes: ReadonlySet<unknown> = new Set([
  'summary',
  'system',
  'result',
  'stream_event',
  'file-history-snapshot',
  'queue-operation',
  'progress',
  'attachment',
  'custom-title',
  'ai-title',
  'last-prompt',
  'permission-mode',
  'rate_limit_event',
  'tool_progress',
  'auth_status',
]);

/** Whether a sub-agent wrote the line, or the user's agent wrote it to one. */
export function isSideChain(line: Json): boolean {
  const { isSidechain, parent_tool_use_id: parent } = toObject(line);
  return isSidechain === true || typeof parent === 'string';
}

/** Adds a line of Claude Code. Returns `undefined` for an item of another kind. */
export function addClaudeCode(line: JsonObject, reading: Reading, addMessage: AddMessage): boolean | undefined {
  const { claudeCode: state, transcript, tally } = reading;
  const { type, uuid, message } = line;
  if (!isJsonObject(message)) {
    if (!notes.has(type) || line.role !== undefined) return undefined;
    tally.leave(toText(type), 'note');
    noteLine();
    return false;
  }
  if (typeof uuid === 'string' && state.lines.has(uuid)) {
    tally.leave('message', 'duplicate');
    return false;
  }
  const blocks = toList(message.content);
  if (isSideChain(line) && !state.takesSideChains) {
    tally.leave('message', 'side-chain');
    for (const block of blocks.map(toObject)) if (block.type === 'tool_use') state.leaveCall(toText(block.id), tally);
    return false;
  }
  const [part, reason] = unsaid(line, message) ?? [];
  if (part !== undefined && reason !== undefined) {
    tally.leave(part, reason);
    noteLine();
    return false;
  }
  const role = toText(message.role) || toText(type);
  const isPrompt = role === 'user' && !blocks.some((block) => toObject(block).type === 'tool_result');
  if (isPrompt) followParent();
  const content = role === 'user' ? spoken(message.content, tally) : message.content;
  const id = toText(message.id);
  const before = id === '' ? undefined : state.replies.get(id);
  const into = before !== undefined && before === transcript.place() ? before : undefined;
  const isAdded = addMessage({ ...message, role, ...(content !== undefined && { content }) }, reading, {
    id: toText(uuid) || id,
    into,
  });
  const place = transcript.place();
  if (role === 'assistant' && id !== '' && place) state.replies.set(id, place);
  noteLine();
  return isAdded;

  function noteLine(): void {
    if (typeof uuid === 'string') state.lines.set(uuid, { place: transcript.place(), prompts: state.prompts });
  }

  /** After a rewind, a prompt follows a line that another prompt followed already: it begins another version. */
  function followParent(): void {
    const parent = state.lines.get(toText(line.parentUuid));
    if (parent && parent.prompts < state.prompts) transcript.goTo(parent.place);
    state.prompts++;
  }
}

type Unsaid = readonly ['message' | 'summary' | 'error', 'hidden' | 'note'];

/** Returns why a line is not a message of the conversation; `undefined` where it is one. */
function unsaid(line: JsonObject, message: JsonObject): Unsaid | undefined {
  if (line.isMeta === true) return ['message', 'hidden'];
  if (line.isCompactSummary === true || line.isVisibleInTranscriptOnly === true) return ['summary', 'note'];
  if (line.isApiErrorMessage === true) return ['error', 'note'];
  if (message.model === '<synthetic>') return ['message', 'note'];
  const [only] = toList(message.content).map(toObject);
  const text = toText(message.content) || toText(only?.text);
  return /^(<(local-command-(stdout|stderr|caveat)|bash-(stdout|stderr))>|\[Request interrupted by user)/.test(text)
    ? ['message', 'note']
    : undefined;
}

/** Returns the content of a user's message with commands as they were typed, and without the reminders of the program. */
function spoken(content: Json | undefined, tally: Tally): Json | undefined {
  if (typeof content === 'string') return typed(content);
  return toList(content).flatMap((block) => {
    const { type, text } = toObject(block);
    if (type !== 'text' || typeof text !== 'string') return [block];
    if (/^\s*<system-reminder>/.test(text)) {
      tally.leave('text', 'hidden');
      return [];
    }
    return [{ type, text: typed(text) }];
  });
}

/** `<command-name>/review</command-name>… <command-args>a.ts</command-args>` is `/review a.ts`. */
function typed(text: string): string {
  const [, name] = /<command-name>(.*?)<\/command-name>/s.exec(text) ?? [];
  if (name === undefined || !/^\s*<command-/.test(text)) return text;
  const [, args = ''] = /<command-args>(.*?)<\/command-args>/s.exec(text) ?? [];
  return `${name} ${args}`.trim();
}
