import { AgentError } from '../../core/error.ts';
import type { Json } from '../../core/json.ts';
import type { SessionWrite } from '../../core/model/store.ts';
import { type CommitOptions, createCommit, type Last, overhead, type Plan } from './commit.ts';
import { checkRemoval, type Head, openListed, openRow } from './head.ts';
import { type HeadDraft, plainHead } from './head-draft.ts';
import type { LogData } from './log-data.ts';
import type { LogReader } from './log-reader.ts';
import { createTidy } from './tidy.ts';

/** A write whose event objects have no other owner: long texts are taken out of them. */
type CopiedWrite = Omit<SessionWrite, 'events'> & { readonly events: readonly Json[] };

/** Changes logs. Verbs on one session run in the order in which they were called. */
export interface LogWriter {
  /** Rejects as `SessionStore.write` does. */
  write(write: CopiedWrite): Promise<void>;
  /** Resolves with whether there was a session. */
  remove(sessionId: string): Promise<boolean>;
  /** Resolves with whether the session was removed and is restored. */
  restore(sessionId: string): Promise<boolean>;
  wasRemoved(sessionId: string): Promise<boolean>;
  /** Erases the events of a session that was removed by its nth message. */
  erase(sessionId: string, nth: number): Promise<void>;
}

export interface LogWriterOptions extends CommitOptions {
  readonly data: LogData;
  readonly reader: LogReader;
}

/** Smaller logs are not compacted, in bytes. */
const smallest = 65_536;

export function createLogWriter(options: LogWriterOptions): LogWriter {
  const { data, coder, reader } = options;
  const { commit, look, known } = createCommit(options);
  const tidy = createTidy(commit, data, coder);
  const turns = new Map<string, Promise<unknown>>();

  function inOrder<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const result = (turns.get(sessionId) ?? Promise.resolve()).then(work);
    const turn = result.catch(() => {});
    turns.set(sessionId, turn);
    void turn.then(() => turns.get(sessionId) === turn && turns.delete(sessionId));
    return result;
  }

  async function store(write: CopiedWrite): Promise<void> {
    const { sessionId, events, expectedSeq, expectedWriteId, writeId, summary, replaces = [] } = write;
    let packed: Awaited<ReturnType<typeof pack>> | undefined;
    const pack = async () => {
      const of = { after: expectedSeq, seq: summary.seq, writeId };
      const bytes = await data.encode(sessionId, { events, replaces }, of);
      return { size: bytes.length + overhead, placed: await data.place(sessionId, bytes) };
    };
    try {
      const plan: Plan = async (last) => {
        const current = currentOf(last);
        if (writeId !== undefined && current?.writeId === writeId) return 'done';
        if ((current?.seq ?? 0) !== expectedSeq) return 'conflict';
        if (expectedWriteId !== undefined && current?.writeId !== expectedWriteId) return 'conflict';
        packed ??= await pack();
        const { size, placed } = packed;
        const { data: content, ...parts } = placed;
        const sizes = { size: (current?.size ?? 0) + size, folded: current?.folded ?? 0 };
        const { seq, updatedAt } = summary;
        const head: HeadDraft = { row: summary, updatedAt, seq, after: expectedSeq, writeId, ...sizes, ...parts };
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
    const last = known.get(sessionId);
    const log = await reader.read(sessionId);
    if (!log || log.head.nth !== last?.head?.nth || log.damage.length > 0) return;
    const folded = await tidy.compact(sessionId, log);
    if (folded !== undefined) known.set(sessionId, { ...last, head: { ...log.head, folded } });
  }

  return {
    async write(write) {
      const { sessionId, phase } = write;
      await inOrder(sessionId, () => store(write));
      const head = known.get(sessionId)?.head;
      // A failure changes nothing: a later write begins again.
      if (phase === 'settled' && head && head.size > Math.max(smallest, 2 * head.folded))
        inOrder(sessionId, () => compact(sessionId)).catch(() => {});
    },

    remove: (sessionId) =>
      inOrder(sessionId, () =>
        commit(sessionId, async (last) => {
          const head = currentOf(last);
          if (head === undefined) return 'done';
          // The removal of a session with another key counts for the clients with this key.
          const row = await openListed(await coder(), sessionId, head);
          return { head: { ...plainHead(head), row, isRemoved: true } };
        }),
      ),

    restore: (sessionId) =>
      inOrder(sessionId, () =>
        commit(sessionId, async ({ head }) =>
          head?.isRemoved && !head.isErased
            ? { head: { ...plainHead(head), row: await openRow(await coder(), sessionId, head) } }
            : 'done',
        ),
      ),

    async wasRemoved(sessionId) {
      const { head } = await look(sessionId);
      if (!head?.isRemoved) return false;
      await checkRemoval(await coder(), sessionId, head);
      return true;
    },

    erase: (sessionId, nth) => inOrder(sessionId, () => tidy.erase(sessionId, nth)),
  };
}

/** Returns the head of a session that was not removed. */
function currentOf({ head }: Last): Head | undefined {
  return head?.isRemoved ? undefined : head;
}
