import { defined, isJsonObject, type JsonObject } from '../core/json.ts';
import type { Usage } from '../core/model/message.ts';
import { toCount, toList, toObject, toText } from '../core/model/read-json.ts';
import { blockResult } from './block-calls.ts';
import { reasoningPart, textPart, toParts } from './blocks.ts';
import { toUsage } from './facts.ts';
import { endedCall, openCall } from './foreign-call.ts';
import { readGeminiCli } from './gemini-cli.ts';
import type { AddItem, Reading } from './reading.ts';
import { roles } from './roles.ts';

// Lines of `gemini -p --output-format stream-json` (google-gemini/gemini-cli, packages/core/src/output/types.ts), and messages of a saved
// session (~/.gemini/tmp/*/chats/session-*.json and .jsonl; packages/core/src/services/chatRecordingTypes.ts).

/** Adds a line of Gemini CLI. Returns `undefined` for an item of another kind. */
export function addGeminiCli(line: JsonObject, reading: Reading, addItem: AddItem): boolean | undefined {
  const { transcript, tally } = reading;
  const { type, role, content, message } = line;
  if (typeof line.tool_id === 'string') {
    const [piece] = readGeminiCli(line);
    return isJsonObject(piece) && piece !== line ? addItem(piece, reading) : undefined;
  }
  if (typeof line.$rewindTo === 'string') {
    // What follows is another version of that message and all after it.
    const target = transcript.find(line.$rewindTo);
    if (target) transcript.goTo(target.parent);
    return leave('rewind');
  }
  if (line.$set !== undefined || (line.projectHash !== undefined && type === undefined)) return leave('metadata');
  switch (type) {
    case 'init':
      reading.model = toText(line.model) || reading.model;
      return leave();
    case 'result': {
      const last = transcript.place();
      const usage = toUsage(line.stats);
      if (!isJsonObject(line.stats)) return undefined;
      if (last?.role === 'assistant' && usage) last.facts = { ...last.facts, usage };
      return leave();
    }
    case 'message':
      return line.delta === true && typeof content === 'string' ? addPiece(content) : undefined;
    case 'gemini':
      return addSaved(line, reading);
    case 'user':
      if (message !== undefined || role !== undefined || content === undefined) return undefined;
      return addSaved(line, reading);
    case 'info':
    case 'error':
    case 'warning':
      return message === undefined || typeof message === 'string' ? leave() : undefined;
    default:
      return undefined;
  }

  function leave(part = toText(type)): false {
    tally.leave(part, 'note');
    return false;
  }

  /** An answer arrives as many lines. */
  function addPiece(text: string): boolean {
    const own = roles.get(role);
    if (own === undefined) return false;
    const last = transcript.place();
    const open = reading.streaming === own ? last?.content.at(-1) : undefined;
    if (last && open?.type === 'text') last.content.splice(-1, 1, { type: 'text', text: open.text + text });
    else if (own === 'assistant') transcript.addToReply(textPart(text), defined({ model: reading.model }));
    else transcript.add(own, textPart(text));
    reading.streamed = own;
    return true;
  }
}

function addSaved(record: JsonObject, { transcript, tally }: Reading): boolean {
  const { id, type, content, toolCalls, thoughts, tokens, model } = record;
  const parts = toParts(isJsonObject(content) ? [content] : content, tally);
  const before = transcript.place();
  const facts =
    type === 'gemini' ? defined({ model: toText(model) || undefined, usage: savedUsage(toObject(tokens)) }) : {};
  const draft = transcript.add(type === 'gemini' ? 'assistant' : 'user', [], { ...facts, id: toText(id) });
  for (const { subject, description } of toList(thoughts).map(toObject))
    draft.content.push(...reasoningPart([toText(subject), toText(description)].filter(Boolean).join('\n')));
  draft.content.push(...parts);
  for (const call of toList(toolCalls).map(toObject)) {
    const open = openCall(toText(call.name), call.args);
    const [result] = toList(call.result).flatMap((block) => blockResult(block, tally) ?? []);
    const output = result?.output ?? (toText(call.resultDisplay) || toText(call.result));
    const isEnded = call.status === 'success' || call.status === 'error' || result !== undefined;
    const isError = call.status === 'error' || result?.isError === true;
    transcript.addCall(toText(call.id), isEnded ? endedCall(open, { output, isError }) : open);
  }
  if (draft.content.length > 0) return true;
  transcript.goTo(before);
  tally.leave('message', 'empty');
  return false;
}

/** `output` does not include the thoughts: `candidatesTokenCount` of the API. */
function savedUsage(tokens: JsonObject): Usage | undefined {
  const usage = toUsage(tokens);
  const reasoning = toCount(tokens.thoughts);
  return usage && { ...usage, output: usage.output + (reasoning ?? 0), ...defined({ reasoning }) };
}
