import { fail } from '../../core/error.ts';
import { eventVersion, type EventBody, type SessionEvent } from '../../core/model/event.ts';
import { toSummary } from '../../core/model/summary.ts';
import type { SessionStore } from '../../core/model/store.ts';
import { toWriteId } from '../../core/model/write-id.ts';
import { browserPorts } from '../../core/ports.ts';
import { readEvent } from './event-shape.ts';
import { foldSlowly } from './fold-slowly.ts';
import { toMessages } from './foreign/messages.ts';
import { createPauses } from './pause.ts';
import { itemCost, readItems } from './read-items.ts';

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

/**
 * Stores the messages of another program as a session, which can then be listed, searched, shown, reviewed and continued: messages of
 * chat completions, or the items that `readClaudeCode`, `readCodex`, `readGeminiCli` and `mergeToolMessages` of `brooklet/tools` return.
 *
 * Calls are closed records and never run: a call with a result has succeeded or failed, a call without one is cancelled.
 *
 * Rejects with `INVALID_INPUT`, and stores nothing, where the source contains no message or a message does not fit; with
 * `STORAGE_CONFLICT` where the id is in use; and with the other AgentErrors of the store.
 *
 * Works in short tasks, with pauses for the page. A JSON array or object in a text is parsed in one piece.
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
  const pauses = createPauses();
  const items = await readItems(source, pauses);
  const { messages, skipped } = await toMessages(items, timestamp, pauses);
  if (messages.length === 0)
    fail('INVALID_INPUT', 'The source contains no message: pass messages of chat completions, or the items of a log.');
  const started: EventBody = { type: 'session.started', sessionId, ...(title !== undefined && { title }) };
  const added = messages.map((message): EventBody => ({ type: 'message.added', message }));
  const events: SessionEvent[] = [];
  for (const [index, body] of [started, ...added].entries()) {
    const at = messages[Math.max(0, index - 1)]?.timestamp ?? timestamp;
    events.push(checked({ ...body, seq: index + 1, at, v: eventVersion }));
    await pauses.spend(itemCost);
  }
  const summary = toSummary(await foldSlowly(events, sessionId, pauses));
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
