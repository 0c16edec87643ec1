import { named } from '../../../core/model/shapes/named.ts';
import { AgentError, fail } from '../../../core/error.ts';
import { hash } from '../../../core/model/hash.ts';
import type { EventBody } from '../../../core/model/event.ts';
import type { SessionStore, StoredSession } from '../../../core/model/store.ts';
import { browserPorts } from '../../../core/ports.ts';
import type { Conversation } from '../../../history/conversation.ts';
import { type HistoryFormat, knownFormats } from '../../../history/formats.ts';
import { createTally, type LeftOut } from '../../../history/tally.ts';
import { countTaken, noneTaken, sumTaken, type TakenParts } from '../../../history/taken.ts';
import type { ImportLimits } from '../limits.ts';
import { createPauses } from '../pause.ts';
import { createWatch, type ImportProgress } from '../watch.ts';
import { conversationsOf, type FoundConversation, historyLimits, openHistory } from './conversations.ts';
import { planTurns } from './plan-turns.ts';
import { historyOf, toEvents, writeMore, writeNew } from './write-turns.ts';

/** Options of `importHistory`, all optional. */
export interface ImportHistoryOptions {
  /** Reads the file, reports what an import would do, and writes nothing. Default `false`. */
  readonly dryRun?: boolean;
  /** Imports conversations again that were removed here. Default `false`: they are reported as `removed`. */
  readonly restoreRemoved?: boolean;
  /** Time of messages that state none, in ms since the epoch. Default: now. */
  readonly timestamp?: number;
  /** Limits of the file, against hostile files. Default: 2 GB, 256,000,000 characters and 5,000,000 values a conversation. */
  readonly limits?: Partial<ImportLimits>;
  /** Cancels the import, which then rejects with `ABORTED`; conversations stored so far are kept, each whole. */
  readonly signal?: AbortSignal;
  /** Notified of the progress of a long import, and at the end of each step. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/**
 * What happened to a conversation. `added`: it is a new session. `extended`: the session had a part of it. `unchanged`: the session had all of
 * it. `empty`: it has no message. `removed`: the session was removed here. `busy`: a run of the session is open. `unreadable`: the stored
 * session is damaged.
 */
export type ConversationResult = 'added' | 'extended' | 'unchanged' | 'empty' | 'removed' | 'busy' | 'unreadable';

/** The result for one conversation; in a dry run, the result that an import would have. */
export interface ImportedConversation {
  /** Id in the program. */
  readonly id: string;
  readonly title: string;
  /** Id of the session in the store: the same for each import of the conversation. */
  readonly sessionId: string;
  readonly result: ConversationResult;
  /** Number of messages of the conversation, versions included. */
  readonly messages: number;
  /** Number of messages that the session did not have. */
  readonly added: number;
  readonly leftOut: readonly LeftOut[];
}

/** The result of `importHistory`. */
export interface HistoryReport {
  /** The program that the file is of. */
  readonly format: HistoryFormat;
  /** One result per conversation, in the order of the file. */
  readonly conversations: readonly ImportedConversation[];
  /** What the sessions have of the file, by kind, whether stored now or before. */
  readonly taken: TakenParts;
  /** What no session has, by kind. Everything in the file is in `taken` or here. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Imports the conversations of another program, each as a session: ChatGPT and Claude (`conversations.json` of the data export), Open WebUI,
 * LobeChat, NextChat, Claude Code, Codex, Gemini CLI, and lists of messages. The format is recognized. Edited questions and regenerated
 * answers become versions (`alternatives`).
 *
 * The same file again adds only what is new: a conversation keeps the id of its session, and what a person has done with the session here
 * stays. Nothing in a file can run: calls are closed records.
 *
 * The whole file is checked before anything is stored, and each session is written whole or not at all. Works in short tasks.
 *
 * Rejects with `INVALID_INPUT`, which names what was expected, for another file; with `ABORTED` when `signal` aborts; and with the
 * AgentErrors of the store.
 *
 * @param source text or a file: JSON, JSON Lines, or the ZIP archive that ChatGPT and Claude export
 * @example
 * const preview = await importHistory(store, file, { dryRun: true });
 * for (const { part, reason, count } of preview.leftOut) console.log(`${count} × ${part}: ${reason}`);
 * const report = await importHistory(store, file, { signal, onProgress });
 */
export async function importHistory(
  store: SessionStore,
  source: string | Blob,
  options: ImportHistoryOptions = {},
): Promise<HistoryReport> {
  named(
    options,
    { dryRun: true, restoreRemoved: true, timestamp: true, limits: true, signal: true, onProgress: true },
    'importHistory',
  );
  const { dryRun = false, restoreRemoved = false, timestamp: now = browserPorts.now(), signal, onProgress } = options;
  const pauses = createPauses();
  const watch = createWatch(signal, onProgress);
  const limits = { ...historyLimits, ...options.limits };
  const texts = await openHistory(source);
  const size = texts.reduce((sum, text) => sum + text.size, 0);
  if (size > limits.size)
    fail('INVALID_INPUT', `The source is longer than ${limits.size} ${texts[0]?.unit ?? 'bytes'}.`);

  // The whole file is read twice: once to check it, once to store it. Only one conversation is in memory at a time.
  const checked: ImportedConversation[] = [];
  const tally = createTally();
  let taken = noneTaken;
  let format: HistoryFormat | undefined;
  const onUnknown = (): void => tally.leave('value', 'unknown');
  const onRead = (done: number): void => watch({ step: 'check', done, total: size });
  for await (const found of conversationsOf(texts, { limits, pauses, now, onRead, onUnknown })) {
    format ??= found.format;
    checked.push(await importOne(found, true));
    taken = sumTaken(taken, countTaken(found.conversation.turns));
    for (const { part, reason, count } of found.conversation.leftOut) tally.leave(part, reason, count);
  }
  const messages = checked.reduce((sum, one) => sum + one.messages, 0);
  if (format === undefined || messages === 0)
    fail('INVALID_INPUT', `The source contains no conversation: expected ${knownFormats}.`);
  onProgress?.({ step: 'check', done: size, total: size });
  const report = { format, taken, leftOut: tally.leftOut() };
  if (dryRun) return { ...report, conversations: checked };

  const stored: ImportedConversation[] = [];
  for await (const found of conversationsOf(texts, { limits, pauses, now, onRead: () => watch(progress()) })) {
    watch(progress());
    stored.push(await importOne(found, false));
    await pauses.spend(conversationCost);
  }
  onProgress?.(progress());
  return { ...report, conversations: stored };

  function progress(): ImportProgress {
    return { step: 'store', done: stored.length, total: checked.length };
  }

  /** Repeats where another writer was first: what that one wrote is known then. */
  async function importOne(found: FoundConversation, isDry: boolean): Promise<ImportedConversation> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await tryOne(found, isDry);
      } catch (thrown) {
        const isConflict = thrown instanceof AgentError && thrown.code === 'STORAGE_CONFLICT';
        if (!isConflict || attempt === maxAttempts) throw thrown;
      }
    }
  }

  async function tryOne(
    { format: of, conversation }: FoundConversation,
    isDry: boolean,
  ): Promise<ImportedConversation> {
    const { id, title = '', turns, current, leftOut } = conversation;
    const sessionId = sessionIdOf(of, id);
    const facts = { id, title, sessionId, messages: turns.length, leftOut };
    if (turns.length === 0) return { ...facts, result: 'empty', added: 0 };
    const before = await read(store, sessionId);
    if (before === 'unreadable') return { ...facts, result: 'unreadable', added: 0 };
    if (before === undefined) {
      if (!restoreRemoved && (await store.wasRemoved?.(sessionId))) return { ...facts, result: 'removed', added: 0 };
      const bodies = [startOf(conversation, sessionId), ...planTurns(turns, current)];
      const events = await toEvents(bodies, { seq: 0, at: turns[0]?.message.timestamp ?? now }, pauses);
      if (!isDry) await writeNew(store, sessionId, events, pauses, browserPorts.id);
      return { ...facts, result: 'added', added: turns.length };
    }
    const known = await historyOf(before, pauses);
    const bodies = planTurns(turns, current, known);
    const added = bodies.filter(({ type }) => type === 'message.added').length;
    if (added === 0) return { ...facts, result: 'unchanged', added };
    if (known.isBusy) return { ...facts, result: 'busy', added: 0 };
    const { seq, updatedAt: at } = known.state;
    const events = await toEvents(bodies, { seq, at }, pauses);
    if (!isDry) await writeMore(store, before, events, pauses, browserPorts.id);
    return { ...facts, result: 'extended', added };
  }
}

/** Times that a conversation is tried while other writers change its session. */
const maxAttempts = 5;
/** What a conversation costs to store, in characters as `createPauses` counts them. */
const conversationCost = 5_000;

function startOf({ title }: Conversation, sessionId: string): EventBody {
  return { type: 'session.started', sessionId, ...(title !== undefined && { title: title.slice(0, maxTitle) }) };
}

/** Longest title of a session, in characters. */
const maxTitle = 1_000;

/** Returns the id of the session of a conversation: the same for each import. Unusual ids are replaced by their hash. */
function sessionIdOf(format: HistoryFormat, id: string): string {
  return `${format}-${/^[\w-]{1,200}$/.test(id) ? id : hash(id)}`;
}

async function read(store: SessionStore, sessionId: string): Promise<StoredSession | 'unreadable' | undefined> {
  try {
    const stored = await store.read(sessionId);
    return stored?.damage === undefined ? stored : 'unreadable';
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === 'STORAGE_CORRUPT') return 'unreadable';
    throw thrown;
  }
}
