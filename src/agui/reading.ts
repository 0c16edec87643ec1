import { defined, type Json, type JsonObject } from '../core/json.ts';
import type { LLMChunk } from '../core/model/llm.ts';
import { toList, toObject, toPiece, toText } from '../core/model/read-json.ts';
import type { CallPiece } from '../llm/transport/call-assembler.ts';
import { aguiWire, interruptTool, messageMark, remoteCall, type RemoteCall, stepMark } from './messages.ts';
import { inOrder, type Step } from './step.ts';

/** What the conversation has before a run. */
export interface Conversation {
  /** Names of the tools that run in the page; the remote agent runs all others itself. */
  readonly tools: ReadonlySet<string>;
  /** Calls of the remote agent's tools in earlier replies that have no result yet, by id. */
  readonly openCalls: ReadonlyMap<string, RemoteCall>;
  /** Ids of the calls in the conversation that have a result: such a call is no call where the remote agent sends it again. */
  readonly endedCalls: ReadonlySet<string>;
  /** Ids of the remote agent's messages in the conversation. */
  readonly knownMessages: ReadonlySet<string>;
}

/** What was read of a run. */
export interface Reading {
  /** The message and the call that a chunk without an id continues. */
  readonly lastMessage: string;
  readonly lastCall: string;
  readonly lastReasoning: string | undefined;
  /** Id of the newest message mark. */
  readonly marked: string | undefined;
  /** The newest call that the agent sent again although it has its result. */
  readonly repeated: string | undefined;
  /** Whether there is content. */
  readonly begun: boolean;
  readonly finished: boolean;
  /** Of `MESSAGES_SNAPSHOT`, and of `RUN_FINISHED`. */
  readonly snapshot: readonly Json[];
  readonly outcome: JsonObject;
  readonly usage: readonly Json[];
  readonly ids: Ids;
}

/**
 * The ids of a run. Invariant: only the newest reading is read on. The collections grow in place, because a copy for each id of a flood of ids
 * would take quadratic time.
 */
interface Ids {
  /** Of messages that are not the assistant's, for example the user's. */
  readonly otherMessages: Set<string>;
  /** Of all calls. */
  readonly calls: Set<string>;
  /** Calls that the remote agent runs and that have no result, by id. */
  readonly remoteCalls: Map<string, RemoteCall>;
}

/** What a reading emits: a chunk of the reply, a piece of a call of the page's tools, or an interrupt, with the call that it concerns. */
export type Output =
  | { readonly to: 'reply'; readonly chunk: LLMChunk }
  | { readonly to: 'calls'; readonly piece: CallPiece }
  | { readonly to: 'person'; readonly interrupt: JsonObject; readonly call: RemoteCall | undefined };

export type ReadingStep = Step<Reading, Output>;

/** Returns the reading of a run of which nothing was read. */
export function beginReading(): Reading {
  return {
    lastMessage: '',
    lastCall: '',
    lastReasoning: undefined,
    marked: undefined,
    repeated: undefined,
    begun: false,
    finished: false,
    snapshot: [],
    outcome: {},
    usage: [],
    ids: { otherMessages: new Set(), calls: new Set(), remoteCalls: new Map() },
  };
}

/** Returns the reading after an event, and what the event emits. Events of the state, and of errors, are read elsewhere. */
export function readEvent(reading: Reading, event: JsonObject, conversation: Conversation): ReadingStep {
  const { messageId, toolCallId, delta } = event;
  const callId = toText(toolCallId) || reading.lastCall;
  switch (toText(event.type)) {
    case 'TEXT_MESSAGE_START':
      return [withMessage(reading, event), []];
    case 'TEXT_MESSAGE_CONTENT':
      return addText(reading, toText(messageId), delta);
    case 'TEXT_MESSAGE_CHUNK': {
      const next = withMessage(reading, event);
      return addText(next, next.lastMessage, delta);
    }
    case 'REASONING_MESSAGE_CONTENT':
    case 'REASONING_MESSAGE_CHUNK':
    // Of AG-UI before 1.0.
    case 'THINKING_TEXT_MESSAGE_CONTENT':
      return addReasoning(reading, toText(messageId), toPiece(delta));
    case 'REASONING_ENCRYPTED_VALUE': {
      const { subtype, entityId, encryptedValue } = event;
      const provider = { [aguiWire]: defined({ subtype, entityId, encryptedValue }) };
      // Reasoning that follows is a part of its own.
      return [{ ...reading, lastReasoning: undefined }, [toReply({ type: 'reasoning', text: '', provider })]];
    }
    case 'TOOL_CALL_START':
      return beginCall(reading, callId, event, conversation);
    case 'TOOL_CALL_ARGS':
      return addInput(reading, callId, delta, conversation);
    case 'TOOL_CALL_CHUNK':
      return inOrder(reading, [
        (before) => (before.ids.calls.has(callId) ? [before, []] : beginCall(before, callId, event, conversation)),
        (before) => addInput(before, callId, delta, conversation),
      ]);
    case 'TOOL_CALL_RESULT':
      return addResult(reading, event, conversation);
    case 'STEP_STARTED':
    case 'STEP_FINISHED': {
      const status = event.type === 'STEP_STARTED' ? 'started' : 'finished';
      return [reading, [toPart(stepMark, { stepName: toText(event.stepName), status })]];
    }
    case 'MESSAGES_SNAPSHOT':
      return [{ ...reading, snapshot: toList(event.messages) }, []];
    case 'RUN_STARTED':
      return [{ ...reading, finished: false }, []];
    case 'RUN_FINISHED':
      return [{ ...reading, finished: true, outcome: toObject(event.outcome), usage: toList(event.usage) }, []];
  }
  return [reading, []];
}

/** Reads the answer from the snapshot of the conversation: some agents send an answer in no other way. */
export function readSnapshot(reading: Reading, conversation: Conversation): ReadingStep {
  const last = reading.snapshot.findLastIndex((message) => toObject(message).role === 'user');
  const messages = reading.snapshot.slice(last + 1).map(toObject);
  return inOrder(
    reading,
    messages.map((message) => (before) => readMessage(before, message, conversation)),
  );
}

function readMessage(reading: Reading, message: JsonObject, conversation: Conversation): ReadingStep {
  if (message.role === 'tool') return addResult(reading, { ...message, messageId: message.id }, conversation);
  // The snapshot has what came before the result of a call, too.
  if (message.role !== 'assistant' || conversation.knownMessages.has(toText(message.id))) return [reading, []];
  const calls = toList(message.toolCalls).map(toObject);
  return inOrder(reading, [
    (before) => addText(before, toText(message.id), message.content),
    ...calls.flatMap((call) => {
      const { name, arguments: input } = toObject(call.function);
      const start = { toolCallName: name, parentMessageId: message.id };
      return [
        (before: Reading) => beginCall(before, toText(call.id), start, conversation),
        (before: Reading) => addInput(before, toText(call.id), input, conversation),
      ];
    }),
  ]);
}

/** Ends the calls of the remote agent that have no result. */
export function endRemoteCalls(reading: Reading): ReadingStep {
  return inOrder(
    reading,
    Array.from(reading.ids.remoteCalls.keys(), (id) => (before) => endRemoteCall(before, id)),
  );
}

export function toReply(chunk: LLMChunk): Output {
  return { to: 'reply', chunk };
}

/** Returns the output of a part that only the remote agent knows. */
export function toPart(name: string, data: Json): Output {
  return toReply({ type: 'part', part: { type: 'provider', name, data } });
}

function withMessage(reading: Reading, { messageId, role }: JsonObject): Reading {
  const lastMessage = toText(messageId) || reading.lastMessage;
  if (role !== undefined && role !== 'assistant') reading.ids.otherMessages.add(lastMessage);
  return { ...reading, lastMessage };
}

/** Marks where the content of a message begins. */
function mark(reading: Reading, messageId: string): ReadingStep {
  if (messageId === '' || messageId === reading.marked) return [{ ...reading, begun: true }, []];
  return [{ ...reading, begun: true, marked: messageId }, [toPart(messageMark, { messageId })]];
}

function addText(reading: Reading, messageId: string, delta: Json | undefined): ReadingStep {
  const text = toPiece(delta);
  if (text === '' || reading.ids.otherMessages.has(messageId)) return [reading, []];
  const [next, out] = mark(reading, messageId);
  return [next, [...out, toReply({ type: 'text', text })]];
}

/** Adds a piece of reasoning. Messages of reasoning are separated by their ids alone. */
function addReasoning(reading: Reading, id: string, text: string): ReadingStep {
  if (text === '') return [{ ...reading, begun: true }, []];
  const { lastReasoning } = reading;
  const isNext = lastReasoning !== undefined && id !== '' && id !== lastReasoning;
  return [
    { ...reading, begun: true, lastReasoning: id || (lastReasoning ?? '') },
    [toReply({ type: 'reasoning', text: isNext ? `\n\n${text}` : text })],
  ];
}

function beginCall(
  { ids, ...fields }: Reading,
  id: string,
  { toolCallName, parentMessageId }: JsonObject,
  { tools, endedCalls }: Conversation,
): ReadingStep {
  ids.calls.add(id);
  const reading: Reading = { ...fields, ids, lastCall: id };
  if (endedCalls.has(id)) return [{ ...reading, repeated: id }, []];
  const name = toText(toolCallName);
  const [next, out] = mark(reading, toText(parentMessageId));
  if (tools.has(name) && name !== interruptTool)
    return [next, [...out, { to: 'calls', piece: { slot: id, id, name, provider: { toolCallId: id } } }]];
  ids.remoteCalls.set(id, { toolCallId: id, name, input: '' });
  return [next, out];
}

function addInput(reading: Reading, id: string, delta: Json | undefined, { endedCalls }: Conversation): ReadingStep {
  if (endedCalls.has(id)) return [reading, []];
  const { remoteCalls } = reading.ids;
  const call = remoteCalls.get(id);
  if (!call) return [reading, [{ to: 'calls', piece: { slot: id, text: toPiece(delta) } }]];
  remoteCalls.set(id, { ...call, input: call.input + toPiece(delta) });
  return [reading, []];
}

function endRemoteCall(reading: Reading, id: string, result: Partial<RemoteCall> = {}): ReadingStep {
  const { remoteCalls } = reading.ids;
  const call = remoteCalls.get(id);
  remoteCalls.delete(id);
  return [reading, call ? [toPart(remoteCall, { ...call, ...result })] : []];
}

function addResult(
  reading: Reading,
  { toolCallId, messageId, content }: JsonObject,
  { openCalls }: Conversation,
): ReadingStep {
  const { calls } = reading.ids;
  const id = toText(toolCallId);
  const result = { resultId: toText(messageId) || `${id}-result`, ...defined({ output: content }) };
  const earlier = calls.has(id) ? undefined : openCalls.get(id);
  calls.add(id);
  if (earlier) return [reading, [toPart(remoteCall, { ...earlier, ...result, resumed: true })]];
  return endRemoteCall(reading, id, result);
}
