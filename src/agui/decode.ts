import { AgentError } from '../core/error.ts';
import { defined, type Json, type JsonObject } from '../core/json.ts';
import { tooLarge, unfinished } from '../llm/transport/stream-errors.ts';
import { createCallAssembler } from '../llm/transport/call-assembler.ts';
import { toList, toObject, toPiece, toText } from '../core/model/read-json.ts';
import type { Part } from '../core/model/message.ts';
import type { Reader, ReaderOptions } from '../llm/transport/reader.ts';
import { toInterruptInput } from './interrupts.ts';
import { toJsonText } from './json-text.ts';
import { aguiWire, interruptTool, messageMark, remoteCall, type RemoteCall, stepMark } from './messages.ts';
import { createStateReader } from './state.ts';
import { fromTokenUsage } from './token-usage.ts';

/** Parts of one reply that arrive as a whole: a reply is copied for each of them. */
const maxParts = 20_000;

export interface DecodeOptions extends ReaderOptions {
  /** Names of the tools that run in the page; the remote agent runs all others itself. */
  readonly tools: ReadonlySet<string>;
  /** The state before the run. */
  readonly state: Json;
  /** Calls of the remote agent's tools in earlier replies that have no result yet, by id. */
  readonly openCalls: ReadonlyMap<string, RemoteCall>;
  /** Ids of the calls in the conversation that have a result: such a call does not count where the remote agent sends it again. */
  readonly endedCalls: ReadonlySet<string>;
  /** Ids of the remote agent's messages in the conversation. */
  readonly knownMessages: ReadonlySet<string>;
  /** Called with every event, unchanged. */
  readonly onEvent?: ((event: JsonObject) => void) | undefined;
}

/**
 * Creates the reader of the events of a remote agent's run, as one reply. The run ends with `RUN_FINISHED`, never with the end of the stream.
 * Calls of tools that do not run in the page are the agent's own: each becomes one part, with its result, that people can see.
 */
export function createAGUIReader(given: DecodeOptions): Reader {
  const { tools, state, openCalls, endedCalls, knownMessages, onEvent, ...options } = given;
  const { host, emit, toError } = options;
  let parts = 0;
  const states = createStateReader(host, state, emitPart);
  const calls = createCallAssembler(options, aguiWire);
  /** Calls that the remote agent runs, by id. */
  const remoteCalls = new Map<string, RemoteCall>();
  const known = new Set<string>();
  /** Ids of messages that are not the assistant's, for example the user's. */
  const otherMessages = new Set<string>();
  /** The message and the call that a chunk without an id continues. */
  let lastMessage = '';
  let lastCall = '';
  let lastReasoning: string | undefined;
  /** Id of the newest message mark. */
  let marked: string | undefined;
  let snapshot: readonly Json[] = [];
  let usage: readonly Json[] = [];
  let outcome: JsonObject = {};
  let finished = false;
  let begun = false;
  /** The newest call that the agent sent again although it has its result. */
  let repeated: string | undefined;
  let ended = false;

  function emitPart(part: Part): void {
    if (++parts > maxParts) throw tooLarge(host, `more than ${maxParts} parts`);
    emit({ type: 'part', part });
  }

  function emitProvider(name: string, data: Json): void {
    emitPart({ type: 'provider', name, data });
  }

  function mark(messageId: string): void {
    begun = true;
    if (messageId === '' || messageId === marked) return;
    marked = messageId;
    emitProvider(messageMark, { messageId });
  }

  function beginMessage(messageId: Json | undefined, role: Json | undefined): void {
    lastMessage = toText(messageId) || lastMessage;
    if (role !== undefined && role !== 'assistant') otherMessages.add(lastMessage);
  }

  function emitText(messageId: string, delta: Json | undefined): void {
    const text = toPiece(delta);
    if (text === '' || otherMessages.has(messageId)) return;
    mark(messageId);
    emit({ type: 'text', text });
  }

  /** Emits a piece of reasoning. Messages of reasoning are separated by their ids alone. */
  function emitReasoning(messageId: Json | undefined, delta: Json | undefined): void {
    begun = true;
    const text = toPiece(delta);
    if (text === '') return;
    const id = toText(messageId);
    const isNext = lastReasoning !== undefined && id !== '' && id !== lastReasoning;
    lastReasoning = id || (lastReasoning ?? '');
    emit({ type: 'reasoning', text: isNext ? `\n\n${text}` : text });
  }

  function beginCall(id: string, name: string, parent: Json | undefined): void {
    lastCall = id;
    known.add(id);
    if (endedCalls.has(id)) {
      repeated = id;
      return;
    }
    mark(toText(parent));
    if (tools.has(name) && name !== interruptTool) calls.push({ slot: id, id, name, provider: { toolCallId: id } });
    else remoteCalls.set(id, { toolCallId: id, name, input: '' });
  }

  function addInput(id: string, delta: Json | undefined): void {
    if (endedCalls.has(id)) return;
    const call = remoteCalls.get(id);
    if (call) remoteCalls.set(id, { ...call, input: call.input + toPiece(delta) });
    else calls.push({ slot: id, text: toPiece(delta) });
  }

  function endRemoteCall(id: string, result: Partial<RemoteCall> = {}): void {
    const call = remoteCalls.get(id);
    remoteCalls.delete(id);
    if (call) emitProvider(remoteCall, { ...call, ...result });
  }

  function readResult({ toolCallId, messageId, content }: JsonObject): void {
    const id = toText(toolCallId);
    const result = { resultId: toText(messageId) || `${id}-result`, ...defined({ output: content }) };
    const earlier = known.has(id) ? undefined : openCalls.get(id);
    known.add(id);
    if (earlier) emitProvider(remoteCall, { ...earlier, ...result, resumed: true });
    else endRemoteCall(id, result);
  }

  /** Requests a call of the page's tool for each interrupt. Returns whether the page has the tool, and an interrupt can be answered. */
  function requestAnswers(interrupts: readonly JsonObject[], concerned: ReadonlyMap<string, RemoteCall>): boolean {
    if (!tools.has(interruptTool)) return false;
    const byId = new Map(interrupts.map((interrupt) => [toText(interrupt.id), interrupt]));
    byId.delete('');
    for (const [id, interrupt] of byId) {
      const callId = toText(interrupt.toolCallId);
      const text = toJsonText(toInterruptInput(interrupt, concerned.get(callId) ?? openCalls.get(callId)), host);
      calls.push({ slot: `interrupt ${id}`, name: interruptTool, text });
    }
    return byId.size > 0;
  }

  /** Some agents send an answer only as a snapshot of the whole conversation. */
  function readSnapshot(): void {
    const last = snapshot.findLastIndex((message) => toObject(message).role === 'user');
    for (const message of snapshot.slice(last + 1).map(toObject)) {
      // The snapshot has what came before the result of a call, too.
      if (message.role === 'assistant' && !knownMessages.has(toText(message.id))) {
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
    if (event.type !== 'STATE_DELTA') states.flush();
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
        return emitReasoning(messageId, delta);
      case 'REASONING_ENCRYPTED_VALUE': {
        const { subtype, entityId, encryptedValue } = event;
        const provider = { [aguiWire]: defined({ subtype, entityId, encryptedValue }) };
        // Reasoning that follows is a part of its own.
        lastReasoning = undefined;
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
      case 'STATE_SNAPSHOT':
      case 'STATE_DELTA':
        return states.read(event);
      case 'STEP_STARTED':
      case 'STEP_FINISHED': {
        const status = event.type === 'STEP_STARTED' ? 'started' : 'finished';
        return emitProvider(stepMark, { stepName: toText(event.stepName), status });
      }
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
      states.flush();
      if (!finished) throw unfinished(host, begun, by);
      ended = true;
      if (!begun) readSnapshot();
      const raw = toText(outcome.type);
      if (!begun && repeated !== undefined && raw !== 'interrupt' && raw !== 'cancelled')
        throw new AgentError(`${host} sent the call "${repeated}" again, which has its result, and no answer.`, {
          code: 'STREAM_MALFORMED',
        });
      const unanswered = new Map(remoteCalls);
      for (const id of unanswered.keys()) endRemoteCall(id);
      const isAsked = raw === 'interrupt' && requestAnswers(toList(outcome.interrupts).map(toObject), unanswered);
      const reason = calls.count > 0 ? 'tool-calls' : raw === 'interrupt' ? 'other' : 'stop';
      calls.end(reason);
      if (raw === 'cancelled')
        throw new AgentError(`${host} cancelled the run. Send the message again.`, { code: 'STREAM_INTERRUPTED' });
      // Without the tool for interrupts the page answers: `providerParams: { resume }`.
      if (raw === 'interrupt' && !isAsked) emitProvider('agui.interrupt', outcome.interrupts ?? []);
      const counts = usage.map(toObject);
      if (counts.length > 0) emit({ type: 'usage', usage: fromTokenUsage(counts) });
      emit({
        type: 'finish',
        reason,
        ...(raw !== '' && { raw }),
        ...(toText(counts[0]?.model) !== '' && { model: toText(counts[0]?.model) }),
      });
    },
  };
}
