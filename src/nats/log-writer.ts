import { AgentError } from '../core/error.ts';
import { browserPorts } from '../core/ports.ts';
import { type Json, toJson } from '../core/json.ts';
import type { SessionWrite } from '../core/model/store.ts';
import type { CodecBytes } from '../storage/codec.ts';
import { conflict, rejected } from '../storage/storage-errors.ts';
import type { Blobs } from './blobs.ts';
import type { Coder } from './coder.ts';
import { type Head, type Parts, parseHead, toRow } from './head.ts';
import type { JetStream } from './jetstream.ts';
import type { LogReader } from './log-reader.ts';
import type { Pieces } from './pieces.ts';
import { type Subjects, toToken } from './subjects.ts';

/** Changes logs. Verbs on one session run in the order in which they were called. */
export interface LogWriter {
  /** Rejects as `SessionStore.write` does. */
  write(write: SessionWrite): Promise<void>;
  /** Resolves with whether there was a session. */
  remove(sessionId: string): Promise<boolean>;
  /** Resolves with whether the session was removed and is restored. */
  restore(sessionId: string): Promise<boolean>;
  wasRemoved(sessionId: string): Promise<boolean>;
  /** Erases the events of a session that was removed by the message with this number. */
  erase(sessionId: string, at: number): Promise<void>;
}

interface LogWriterOptions {
  readonly js: JetStream;
  readonly subjects: Subjects;
  readonly pieces: Pieces;
  readonly blobs: Blobs;
  readonly coder: () => Promise<Coder>;
  readonly reader: LogReader;
  /** Returns the largest data of a message, in bytes. */
  readonly sizeOf: () => number;
  /** Called with each message that this writer has stored. */
  readonly onStored: (sessionId: string, at: number, head: Head) => void;
}

/** The last message of a session; `at` is 0 where there is none. */
interface Last {
  readonly at: number;
  readonly head?: Head | undefined;
}

/** A message to store. */
interface Change {
  readonly head: Head;
  readonly data?: CodecBytes | undefined;
  readonly isRollup?: boolean | undefined;
}

/** Returns what to store after the last message; `conflict` where the last message excludes it, `done` where there is nothing to store. */
type Plan = (last: Last) => Planned | Promise<Planned>;
type Planned = Change | 'conflict' | 'done';

/** Bytes of a message beside its data: its subject and headers. */
const overhead = 400;
/** Smaller logs are not compacted, in bytes. */
const smallest = 65_536;
/** Bytes: the engine accepts headers of 65,535. */
const longestHead = 60_000;
/** Times that a verb begins again because another client was first. */
const maxTries = 10;

export function createLogWriter(options: LogWriterOptions): LogWriter {
  const { js, subjects, pieces, blobs, coder, reader, sizeOf, onStored } = options;
  /** The last messages as this writer knows them. */
  const known = new Map<string, Last>();
  const turns = new Map<string, Promise<unknown>>();

  function inOrder<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const result = (turns.get(sessionId) ?? Promise.resolve()).then(work);
    const turn = result.catch(() => {});
    turns.set(sessionId, turn);
    void turn.then(() => turns.get(sessionId) === turn && turns.delete(sessionId));
    return result;
  }

  async function look(sessionId: string): Promise<Last> {
    const message = await js.last(subjects.log(sessionId));
    if (message === undefined) return { at: 0 };
    const head = parseHead(message.head);
    if (head === undefined)
      throw new AgentError(`The last message of session ${sessionId} was not written by this package.`, {
        code: 'STORAGE_CORRUPT',
      });
    return { at: message.at, head };
  }

  /** Stores a message behind the last one. Resolves with `false` where another message is the last one. */
  async function send(
    sessionId: string,
    last: Last,
    { head, data = new Uint8Array(), isRollup = false }: Change,
    name: string,
  ): Promise<boolean> {
    const subject = subjects.log(sessionId);
    const id = toToken(`${subject} ${name}`);
    const text = JSON.stringify(head);
    if (text.length > longestHead)
      throw rejected(new RangeError('The row of the list is longer than 60,000 characters.'));
    known.delete(sessionId);
    let at: number | undefined;
    try {
      at = await js.append(subject, { data, head: text, expected: last.at, id, isRollup });
    } catch (thrown) {
      // The answer may be lost although the message is stored.
      const now = await js.last(subject).catch(() => undefined);
      if (now?.id !== id) throw thrown;
      ({ at } = now);
    }
    if (at === undefined) return false;
    known.set(sessionId, { at, head });
    onStored(sessionId, at, head);
    return true;
  }

  /** Resolves with whether a message was stored. Rejects with `STORAGE_CONFLICT` where the plan says so of the last message. */
  async function commit(sessionId: string, name: string, plan: Plan): Promise<boolean> {
    let last = known.get(sessionId);
    for (let tries = 0; tries < maxTries; tries++) {
      const isFresh = last === undefined;
      last ??= await look(sessionId);
      const change = await plan(last);
      if (typeof change === 'object') {
        if (await send(sessionId, last, change, name)) return true;
      } else if (isFresh) {
        if (change === 'done') return false;
        throw conflict();
      }
      // Another client may have written since.
      last = undefined;
    }
    throw conflict();
  }

  /** Moves data that are larger than a message to pieces. */
  async function place(
    sessionId: string,
    bytes: CodecBytes,
  ): Promise<{ readonly data?: CodecBytes; readonly parts?: Parts }> {
    if (bytes.length <= sizeOf()) return { data: bytes };
    const upload = newName();
    const count = await pieces.put((index) => subjects.part(sessionId, upload, index), bytes);
    return { parts: { upload, count } };
  }

  async function drop(sessionId: string, uploads: readonly (Parts | undefined)[]): Promise<void> {
    for (const parts of uploads)
      if (parts) await pieces.drop((index) => subjects.part(sessionId, parts.upload, index), parts.count);
  }

  async function store(write: SessionWrite, events: Json): Promise<void> {
    const { sessionId, expectedSeq, expectedWriteId, writeId, summary, replaces = [] } = write;
    let packed: Awaited<ReturnType<typeof pack>> | undefined;
    const pack = async () => {
      const usedCoder = await coder();
      const body = { events, replaces, blobs: await blobs.take(events) };
      const bytes = await usedCoder.encode(body, ['write', sessionId, expectedSeq, summary.seq]);
      return {
        row: await toRow(usedCoder, summary),
        size: bytes.length + overhead,
        ...(await place(sessionId, bytes)),
      };
    };
    try {
      await commit(sessionId, writeId ?? newName(), async (last) => {
        const current = currentOf(last);
        if (writeId !== undefined && current?.writeId === writeId) return 'done';
        if ((current?.seq ?? 0) !== expectedSeq) return 'conflict';
        if (expectedWriteId !== undefined && current?.writeId !== expectedWriteId) return 'conflict';
        packed ??= await pack();
        const { row, size, data, parts } = packed;
        const sizes = { size: (current?.size ?? 0) + size, folded: current?.folded ?? 0 };
        const head: Head = { ...row, after: expectedSeq, writeId, ...sizes, ...(parts && { parts }) };
        return { head: current ? head : { ...head, isWhole: true }, data, isRollup: last.head?.isRemoved };
      });
    } catch (thrown) {
      // After another error the message may be stored later, with its pieces.
      if (thrown instanceof AgentError && thrown.code === 'STORAGE_CONFLICT')
        await drop(sessionId, [packed?.parts]).catch(() => {});
      throw thrown;
    }
  }

  /** Replaces the messages of a log by one where that halves the log. */
  async function compact(sessionId: string): Promise<void> {
    const log = await reader.read(sessionId);
    if (!log || log.at !== known.get(sessionId)?.at || log.damage.length > 0) return;
    const { head } = log;
    const events = toJson(log.rows.toSorted((a, b) => seqOf(a) - seqOf(b)));
    const body = { events, replaces: [], blobs: await blobs.take(events) };
    const bytes = await (await coder()).encode(body, ['write', sessionId, 0, head.seq]);
    const folded = bytes.length + overhead;
    if (2 * folded > head.size) {
      known.set(sessionId, { at: log.at, head: { ...head, folded } });
      return;
    }
    const { data, parts } = await place(sessionId, bytes);
    const { parts: _parts, ...kept } = head;
    const whole: Head = {
      ...kept,
      ...(parts && { parts }),
      after: 0,
      isWhole: true,
      isCompaction: true,
      size: folded,
      folded,
    };
    const isStored = await commit(sessionId, newName(), (last) =>
      last.at === log.at ? { head: whole, data, isRollup: true } : 'done',
    );
    await drop(sessionId, isStored ? log.uploads : [parts]);
  }

  return {
    async write(write) {
      const { sessionId, phase } = write;
      const events = copyOf(write.events);
      await inOrder(sessionId, () => store(write, events));
      const head = known.get(sessionId)?.head;
      // A failure changes nothing: a later write begins again.
      if (phase === 'settled' && head && head.size > Math.max(smallest, 2 * head.folded))
        inOrder(sessionId, () => compact(sessionId)).catch(() => {});
    },

    remove: (sessionId) =>
      inOrder(sessionId, () =>
        commit(sessionId, newName(), (last) => {
          const head = currentOf(last);
          return head ? { head: { ...plain(head), isRemoved: true } } : 'done';
        }),
      ),

    restore: (sessionId) =>
      inOrder(sessionId, () =>
        commit(sessionId, newName(), ({ head }) => {
          if (!head?.isRemoved || head.isErased) return 'done';
          return { head: plain(head) };
        }),
      ),

    wasRemoved: async (sessionId) => (await look(sessionId)).head?.isRemoved === true,

    erase: (sessionId, at) =>
      inOrder(sessionId, async () => {
        await commit(sessionId, newName(), ({ at: lastAt, head }) =>
          head?.isRemoved && lastAt === at
            ? { head: { ...plain(head), row: '', isRemoved: true, isErased: true }, isRollup: true }
            : 'done',
        );
      }),
  };
}

/** Returns the head of a session that was not removed. */
function currentOf({ head }: Last): Head | undefined {
  return head?.isRemoved ? undefined : head;
}

/** Returns the head without what it states of its message. */
function plain({
  isWhole: _whole,
  isRemoved: _removed,
  isCompaction: _compaction,
  parts: _parts,
  ...head
}: Head): Head {
  return head;
}

function newName(): string {
  return browserPorts.id();
}

function seqOf(row: Json): number {
  return typeof row === 'object' && row !== null && 'seq' in row ? Number(row.seq) : 0;
}

/** @throws AgentError `STORAGE_REJECTED` */
function copyOf(events: SessionWrite['events']): Json {
  try {
    return toJson(events);
  } catch (thrown) {
    throw rejected(thrown);
  }
}
