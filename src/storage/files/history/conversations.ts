import { fail } from '../../../core/error.ts';
import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import { toObject } from '../../../core/model/read-json.ts';
import type { Conversation } from '../../../history/conversation.ts';
import { isMessageList, latestRecords, messagesIn } from '../../../history/documents.ts';
import { type HistoryFormat, knownFormats, wholeFormatOf } from '../../../history/formats.ts';
import { createLineGroups, createLineReader, type LineGroup } from '../../../history/lines.ts';
import { defaultLimits, type ImportLimits } from '../limits.ts';
import type { Pauses } from '../pause.ts';
import { isText, type TextSource, toTextSource } from '../text-chunks.ts';
import { valuesOf } from './values.ts';
import { conversationFiles, isArchive } from './archive.ts';

/** A conversation of a file, and the program that the file is of. */
export interface FoundConversation {
  readonly format: HistoryFormat;
  readonly conversation: Conversation;
}

/** How a file is read. */
export interface ReadingOptions {
  readonly limits: ImportLimits;
  readonly pauses: Pauses;
  /** Time of messages that state none: ms since the epoch. */
  readonly now: number;
  /** Called with the characters of a text, or the bytes of a file, read so far. Throws to stop. */
  readonly onRead: (read: number) => void;
  /** Called for a value of the file that is neither a conversation nor a line. */
  readonly onUnknown?: () => void;
}

/** The texts of a file: one, or those of an archive. */
export async function openHistory(source: string | Blob): Promise<readonly TextSource[]> {
  if (!isText(source)) fail('INVALID_INPUT', `The source is neither a text nor a file: expected ${knownFormats}.`);
  return typeof source !== 'string' && (await isArchive(source)) ? conversationFiles(source) : [toTextSource(source)];
}

/** Limits of a file with conversations: it is read one conversation at a time. */
export const historyLimits: ImportLimits = {
  ...defaultLimits,
  size: 2_000_000_000,
  lineLength: 256_000_000,
  values: 5_000_000,
};

/** What a line costs besides its text, in characters as `createPauses` counts them. */
const lineCost = 500;

/** Yields the conversations of several texts: see `conversationsIn`. `onRead` receives the sum. */
export async function* conversationsOf(
  sources: readonly TextSource[],
  options: ReadingOptions,
): AsyncGenerator<FoundConversation, void> {
  let before = 0;
  for (const source of sources) {
    const start = before;
    yield* conversationsIn(source, { ...options, onRead: (read) => options.onRead(start + read) });
    before += source.size;
  }
}

/**
 * Yields the conversations of a text, in its order. Of a file with whole conversations one is in memory at a time; lines of a log
 * are sorted by their session first.
 *
 * Rejects with AgentError `INVALID_INPUT` for a file of another format than `knownFormats`.
 */
async function* conversationsIn(
  source: TextSource,
  { limits, pauses, now, onRead, onUnknown }: ReadingOptions,
): AsyncGenerator<FoundConversation, void> {
  const groups = createLineGroups();
  let found = 0;
  let hasLines = false;
  for await (const { value, isElement } of valuesOf(source, { limits, pauses, onRead, expected: knownFormats })) {
    if (isMessageList(value) && isElement) {
      found++;
      yield { format: 'messages', conversation: await readLines({ key: '', lines: value.map(toObject) }) };
      continue;
    }
    const object = toObject(value);
    refuseOwn(object);
    const whole = wholeFormatOf(object);
    const document = whole ? undefined : messagesIn(object);
    if (whole) {
      for (const conversation of whole.read(object, now)) {
        found++;
        yield { format: whole.format, conversation };
      }
    } else if (document) {
      found++;
      const { title } = document;
      const read = await readLines(document);
      const format = document.isGeminiCli ? 'gemini-cli' : 'messages';
      yield { format, conversation: { ...read, ...(title !== '' && { title }) } };
    } else if (isJsonObject(value)) {
      hasLines = true;
      groups.add(object);
    } else onUnknown?.();
    if (found > limits.sessions) fail('INVALID_INPUT', `The source has more than ${limits.sessions} conversations.`);
  }
  if (!hasLines) return;
  const format = groups.format();
  for (const group of groups.groups()) yield { format, conversation: await readLines(group) };

  async function readLines(group: LineGroup): Promise<Conversation> {
    const reader = createLineReader(group, now);
    for (const line of latestRecords(group.lines)) {
      reader.add(line);
      await pauses.spend(lineCost);
    }
    return reader.end();
  }
}

function refuseOwn({ format }: JsonObject): void {
  if (format === 'brooklet') fail('INVALID_INPUT', 'The source is an export of Brooklet: pass it to importSessions.');
}
