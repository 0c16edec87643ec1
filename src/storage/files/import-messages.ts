import { fail } from '../../core/error.ts';
import { isJsonObject, parseJson, toJson, type Json } from '../../core/json.ts';
import { eventVersion, type EventBody, type SessionEvent } from '../../core/model/event.ts';
import { toList } from '../../core/model/read-json.ts';
import { foldLog } from '../../core/model/replay.ts';
import { toSummary } from '../../core/model/summary.ts';
import type { SessionStore } from '../../core/model/store.ts';
import { toWriteId } from '../../core/model/write-id.ts';
import { browserPorts } from '../../core/ports.ts';
import { readEvent } from './event-shape.ts';
import { toMessages } from './foreign/messages.ts';
import { defaultLimits, overLimit } from './limits.ts';

/** Options of `importMessages`, all optional. */
export interface ImportMessagesOptions {
  /** Id of the new session. Default: a random UUID. */
  readonly sessionId?: string;
  /** Title of the session. Default: the beginning of the first user message. */
  readonly title?: string;
  /** Time of messages that state none: ms since the epoch. Default: now. */
  readonly timestamp?: number;
}

/** The result of `importMessages`. */
export interface ImportedMessages {
  readonly sessionId: string;
  /** Number of messages in the session. */
  readonly messages: number;
  /** Number of items that are neither a message, nor a call, nor a result, and were left out. */
  readonly skipped: number;
}

/** Values in a source of text, against files made to exhaust memory. */
const maxValues = 5_000_000;

/**
 * Stores the messages of another program as a session, which can then be listed, searched, shown, reviewed and continued: messages of
 * chat completions, or the items that `readClaudeCode`, `readCodex`, `readGeminiCli` and `mergeToolMessages` of `brooklet/tools` return.
 *
 * Calls are closed records and never run: a call with a result has succeeded or failed, a call without one is cancelled.
 *
 * Rejects with `INVALID_INPUT`, and stores nothing, where the source contains no message or a message does not fit; with
 * `STORAGE_CONFLICT` where the id is in use; and with the other AgentErrors of the store.
 *
 * @param source a list of items; or text: a JSON array, an object with `messages`, or JSON Lines of either
 * @example
 * const { sessionId } = await importMessages(store, '[{"role":"user","content":"Hello"}]');
 */
export async function importMessages(
  store: SessionStore,
  source: string | readonly unknown[],
  { sessionId = browserPorts.id(), title, timestamp = browserPorts.now() }: ImportMessagesOptions = {},
): Promise<ImportedMessages> {
  const { messages, skipped } = toMessages(typeof source === 'string' ? readItems(source) : copyOf(source), timestamp);
  if (messages.length === 0)
    fail('INVALID_INPUT', 'The source contains no message: pass messages of chat completions, or the items of a log.');
  const started: EventBody = { type: 'session.started', sessionId, ...(title !== undefined && { title }) };
  const added = messages.map((message): EventBody => ({ type: 'message.added', message }));
  const events = [started, ...added].map((body, index) => {
    const at = messages[Math.max(0, index - 1)]?.timestamp ?? timestamp;
    return checked({ ...body, seq: index + 1, at, v: eventVersion });
  });
  const summary = toSummary(foldLog(sessionId, events));
  const writeId = toWriteId(browserPorts.id());
  await store.write({ sessionId, expectedSeq: 0, writeId, events, summary, durability: 'relaxed', phase: 'settled' });
  return { sessionId, messages: messages.length, skipped };
}

/** @throws AgentError `INVALID_INPUT` with the field and the reason */
function checked(made: SessionEvent): SessionEvent {
  const read = readEvent(structuredClone(made));
  if ('event' in read) return read.event;
  return fail('INVALID_INPUT', `Message ${made.seq - 1}: ${read.flaw.field} ${read.flaw.reason}.`);
}

/** @throws AgentError `INVALID_INPUT` for items that are no JSON */
function copyOf(items: readonly unknown[]): readonly Json[] {
  try {
    return itemsIn(toJson(items));
  } catch (cause) {
    return fail('INVALID_INPUT', 'An item is no JSON: pass messages as plain objects.', cause);
  }
}

/** Reads a JSON array, an object with `messages`, or JSON Lines of either. */
function readItems(text: string): readonly Json[] {
  const reason =
    text.length > defaultLimits.size
      ? `is longer than ${defaultLimits.size} characters`
      : overLimit(text, { ...defaultLimits, values: maxValues });
  if (reason !== undefined) fail('INVALID_INPUT', `The source ${reason}.`);
  const whole = parseJson(text);
  if (whole !== undefined) return itemsIn(whole);
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '') return [];
    return itemsIn(parseJson(line) ?? fail('INVALID_INPUT', `Line ${index + 1} of the source is not JSON.`));
  });
}

function itemsIn(value: Json): readonly Json[] {
  const messages = isJsonObject(value) ? value.messages : undefined;
  if (Array.isArray(messages)) return toList(messages);
  return Array.isArray(value) ? toList(value) : [value];
}
