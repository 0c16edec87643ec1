import { named } from '../../core/model/shapes/named.ts';
import { fail } from '../../core/error.ts';
import { isJsonObject, type Json, type JsonObject, toJson } from '../../core/json.ts';
import { toList, toObject } from '../../core/model/read-json.ts';
import type { SessionStore } from '../../core/model/store.ts';
import { browserPorts } from '../../core/ports.ts';
import { messagesIn } from '../../history/documents.ts';
import { wholeFormatOf } from '../../history/formats.ts';
import { createItemReader } from '../../history/items.ts';
import { isOfSubAgent } from '../../history/lines.ts';
import { createTally, type LeftOut } from '../../history/tally.ts';
import type { Turn } from '../../history/transcript.ts';
import { planTurns } from './history/plan-turns.ts';
import { valuesOf } from './history/values.ts';
import { toEvents, writeNew } from './history/write-turns.ts';
import { defaultLimits } from './limits.ts';
import { createPauses, type Pauses } from './pause.ts';
import { isText, toTextSource } from './text-chunks.ts';
import { createWatch, type Watch } from './watch.ts';

/** Options of `importMessages`, all optional. */
export interface ImportMessagesOptions {
  /** Id of the new session. Default: a random UUID. */
  readonly sessionId?: string;
  /** Title of the session. Default: the beginning of the first user message. */
  readonly title?: string;
  /** Time of messages that state none: ms since the epoch. Default: now. */
  readonly timestamp?: number;
  /** Cancels the import, which then rejects with `ABORTED` and stores nothing. */
  readonly signal?: AbortSignal;
}

/** The result of `importMessages`. */
export interface ImportedMessages {
  readonly sessionId: string;
  /** Number of messages in the session, versions included. */
  readonly messages: number;
  /** Number of items that are neither a message, nor a call, nor a result, and were left out. */
  readonly skipped: number;
  /** Everything that was left out, by kind: items, and parts of items that are in the session. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Stores the messages of another program as one session, which can then be listed, searched, shown, reviewed and continued: messages of
 * Chat Completions, Responses, Anthropic, Google and the AI SDK (4 to 7), lines of Claude Code, Codex and Gemini CLI, as they are or as
 * `readClaudeCode`, `readCodex`, `readGeminiCli` and `mergeToolMessages` of `brooklet/tools` return them. For a file with several
 * conversations use `importHistory`.
 *
 * Calls are closed records and never run: a call with a result has succeeded or failed, a call without one is cancelled. Times are ms or s
 * since the epoch, or ISO 8601.
 *
 * Rejects with `INVALID_INPUT`, and stores nothing, where the source contains no message, a message does not fit, or the source has several
 * conversations; with `STORAGE_CONFLICT` where the id is in use; and with the other AgentErrors of the store.
 *
 * Works in short tasks, with pauses for the page.
 *
 * @param source a list of items; or text or a file: a JSON array, an object with `messages`, or JSON Lines of either
 * @example
 * const { sessionId } = await importMessages(store, '[{"role":"user","content":"Hello"}]');
 */
export async function importMessages(
  store: SessionStore,
  source: string | Blob | readonly unknown[],
  options: ImportMessagesOptions = {},
): Promise<ImportedMessages> {
  const {
    sessionId = browserPorts.id(),
    title,
    timestamp = browserPorts.now(),
    signal,
  } = named(options, { sessionId: true, title: true, timestamp: true, signal: true }, 'importMessages');
  const pauses = createPauses();
  const watch = createWatch(signal);
  const items = await readItems(source, pauses, watch);
  const { turns, leftOut, skipped } = await toTurns(items, timestamp, pauses);
  if (turns.length === 0)
    fail('INVALID_INPUT', 'The source contains no message: pass messages of chat completions, or the items of a log.');
  const at = turns[0]?.message.timestamp ?? timestamp;
  const started = { type: 'session.started', sessionId, ...(title !== undefined && { title }) } as const;
  const events = await toEvents([started, ...planTurns(turns, undefined)], { seq: 0, at }, pauses);
  watch({ step: 'store', done: 0, total: 1 });
  await writeNew(store, sessionId, events, pauses, browserPorts.id);
  return { sessionId, messages: turns.length, skipped, leftOut };
}

/** What an item costs besides its text, in characters as `createPauses` counts them: some µs. */
const itemCost = 500;

/** The messages of a list of items. */
interface ItemTurns {
  readonly turns: readonly Turn[];
  readonly leftOut: readonly LeftOut[];
  /** Number of items that are neither a message, nor a call, nor a result. */
  readonly skipped: number;
}

/** Converts the items of one conversation. @param now time of items that state none: ms since the epoch */
export async function toTurns(items: readonly Json[], now: number, pauses: Pauses): Promise<ItemTurns> {
  const tally = createTally();
  const reader = createItemReader(tally, { now, takesSideChains: isOfSubAgent(items) });
  let skipped = 0;
  for (const item of items) {
    if (!reader.add(toObject(item))) skipped++;
    await pauses.spend(itemCost);
  }
  return { turns: reader.transcript.turns(), leftOut: tally.leftOut(), skipped };
}

/** Returns copies of the items. Rejects with `INVALID_INPUT` for a text that is not JSON, is beyond the limits, or has several conversations. */
async function readItems(
  source: string | Blob | readonly unknown[],
  pauses: Pauses,
  watch: Watch,
): Promise<readonly Json[]> {
  const items: Json[] = [];
  const add = (value: Json): Promise<void> | undefined => {
    refuseWhole(toObject(value));
    items.push(value);
    return pauses.spend(itemCost + JSON.stringify(value).length);
  };
  if (Array.isArray(source)) {
    for (const item of source) {
      await add(copyOf(item));
      watch({ step: 'check', done: items.length, total: source.length });
    }
    return items;
  }
  if (!isText(source)) return fail('INVALID_INPUT', 'The source is neither a list, nor a text, nor a file.');
  const text = toTextSource(source);
  const total = text.size;
  const onRead = (done: number): void => watch({ step: 'check', done, total });
  for await (const { value } of valuesOf(text, { limits, pauses, onRead, expected: 'messages as JSON' })) {
    for (const item of itemsIn(value)) await add(item);
  }
  return items;
}

/** Values and characters of one JSON document, against files made to exhaust memory. */
const limits = { ...defaultLimits, values: 5_000_000, lineLength: defaultLimits.size };

function copyOf(item: unknown): Json {
  try {
    return toJson(item);
  } catch (cause) {
    return fail('INVALID_INPUT', 'An item is not JSON: pass messages as plain objects.', cause);
  }
}

function itemsIn(value: Json): readonly Json[] {
  if (isJsonObject(value)) return messagesIn(value)?.lines ?? [value];
  return Array.isArray(value) ? toList(value) : [value];
}

function refuseWhole(value: JsonObject): void {
  const whole = wholeFormatOf(value);
  if (whole)
    fail('INVALID_INPUT', `The source is an export of conversations (${whole.format}): pass it to importHistory.`);
}
