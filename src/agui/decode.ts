import { AgentError } from '../core/error.ts';
import { defined, type Json, type JsonObject } from '../core/json.ts';
import type { LLMChunk } from '../core/model/llm.ts';
import type { FinishReason } from '../core/model/message.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import { createCallAssembler } from '../llm/transport/call-assembler.ts';
import type { Reader, ReaderOptions } from '../llm/transport/reader.ts';
import { tooLarge, unfinished } from '../llm/transport/stream-errors.ts';
import { toInterruptInput } from './interrupts.ts';
import { toJsonText } from './json-text.ts';
import { aguiWire, interruptTool, type RemoteCall } from './messages.ts';
import {
  beginReading,
  type Conversation,
  endRemoteCalls,
  type Output,
  readEvent,
  type Reading,
  type ReadingStep,
  readSnapshot,
  toPart,
  toReply,
} from './reading.ts';
import { createStateReader } from './state.ts';
import { fromTokenUsage } from './token-usage.ts';

/** Parts of one reply that arrive as a whole: a reply is copied for each of them. */
const maxParts = 20_000;

export interface DecodeOptions extends ReaderOptions, Conversation {
  readonly tools: ReadonlySet<string>;
  /** The state before the run. */
  readonly state: Json;
  /** Called with every event, unchanged. */
  readonly onEvent?: ((event: JsonObject) => void) | undefined;
}

/**
 * Creates the reader of the events of a remote agent's run, as one reply. The run ends with `RUN_FINISHED`, never with the end of the stream.
 * Calls of tools that do not run in the page are the agent's own: each becomes one part, with its result, that people can see.
 */
export function createAGUIReader(given: DecodeOptions): Reader {
  const { tools, state, openCalls, endedCalls, knownMessages, onEvent, ...options } = given;
  const { host, toError } = options;
  const conversation: Conversation = { tools, openCalls, endedCalls, knownMessages };
  const states = createStateReader(host, state, (part) => emit({ type: 'part', part }));
  const calls = createCallAssembler(options, aguiWire);
  let reading = beginReading();
  let parts = 0;
  let ended = false;

  function emit(chunk: LLMChunk): void {
    if (chunk.type === 'part' && ++parts > maxParts) throw tooLarge(host, `more than ${maxParts} parts`);
    options.emit(chunk);
  }

  function perform(output: Output): void {
    switch (output.to) {
      case 'reply':
        return emit(output.chunk);
      case 'calls':
        return calls.push(output.piece);
      case 'person':
        return calls.push({
          slot: `interrupt ${toText(output.interrupt.id)}`,
          name: interruptTool,
          text: toJsonText(toInterruptInput(output.interrupt, output.call), host),
        });
    }
  }

  function take([next, out]: ReadingStep): void {
    reading = next;
    out.forEach(perform);
  }

  return {
    get complete() {
      return reading.finished;
    },
    read(event) {
      if (ended) return;
      notify(event, onEvent);
      if (event.type !== 'STATE_DELTA') states.flush();
      const reported = errorIn(event);
      if (reported) throw toError(reported);
      if (event.type === 'STATE_SNAPSHOT' || event.type === 'STATE_DELTA') states.read(event);
      else take(readEvent(reading, event, conversation));
    },
    end(by) {
      if (ended) return;
      states.flush();
      if (!reading.finished) throw unfinished(host, reading.begun, by);
      ended = true;
      if (!reading.begun) take(readSnapshot(reading, conversation));
      checkAnswer(reading, host);
      const unanswered = new Map(reading.ids.remoteCalls);
      take(endRemoteCalls(reading));
      const asked = interruptsFor(reading, conversation, unanswered);
      asked.forEach(perform);
      const reason = calls.count > 0 ? 'tool-calls' : outcomeOf(reading) === 'interrupt' ? 'other' : 'stop';
      calls.end(reason);
      if (outcomeOf(reading) === 'cancelled')
        throw new AgentError(`${host} cancelled the run. Send the message again.`, { code: 'STREAM_INTERRUPTED' });
      finish(reading, asked.length > 0, reason).forEach(perform);
    },
  };
}

function notify(event: JsonObject, onEvent: DecodeOptions['onEvent']): void {
  try {
    onEvent?.(event);
  } catch (thrown) {
    // An error of the page's callback does not end the run.
    globalThis.reportError?.(thrown);
  }
}

/** Returns the error that an event reports, as a body with an error. */
function errorIn(event: JsonObject): JsonObject | undefined {
  const { type, message, code, error } = event;
  if (type === 'RUN_ERROR') return { error: defined({ message, code }) };
  return type === undefined && error ? event : undefined;
}

/** Returns the type of the outcome of a run; empty before its end, and for an agent that sends none. */
function outcomeOf({ outcome }: Reading): string {
  return toText(outcome.type);
}

/** @throws AgentError `STREAM_MALFORMED` where the agent sent an earlier call again instead of an answer */
function checkAnswer(reading: Reading, host: string): void {
  const { begun, repeated } = reading;
  if (begun || repeated === undefined || ['interrupt', 'cancelled'].includes(outcomeOf(reading))) return;
  throw new AgentError(`${host} sent the call "${repeated}" again, which has its result, and no answer.`, {
    code: 'STREAM_MALFORMED',
  });
}

/**
 * Returns the questions of the interrupts that ended the run; none where the page has no tool for them.
 *
 * @param unanswered calls of this run without a result, by id
 */
function interruptsFor(
  reading: Reading,
  { tools, openCalls }: Conversation,
  unanswered: ReadonlyMap<string, RemoteCall>,
): readonly Output[] {
  if (outcomeOf(reading) !== 'interrupt' || !tools.has(interruptTool)) return [];
  const byId = new Map(
    toList(reading.outcome.interrupts)
      .map(toObject)
      .map((interrupt) => [toText(interrupt.id), interrupt]),
  );
  byId.delete('');
  return Array.from(byId.values(), (interrupt): Output => {
    const callId = toText(interrupt.toolCallId);
    return { to: 'person', interrupt, call: unanswered.get(callId) ?? openCalls.get(callId) };
  });
}

function finish(reading: Reading, isAsked: boolean, reason: FinishReason): readonly Output[] {
  const raw = outcomeOf(reading);
  const counts = reading.usage.map(toObject);
  const model = toText(counts[0]?.model);
  return [
    // Without the tool for interrupts the page answers: `providerParams: { resume }`.
    ...(raw === 'interrupt' && !isAsked ? [toPart('agui.interrupt', reading.outcome.interrupts ?? [])] : []),
    ...(counts.length > 0 ? [toReply({ type: 'usage', usage: fromTokenUsage(counts) })] : []),
    toReply({ type: 'finish', reason, ...(raw !== '' && { raw }), ...(model !== '' && { model }) }),
  ];
}
