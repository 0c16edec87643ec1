import { fail } from '../../core/error.ts';
import { checkCodec, checkRemoval, type Head, parseHead, placeOfData } from './head.ts';
import type { Coder } from './coder.ts';
import type { JetStream, StreamMessage } from './jetstream.ts';
import type { LargeValues } from './large-values.ts';
import { fold, type Log, type LogMessage, toBody } from './log.ts';
import type { Subjects } from './subjects.ts';

/** Reads logs. Keeps the last ones that were read, so that a read of what is new costs one request. */
export interface LogReader {
  /** Resolves with the log; with `undefined` where there is none, or the session was removed. */
  read(sessionId: string): Promise<Log | undefined>;
}

export interface LogReaderOptions {
  readonly js: JetStream;
  readonly subjects: Subjects;
  readonly large: LargeValues;
  readonly coder: () => Promise<Coder>;
}

/** Logs in memory. */
const keptLogs = 8;
/** Consumers that a read asks for the whole log: each has the copy of one server of the cluster, and a server may be behind the others. */
const maxConsumers = 3;

export function createLogReader({ js, subjects, large, coder }: LogReaderOptions): LogReader {
  const logs = new Map<string, Log>();

  async function open(sessionId: string, message: StreamMessage): Promise<LogMessage> {
    const { at, id } = message;
    const head = parseHead(message.head) ?? unreadable;
    const { parts } = head;
    const data = parts
      ? await large.pieces.get((index) => subjects.part(sessionId, parts.upload, index), parts.count)
      : message.data;
    if (!data?.length) return { at, id, head, missing: 0 };
    const usedCoder = await coder();
    checkCodec(usedCoder, head);
    const body = toBody(await usedCoder.decode(data, placeOfData(sessionId, head)));
    const missing = body?.blobs.length ? await large.putBack(body.events, body.blobs) : 0;
    return { at, id, head, body, missing };
  }

  /** Resolves with the log up to a message at least, which is the last one that is known; with another log where the server has no such message. */
  async function catchUp(sessionId: string, kept: Log | undefined, last: StreamMessage): Promise<Log | undefined> {
    if (kept?.at === last.at && kept.id === last.id) return kept;
    const isNext = parseHead(last.head)?.isWhole === true || (kept !== undefined && kept.at === last.previous);
    if (isNext) return fold(kept, [await open(sessionId, last)]);
    const selection = { subject: subjects.log(sessionId), from: kept && kept.at + 1 };
    const messages: StreamMessage[] = [];
    const isComplete = (): boolean => messages.at(-1)?.id === last.id;
    const consumer = await js.consume(selection);
    try {
      for (let { pending } = consumer, count = 0; pending > 0 && !isComplete();) {
        const before = count;
        for await (const message of js.pull(consumer, pending)) {
          if (message.count !== ++count) fail('STORAGE_FAILED', 'Messages of the NATS server were lost on their way.');
          // What was replaced may still be in the stream, also in another encryption.
          if (parseHead(message.head)?.isWhole) messages.length = 0;
          messages.push(message);
          ({ pending } = message);
          if (isComplete()) break;
        }
        // Messages may be erased by a compaction while they are read.
        if (count === before) break;
      }
    } finally {
      js.release(consumer);
    }
    const opened: LogMessage[] = [];
    for (const message of messages) opened.push(await open(sessionId, message));
    return fold(kept, opened);
  }

  return {
    async read(sessionId) {
      let kept = logs.get(sessionId);
      for (let consumers = 1; ; consumers++) {
        const last = await js.last(subjects.log(sessionId));
        logs.delete(sessionId);
        if (last === undefined) return undefined;
        const head = parseHead(last.head);
        if (head?.isRemoved) return checkRemoval(await coder(), sessionId, head).then(() => undefined);
        const log = await catchUp(sessionId, kept, last);
        kept = undefined;
        // A log that has grown meanwhile is read again: its last message is another one.
        const isShort = log?.id !== last.id;
        if ((isShort || log.hasGap) && consumers < maxConsumers) continue;
        if (log === undefined || isShort)
          return fail('STORAGE_FAILED', 'The NATS server did not deliver the whole session.');
        // What cannot be read may have been erased by a compaction that followed.
        if (log.damage.length > 0 && (await js.last(subjects.log(sessionId)))?.id !== log.id) continue;
        logs.set(sessionId, log);
        for (const oldest of logs.keys()) if (logs.size > keptLogs) logs.delete(oldest);
        if (!log.head.isRemoved) return log;
        return checkRemoval(await coder(), sessionId, log.head).then(() => undefined);
      }
    },
  };
}

/** Stands for the head of a message that no page of this package has written. */
const unreadable: Head = { seq: 0, nth: 0, after: 0, row: '', updatedAt: 0, size: 0, folded: 0 };
