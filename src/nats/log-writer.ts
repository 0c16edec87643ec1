import { AgentError } from '../core/error.ts';
import { lazy } from '../core/lazy.ts';
import { browserPorts } from '../core/ports.ts';
import { type Json, toJson } from '../core/json.ts';
import type { SessionWrite } from '../core/model/store.ts';
import type { CodecBytes } from '../storage/codec.ts';
import { conflict, rejected } from '../storage/storage-errors.ts';
import type { Coder } from './coder.ts';
import { type Head, parseHead, plainHead, toRow } from './head.ts';
import type { JetStream } from './jetstream.ts';
import type { LogData } from './log-data.ts';
import type { LogReader } from './log-reader.ts';
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
  readonly data: LogData;
  readonly coder: () => Promise<Coder>;
  readonly reader: LogReader;
  /** Called with each message that this writer has stored. */
  readonly onStored: (sessionId: string, at: number, head: Head) => void;
}

/** The last message of a session; `at` is 0 where there is none. */
export interface Last {
  readonly at: number;
  readonly head?: Head | undefined;
}

/** A message to store. */
interface Change {
  readonly head: Head;
  readonly data?: CodecBytes | undefined;
  readonly isRollup?: boolean | undefined;
}

/**
 * Stores the message of a plan. Resolves with whether there was one. Rejects with `STORAGE_CONFLICT` where the plan says so of the last message.
 *
 * @param name identifies the message in its log
 */
export type Commit = (sessionId: string, plan: Plan, name?: string) => Promise<boolean>;

/** Returns what to store after the last message; `conflict` where the last message excludes it, `done` where there is nothing to store. */
type Plan = (last: Last) => Planned | Promise<Planned>;
type Planned = Change | 'conflict' | 'done';

/** Bytes of a message beside its data: its subject and headers. */
export const overhead = 400;
/** Smaller logs are not compacted, in bytes. */
const smallest = 65_536;
/** Bytes: the engine accepts headers of 65,535. */
const longestHead = 60_000;
/** Times that a verb begins again because another client was first. */
const maxTries = 10;

export function createLogWriter(options: LogWriterOptions): LogWriter {
  const { js, subjects, data, coder, reader, onStored } = options;
  const tidy = lazy(async () => (await import('./tidy.ts')).createTidy(commit, data));
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
    { head, data: content, isRollup = false }: Change,
    name: string,
  ): Promise<boolean> {
    const subject = subjects.log(sessionId);
    const id = toToken(`${subject} ${name}`);
    const text = JSON.stringify(head);
    if (new TextEncoder().encode(text).length > longestHead)
      throw rejected(new RangeError('The row of the list is larger than 60,000 bytes.'));
    known.delete(sessionId);
    let at: number | undefined;
    try {
      at = await js.append(subject, { data: content ?? '', head: text, expected: last.at, id, isRollup });
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

  const commit: Commit = async (sessionId, plan, name = browserPorts.id()) => {
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
  };

  async function store(write: SessionWrite, events: readonly Json[]): Promise<void> {
    const { sessionId, expectedSeq, expectedWriteId, writeId, summary, replaces = [] } = write;
    let packed: Awaited<ReturnType<typeof pack>> | undefined;
    const pack = async () => {
      const bytes = await data.encode(sessionId, { events, replaces }, expectedSeq, summary.seq);
      const row = await toRow(await coder(), summary);
      return { row, size: bytes.length + overhead, placed: await data.place(sessionId, bytes) };
    };
    try {
      const plan: Plan = async (last) => {
        const current = currentOf(last);
        if (writeId !== undefined && current?.writeId === writeId) return 'done';
        if ((current?.seq ?? 0) !== expectedSeq) return 'conflict';
        if (expectedWriteId !== undefined && current?.writeId !== expectedWriteId) return 'conflict';
        packed ??= await pack();
        const { row, size, placed } = packed;
        const { data: content, ...parts } = placed;
        const sizes = { size: (current?.size ?? 0) + size, folded: current?.folded ?? 0 };
        const head: Head = { ...row, after: expectedSeq, writeId, ...sizes, ...parts };
        return { head: current ? head : { ...head, isWhole: true }, data: content, isRollup: last.head?.isRemoved };
      };
      await commit(sessionId, plan, writeId);
    } catch (thrown) {
      // After another error the message may be stored later, with its pieces.
      if (thrown instanceof AgentError && thrown.code === 'STORAGE_CONFLICT')
        await data.drop(sessionId, [packed?.placed.parts]).catch(() => {});
      throw thrown;
    }
  }

  async function compact(sessionId: string): Promise<void> {
    const log = await reader.read(sessionId);
    if (!log || log.at !== known.get(sessionId)?.at || log.damage.length > 0) return;
    const folded = await (await tidy()).compact(sessionId, log);
    if (folded !== undefined) known.set(sessionId, { at: log.at, head: { ...log.head, folded } });
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
        commit(sessionId, (last) => {
          const head = currentOf(last);
          return head ? { head: { ...plainHead(head), isRemoved: true } } : 'done';
        }),
      ),

    restore: (sessionId) =>
      inOrder(sessionId, () =>
        commit(sessionId, ({ head }) => (head?.isRemoved && !head.isErased ? { head: plainHead(head) } : 'done')),
      ),

    wasRemoved: async (sessionId) => (await look(sessionId)).head?.isRemoved === true,

    erase: (sessionId, at) => inOrder(sessionId, async () => (await tidy()).erase(sessionId, at)),
  };
}

/** Returns the head of a session that was not removed. */
function currentOf({ head }: Last): Head | undefined {
  return head?.isRemoved ? undefined : head;
}

/** @throws AgentError `STORAGE_REJECTED` */
function copyOf(events: SessionWrite['events']): readonly Json[] {
  try {
    return events.map((event) => toJson(event));
  } catch (thrown) {
    throw rejected(thrown);
  }
}
