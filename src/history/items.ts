import { defined, isJsonObject, parseJson, type Json, type JsonObject } from '../core/json.ts';
import type { Part } from '../core/model/message.ts';
import { toCount, toList, toObject, toText, toWord } from '../core/model/read-json.ts';
import { blockCall, blockResult } from './block-calls.ts';
import { blockParts, citations, reasoningPart, textPart, toParts } from './blocks.ts';
import { addClaudeCode } from './claude-code-lines.ts';
import { createClaudeCodeState } from './claude-code-state.ts';
import { addCodex } from './codex-lines.ts';
import { factsOf, toUsage } from './facts.ts';
import { endedCall, type ForeignCall, openCall } from './foreign-call.ts';
import { addGeminiCli } from './gemini-cli-lines.ts';
import { mediaPart } from './media.ts';
import type { Into, Reading } from './reading.ts';
import { addResponseItem } from './response-items.ts';
import { roles } from './roles.ts';
import type { Tally } from './tally.ts';
import { timeOf, toTime } from './time.ts';
import { createTranscript, type Transcript } from './transcript.ts';
import { invocation, uiAttachments, uiCall, uiParts } from './ui-parts.ts';

/** Reads items one after the other. */
export interface ItemReader {
  /** Reads one item. Returns whether it is a message, a call or a result; what is left out is counted. */
  add(item: JsonObject): boolean;
  readonly transcript: Transcript;
}

/** Options of `createItemReader`. */
export interface ItemReaderOptions {
  /** Time of items that state none: ms since the epoch. */
  readonly now: number;
  /** Whether messages of sub-agents are the conversation. Default `false`: they are left out. */
  readonly takesSideChains?: boolean;
  /** Whether events of Codex are the conversation. Default `false`: they repeat its items. */
  readonly takesEvents?: boolean;
}

/**
 * Creates a reader of items of any kind that it knows: messages of Chat Completions, of Anthropic, of Google and of the AI SDK (4 to 7), items of
 * Responses, lines of Claude Code, Codex and Gemini CLI, as they are or as the readers of `brooklet/tools` return them. Invariant: every
 * call has a final status; a call without a result is cancelled.
 */
export function createItemReader(
  tally: Tally,
  { now, takesSideChains = false, takesEvents = false }: ItemReaderOptions,
): ItemReader {
  const transcript = createTranscript(now);
  const reading: Reading = { transcript, tally, claudeCode: createClaudeCodeState(takesSideChains), takesEvents };
  return {
    transcript,
    add(item) {
      transcript.setTime(timeOf(item));
      reading.streaming = reading.streamed;
      reading.streamed = undefined;
      return addItem(item, reading);
    },
  };
}

function addItem(item: JsonObject, reading: Reading): boolean {
  return (
    addRecord(item, reading) ??
    addCodex(item, reading, addItem) ??
    addGeminiCli(item, reading, addItem) ??
    addResponseItem(item, reading) ??
    addClaudeCode(item, reading, addMessage) ??
    (Array.isArray(item.parts) && isUIMessage(item) ? addUIMessage(item, reading) : addMessage(item, reading))
  );
}

/** Adds what the readers of `brooklet/tools` return. */
function addRecord(item: JsonObject, { transcript, tally, claudeCode }: Reading): boolean | undefined {
  const { type, id, name, input, toolUseId, output = '', isError } = item;
  if (type === 'tool_use' && item.tool_id === undefined) {
    if (isOfSubAgent(item)) return claudeCode.leaveCall(toText(id), tally);
    transcript.addCall(toText(id), openCall(toText(name), input));
    return true;
  }
  if (type === 'tool_execution') {
    if (isOfSubAgent(item)) return claudeCode.leaveCall(toText(toolUseId), tally);
    transcript.addCall(toText(toolUseId), execution(item));
    return true;
  }
  if (type !== 'tool_result' || toolUseId === undefined) return undefined;
  const key = toText(toolUseId);
  if (claudeCode.leavesResult(key, tally)) return false;
  // A result with a name is complete, also without an earlier call.
  if (typeof name === 'string' && !transcript.hasCall(key)) transcript.addCall(key, openCall(name, input));
  if (transcript.addResult(key, { output, isError: isError === true })) return true;
  tally.leave('result', 'without-call');
  return false;
}

function isOfSubAgent({ parentToolUseId, isSidechain }: JsonObject): boolean {
  return isSidechain === true || typeof parentToolUseId === 'string';
}

function execution({ toolName, input, output = '', isError, durationMs, summary, timestamp }: JsonObject): ForeignCall {
  const call = endedCall(openCall(toText(toolName), input), { output, isError: isError === true });
  const startedAt = typeof timestamp === 'string' ? toTime(timestamp) : toCount(timestamp);
  return { ...call, ...defined({ durationMs: toCount(durationMs), startedAt, summary: toText(summary) || undefined }) };
}

/** Whether parts have types: those of Google's `Content` have none. */
function isUIMessage({ parts }: JsonObject): boolean {
  return toList(parts).some((part) => toText(toObject(part).type) !== '');
}

/** Adds a message of the AI SDK: one message for each of its steps. */
function addUIMessage(item: JsonObject, { transcript, tally }: Reading): boolean {
  const role = roles.get(item.role);
  if (role === undefined) return unknown(item, tally);
  const { usage, totalUsage, model } = toObject(item.metadata);
  const facts = {
    ...factsOf(item),
    ...defined({ usage: toUsage(usage ?? totalUsage), model: toText(model) || undefined }),
  };
  const calls = new Set<string>();
  const addStep = () => transcript.add(role, [], { ...(role === 'assistant' && facts), id: toText(item.id) });
  let step = addStep();
  let isFilled = false;
  for (const part of toList(item.parts).map(toObject)) {
    const called = uiCall(part);
    if (called) {
      calls.add(called.id);
      transcript.addCall(called.id, called.call);
    } else if (part.type === 'step-start' && step.content.length > 0) step = addStep();
    else step.content.push(...uiParts(part, tally));
    isFilled ||= step.content.length > 0;
  }
  // Version 4 also has the calls beside the parts.
  for (const one of toList(item.toolInvocations).map((call) => invocation(toObject(call)))) {
    if (calls.has(one.id)) continue;
    transcript.addCall(one.id, one.call);
    isFilled = true;
  }
  const files = uiAttachments(item.experimental_attachments, tally);
  step.content.push(...files);
  if (isFilled || files.length > 0) return true;
  tally.leave('message', 'empty');
  return false;
}

/** Adds a message of Chat Completions, Anthropic or Google; and one of versions 3 and 4 of the AI SDK without parts. */
function addMessage(message: JsonObject, reading: Reading, { id: ownId, into }: Into = {}): boolean {
  const { transcript, tally } = reading;
  const { role, content, parts: googleParts, refusal, reasoning_content: thoughts, function_call: oldCall } = message;
  if (role === 'tool' || role === 'function') return addToolMessage(message, reading);
  const own = roles.get(role);
  if (own === undefined) return unknown(message, tally);
  const before = transcript.place();
  const facts = own === 'assistant' ? { ...defined({ model: reading.model }), ...factsOf(message) } : {};
  const draft = into ?? transcript.add(own, [], { ...facts, id: ownId ?? toText(message.id) });
  if (into) into.facts = { ...into.facts, ...facts };
  draft.content.push(...reasoningPart(toText(thoughts ?? message.reasoning)));
  if (typeof content === 'string') draft.content.push(...textPart(content));
  let hasResult = false;
  for (const block of [...toList(content), ...toList(googleParts)]) {
    const call = blockCall(block);
    const result = call ? undefined : blockResult(block, tally);
    if (call) transcript.addCall(call.id, call.call);
    else if (result === undefined) draft.content.push(...blockParts(block, tally));
    else if (transcript.addResult(result.id, result)) hasResult = true;
    else if (!reading.claudeCode.leavesResult(result.id, tally)) tally.leave('result', 'without-call');
  }
  draft.content.push(...textPart(toText(refusal)), ...besides(message, tally));
  for (const { id, function: called } of toList(message.tool_calls).map(toObject)) {
    const { name, arguments: text } = toObject(called);
    transcript.addCall(toText(id), openCall(toText(name), parseJson(toText(text)) ?? text, toText(text)));
  }
  if (isJsonObject(oldCall)) {
    const text = toText(oldCall.arguments);
    transcript.addCall(oldId(oldCall), openCall(toText(oldCall.name), parseJson(text), text));
  }
  for (const one of toList(message.toolInvocations).map((call) => invocation(toObject(call))))
    transcript.addCall(one.id, one.call);
  draft.content.push(...uiAttachments(message.experimental_attachments, tally));
  // What follows a message of results alone comes after the reply that called.
  if (draft.content.length > 0) return true;
  if (transcript.place() === draft) transcript.goTo(before);
  if (!hasResult && transcript.place() === before) tally.leave('message', 'empty');
  return hasResult;
}

/** What some services send beside the content: pictures (OpenRouter), a spoken answer and cited pages (OpenAI). */
function besides({ images, audio, annotations }: JsonObject, tally: Tally): readonly Part[] {
  const { data, transcript } = toObject(audio);
  const spoken = mediaPart({ kind: 'audio', data: toText(data) });
  return [
    ...toParts(images, tally),
    ...textPart(toText(transcript)),
    ...(spoken ? [spoken] : []),
    ...citations({ annotations }),
  ];
}

/** Adds the results in a message of the role `tool`: of Chat Completions, or of the AI SDK (a list of blocks). */
function addToolMessage(message: JsonObject, { transcript, tally }: Reading): boolean {
  const blocks = toList(message.content).flatMap((block) => blockResult(block, tally) ?? []);
  const id = message.role === 'tool' ? toText(message.tool_call_id) : oldId(message);
  const results =
    blocks.length > 0
      ? blocks
      : [{ id, output: outputOf(message.content, tally), isError: message.status === 'error' }];
  const added = results.filter((result) => transcript.addResult(result.id, result));
  tally.leave('result', 'without-call', results.length - added.length);
  return added.length > 0;
}

/** Returns the content of a tool's message: its texts joined, with its media where it has some; or the value itself. */
function outputOf(content: Json | undefined, tally: Tally): Json | readonly Part[] {
  if (!Array.isArray(content)) return content ?? '';
  const parts = toParts(content, tally);
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
  return texts.length === parts.length ? texts.join('\n') : parts;
}

/** Calls of the first version of function calling have no id: a result belongs to the latest call with its name. */
function oldId({ name }: JsonObject): string {
  return `function ${toText(name)}`;
}

function unknown(item: JsonObject, tally: Tally): false {
  tally.leave(toWord(item.type) || toWord(item.role) || 'item', 'unknown');
  return false;
}
