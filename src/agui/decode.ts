import { AgentError } from '../core/error.ts';
import { defined, type Json, type JsonObject } from '../core/json.ts';
import { interrupted } from '../llm/transport/stream-errors.ts';
import { createCallAssembler } from '../llm/transport/call-assembler.ts';
import { toCount, toList, toObject, toText } from '../core/model/read-json.ts';
import type { Reader, ReaderOptions } from '../llm/transport/reader.ts';
import { aguiWire, messageMark, remoteCall, type RemoteCall } from './messages.ts';

export interface DecodeOptions extends ReaderOptions {
  /** Names of the tools that run here; the agent runs all others itself. */
  readonly tools: ReadonlySet<string>;
  /** Told of every event, as it came. */
  readonly onEvent?: ((event: JsonObject) => void) | undefined;
}

/**
 * Reads the events of a remote agent's run as one reply. Its run has ended when it says so, and never because the stream did. Calls of
 * tools that are not ours are the agent's own: they come as parts that people can see, with what came of them.
 */
export function createAGUIReader({ tools, onEvent, ...options }: DecodeOptions): Reader {
  const { host, emit, toError } = options;
  const calls = createCallAssembler(options, aguiWire);
  /** Calls that run there, by id. */
  const theirs = new Map<string, RemoteCall>();
  const known = new Set<string>();
  /** Messages of somebody else: of the person, say. */
  const foreign = new Set<string>();
  /** Where a chunk without an id goes on. */
  let lastMessage = '';
  let lastCall = '';
  /** The message that was marked last. */
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
    if (role !== undefined && role !== 'assistant') foreign.add(lastMessage);
  }

  function say(messageId: string, delta: Json | undefined): void {
    const text = toText(delta);
    if (text === '' || foreign.has(messageId)) return;
    mark(messageId);
    emit({ type: 'text', text });
  }

  function think(delta: Json | undefined): void {
    begun = true;
    if (toText(delta) !== '') emit({ type: 'reasoning', text: toText(delta) });
  }

  function beginCall(id: string, name: string, parent: Json | undefined): void {
    lastCall = id;
    known.add(id);
    mark(toText(parent));
    if (tools.has(name)) calls.push({ slot: id, id, name, provider: { toolCallId: id } });
    else theirs.set(id, { toolCallId: id, name, input: '' });
  }

  function addInput(id: string, delta: Json | undefined): void {
    const call = theirs.get(id);
    if (call) theirs.set(id, { ...call, input: call.input + toText(delta) });
    else calls.push({ slot: id, text: toText(delta) });
  }

  function endTheirs(id: string, result: Partial<RemoteCall> = {}): void {
    const call = theirs.get(id);
    theirs.delete(id);
    if (call) emit({ type: 'part', part: { type: 'provider', name: remoteCall, data: { ...call, ...result } } });
  }

  function readResult({ toolCallId, messageId, content }: JsonObject): void {
    const id = toText(toolCallId);
    endTheirs(id, { resultId: toText(messageId) || `${id}-result`, ...defined({ output: content }) });
  }

  /** Some agents tell nothing of an answer but the whole conversation with it. */
  function readSnapshot(): void {
    const last = snapshot.findLastIndex((message) => toObject(message).role === 'user');
    for (const message of snapshot.slice(last + 1).map(toObject)) {
      if (message.role === 'assistant') {
        say(toText(message.id), message.content);
        for (const call of toList(message.toolCalls).map(toObject)) {
          const { name, arguments: input } = toObject(call.function);
          beginCall(toText(call.id), toText(name), message.id);
          addInput(toText(call.id), input);
        }
      } else if (message.role === 'tool') readResult({ ...message, messageId: message.id });
    }
  }

  function tell(event: JsonObject): void {
    try {
      onEvent?.(event);
    } catch (thrown) {
      // It is the page's own mistake, and the run's no concern.
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
        return say(toText(messageId), delta);
      case 'TEXT_MESSAGE_CHUNK':
        beginMessage(messageId, event.role);
        return say(lastMessage, delta);
      case 'REASONING_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CHUNK':
      // Before 1.0.
      case 'THINKING_TEXT_MESSAGE_CONTENT':
        return think(delta);
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
      tell(event);
      read(event);
    },
    end() {
      if (ended) return;
      if (!finished) throw interrupted(host, begun);
      ended = true;
      if (!begun) readSnapshot();
      for (const id of theirs.keys()) endTheirs(id);
      calls.end();
      const raw = toText(outcome.type);
      if (raw === 'cancelled') throw new AgentError(`${host} called the run off.`, { code: 'STREAM_INTERRUPTED' });
      // What it wants to know before it goes on; the answer goes along as `providerParams: { resume }`.
      if (raw === 'interrupt')
        emit({ type: 'part', part: { type: 'provider', name: 'agui.interrupt', data: outcome.interrupts ?? [] } });
      const counts = usage.map(toObject);
      if (counts.length > 0) emit({ type: 'usage', usage: toUsage(counts) });
      emit({
        type: 'finish',
        reason: calls.count > 0 ? 'tool-calls' : raw === 'interrupt' ? 'other' : 'stop',
        ...(raw !== '' && { raw }),
        ...(toText(counts[0]?.model) !== '' && { model: toText(counts[0]?.model) }),
      });
    },
  };
}

/** Of all the models that it asked. */
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
