import { AgentError } from '../core/error.ts';
import { defined, type Json, type JsonObject } from '../core/json.ts';
import { unfinished } from '../llm/transport/stream-errors.ts';
import { createCallAssembler } from '../llm/transport/call-assembler.ts';
import { toCount, toList, toObject, toText } from '../core/model/read-json.ts';
import type { Reader, ReaderOptions } from '../llm/transport/reader.ts';
import { aguiWire, messageMark, remoteCall, type RemoteCall } from './messages.ts';

export interface DecodeOptions extends ReaderOptions {
  /** Names of the tools that run in the page; the remote agent runs all others itself. */
  readonly tools: ReadonlySet<string>;
  /** Called with every event, unchanged. */
  readonly onEvent?: ((event: JsonObject) => void) | undefined;
}

/**
 * Creates the reader of the events of a remote agent's run, as one reply. The run ends with `RUN_FINISHED`, never with the end of the stream.
 * Calls of tools that do not run in the page are the agent's own: each becomes one part, with its result, that people can see.
 */
export function createAGUIReader({ tools, onEvent, ...options }: DecodeOptions): Reader {
  const { host, emit, toError } = options;
  const calls = createCallAssembler(options, aguiWire);
  /** Calls that the remote agent runs, by id. */
  const remoteCalls = new Map<string, RemoteCall>();
  const known = new Set<string>();
  /** Ids of messages that are not the assistant's, for example the user's. */
  const otherMessages = new Set<string>();
  /** The message and the call that a chunk without an id continues. */
  let lastMessage = '';
  let lastCall = '';
  /** Id of the newest message mark. */
  let marked: string | undefined;
  let snapshot: readonly Json[] = [];
  let usage: readonly Json[] = [];
  let outcome: JsonObject = {};
  let finished = false;
  let begun = false;
  let ended = false;

  function mark(messageId: string): void {
    begun = true;
    if (messageId === '' || messageId === marked) return;
    marked = messageId;
    emit({ type: 'part', part: { type: 'provider', name: messageMark, data: { messageId } } });
  }

  function beginMessage(messageId: Json | undefined, role: Json | undefined): void {
    lastMessage = toText(messageId) || lastMessage;
    if (role !== undefined && role !== 'assistant') otherMessages.add(lastMessage);
  }

  function emitText(messageId: string, delta: Json | undefined): void {
    const text = toText(delta);
    if (text === '' || otherMessages.has(messageId)) return;
    mark(messageId);
    emit({ type: 'text', text });
  }

  function emitReasoning(delta: Json | undefined): void {
    begun = true;
    const text = toText(delta);
    if (text !== '') emit({ type: 'reasoning', text });
  }

  function beginCall(id: string, name: string, parent: Json | undefined): void {
    lastCall = id;
    known.add(id);
    mark(toText(parent));
    if (tools.has(name)) calls.push({ slot: id, id, name, provider: { toolCallId: id } });
    else remoteCalls.set(id, { toolCallId: id, name, input: '' });
  }

  function addInput(id: string, delta: Json | undefined): void {
    const call = remoteCalls.get(id);
    if (call) remoteCalls.set(id, { ...call, input: call.input + toText(delta) });
    else calls.push({ slot: id, text: toText(delta) });
  }

  function endRemoteCall(id: string, result: Partial<RemoteCall> = {}): void {
    const call = remoteCalls.get(id);
    remoteCalls.delete(id);
    if (call) emit({ type: 'part', part: { type: 'provider', name: remoteCall, data: { ...call, ...result } } });
  }

  function readResult({ toolCallId, messageId, content }: JsonObject): void {
    const id = toText(toolCallId);
    endRemoteCall(id, { resultId: toText(messageId) || `${id}-result`, ...defined({ output: content }) });
  }

  /** Some agents send an answer only as a snapshot of the whole conversation. */
  function readSnapshot(): void {
    const last = snapshot.findLastIndex((message) => toObject(message).role === 'user');
    for (const message of snapshot.slice(last + 1).map(toObject)) {
      if (message.role === 'assistant') {
        emitText(toText(message.id), message.content);
        for (const call of toList(message.toolCalls).map(toObject)) {
          const { name, arguments: input } = toObject(call.function);
          beginCall(toText(call.id), toText(name), message.id);
          addInput(toText(call.id), input);
        }
      } else if (message.role === 'tool') readResult({ ...message, messageId: message.id });
    }
  }

  function notify(event: JsonObject): void {
    try {
      onEvent?.(event);
    } catch (thrown) {
      // An error of the page's callback does not end the run.
      globalThis.reportError?.(thrown);
    }
  }

  function read(event: JsonObject): void {
    const { messageId, toolCallId, delta } = event;
    const callId = toText(toolCallId) || lastCall;
    switch (toText(event.type)) {
      case 'TEXT_MESSAGE_START':
        return beginMessage(messageId, event.role);
      case 'TEXT_MESSAGE_CONTENT':
        return emitText(toText(messageId), delta);
      case 'TEXT_MESSAGE_CHUNK':
        beginMessage(messageId, event.role);
        return emitText(lastMessage, delta);
      case 'REASONING_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CHUNK':
      // Of AG-UI before 1.0.
      case 'THINKING_TEXT_MESSAGE_CONTENT':
        return emitReasoning(delta);
      case 'REASONING_ENCRYPTED_VALUE': {
        const { subtype, entityId, encryptedValue } = event;
        const provider = { [aguiWire]: defined({ subtype, entityId, encryptedValue }) };
        return emit({ type: 'reasoning', text: '', provider });
      }
      case 'TOOL_CALL_START':
        return beginCall(callId, toText(event.toolCallName), event.parentMessageId);
      case 'TOOL_CALL_ARGS':
        return addInput(callId, delta);
      case 'TOOL_CALL_CHUNK':
        if (!known.has(callId)) beginCall(callId, toText(event.toolCallName), event.parentMessageId);
        return addInput(callId, delta);
      case 'TOOL_CALL_RESULT':
        return readResult(event);
      case 'MESSAGES_SNAPSHOT':
        snapshot = toList(event.messages);
        return undefined;
      case 'RUN_STARTED':
        finished = false;
        return undefined;
      case 'RUN_FINISHED':
        finished = true;
        outcome = toObject(event.outcome);
        usage = toList(event.usage);
        return undefined;
      case 'RUN_ERROR':
        throw toError({ error: defined({ message: event.message, code: event.code }) });
    }
    if (event.type === undefined && event.error) throw toError(event);
    return undefined;
  }

  return {
    get complete() {
      return finished;
    },
    read(event) {
      if (ended) return;
      notify(event);
      read(event);
    },
    end(by) {
      if (ended) return;
      if (!finished) throw unfinished(host, begun, by);
      ended = true;
      if (!begun) readSnapshot();
      for (const id of remoteCalls.keys()) endRemoteCall(id);
      const raw = toText(outcome.type);
      const reason = calls.count > 0 ? 'tool-calls' : raw === 'interrupt' ? 'other' : 'stop';
      calls.end(reason);
      if (raw === 'cancelled')
        throw new AgentError(`${host} cancelled the run. Send the message again.`, { code: 'STREAM_INTERRUPTED' });
      // The agent's prompt to a person before it continues; the answer is sent as `providerParams: { resume }`.
      if (raw === 'interrupt')
        emit({ type: 'part', part: { type: 'provider', name: 'agui.interrupt', data: outcome.interrupts ?? [] } });
      const counts = usage.map(toObject);
      if (counts.length > 0) emit({ type: 'usage', usage: toUsage(counts) });
      emit({
        type: 'finish',
        reason,
        ...(raw !== '' && { raw }),
        ...(toText(counts[0]?.model) !== '' && { model: toText(counts[0]?.model) }),
      });
    },
  };
}

/** Returns the sum of the tokens of all models that the agent used. */
function toUsage(counts: readonly JsonObject[]) {
  const sum = (key: string): number | undefined => {
    const known = counts.flatMap((count) => toCount(count[key]) ?? []);
    return known.length === 0 ? undefined : known.reduce((total, count) => total + count);
  };
  return {
    input: sum('inputTokens') ?? 0,
    output: sum('outputTokens') ?? 0,
    ...defined({ cached: sum('cachedInputTokens'), reasoning: sum('reasoningTokens') }),
  };
}
