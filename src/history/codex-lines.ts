import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import { reasoningPart, textPart } from './blocks.ts';
import { readCodex } from './codex.ts';
import { toUsage } from './facts.ts';
import type { AddItem, Reading } from './reading.ts';

// Lines of `codex exec --json` (openai/codex, codex-rs/exec/src/exec_events.rs) and of a rollout (~/.codex/sessions/**/rollout-*.jsonl):
// `{ timestamp, type, payload }` (codex-rs/protocol/src/protocol.rs, `RolloutLine`), before September 2025 the payloads alone.

/** Context that Codex writes in the name of the user. */
const context =
  /^\s*(<(environment_context|user_instructions|permissions|app-context|collaboration_mode|skill|turn_aborted|user_shell_command|INSTRUCTIONS)\b|# AGENTS\.md instructions)/;

/** Adds a line of Codex. Returns `undefined` for an item of another kind. */
export function addCodex(line: JsonObject, reading: Reading, addItem: AddItem): boolean | undefined {
  const { tally } = reading;
  const { type, payload, item } = line;
  switch (type) {
    case 'response_item': {
      const own = toObject(payload);
      if (isContext(own)) return leave('instructions', 'hidden');
      return addItem(own, reading);
    }
    case 'event_msg':
      return addEvent(toObject(payload), reading);
    case 'turn_context':
      reading.model = toText(toObject(payload).model) || reading.model;
      return leave(type);
    case 'compacted':
      return leave('summary');
    case 'turn.completed':
      noteUsage(line.usage, reading);
      return leave(type);
    case 'session_meta':
    case 'thread.started':
    case 'turn.started':
    case 'turn.failed':
      return leave(type);
    case 'message':
      return isContext(line) ? leave('instructions', 'hidden') : undefined;
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return isJsonObject(item) ? addExecItem(line, item, reading, addItem) : undefined;
    default:
      return line.record_type === 'state' ? leave('state') : undefined;
  }

  function leave(part: string, reason: 'note' | 'hidden' = 'note'): false {
    tally.leave(part, reason);
    return false;
  }
}

function isContext({ type, role, content }: JsonObject): boolean {
  if (type !== 'message' || (role !== 'user' && role !== 'developer')) return false;
  const texts = toList(content).map((block) => toText(toObject(block).text));
  return texts.length > 0 && (role === 'developer' || texts.every((text) => context.test(text)));
}

/** What was said is in the `response_item`s, too, where the file has them. */
function addEvent(event: JsonObject, reading: Reading): boolean {
  const type = toText(event.type);
  if (reading.takesEvents && addSaid(type, toText(event.message ?? event.text), reading)) return true;
  if (type === 'token_count') noteUsage(toObject(event.info).last_token_usage, reading);
  const isSaid = /^(user_message|agent_message|agent_reasoning|agent_reasoning_raw_content)$/.test(type);
  reading.tally.leave(isSaid ? 'message' : type, isSaid ? 'duplicate' : 'note');
  return false;
}

/** Adds the tokens to the last reply. */
function noteUsage(value: JsonObject[string], { transcript }: Reading): void {
  const reply = transcript.place();
  const usage = toUsage(value);
  if (reply?.role === 'assistant' && usage) reply.facts = { ...reply.facts, usage };
}

/** Adds what an event says. Returns whether it says something. */
function addSaid(type: string, text: string, { transcript, model }: Reading): boolean {
  const facts = model === undefined ? {} : { model };
  switch (type) {
    case 'user_message':
      transcript.add('user', textPart(text));
      return true;
    case 'agent_message':
      transcript.addToReply(textPart(text), facts);
      return true;
    case 'agent_reasoning':
      transcript.addToReply(reasoningPart(text), facts);
      return true;
    default:
      return false;
  }
}

/** Whether a log of Codex states what was said in events only. */
export function hasEventsOnly(lines: readonly Json[]): boolean {
  const types = new Set(lines.map((line) => toObject(line).type));
  return types.has('event_msg') && !types.has('response_item');
}

function addExecItem(line: JsonObject, item: JsonObject, reading: Reading, addItem: AddItem): boolean {
  const { transcript, tally } = reading;
  const [piece] = readCodex(line);
  if (piece !== line && isJsonObject(piece)) {
    if (piece.type === 'tool_use' && transcript.hasCall(toText(piece.id))) return true;
    return addItem(piece, reading);
  }
  const text = toText(item.text);
  const isMessage = item.type === 'agent_message' || item.type === 'assistant_message';
  if (line.type === 'item.completed' && (isMessage || item.type === 'reasoning')) {
    const parts = isMessage ? textPart(text) : reasoningPart(text);
    if (parts.length > 0) transcript.addToReply(parts);
    else tally.leave('message', 'empty');
    return parts.length > 0;
  }
  tally.leave(toText(item.type) || 'item', line.type === 'item.completed' ? 'note' : 'duplicate');
  return false;
}
