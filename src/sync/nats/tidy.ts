import { toJson } from '../../core/json.ts';
import { type Commit, overhead } from './commit.ts';
import type { Coder } from './coder.ts';
import { checkRemoval, openRow } from './head.ts';
import { type HeadDraft, plainHead } from './head-draft.ts';
import type { Log } from './log.ts';
import type { LogData } from './log-data.ts';

/** Makes logs smaller. */
export interface Tidy {
  /**
   * Replaces the messages of a log by one where that halves the log. Resolves with the size of the log as one message, in bytes; with
   * `undefined` where it was replaced, or the size is unknown.
   */
  compact(sessionId: string, log: Log): Promise<number | undefined>;
  /** Erases the events of a session that was removed by its nth message. */
  erase(sessionId: string, nth: number): Promise<void>;
}

export function createTidy(commit: Commit, data: LogData, coder: () => Promise<Coder>): Tidy {
  return {
    async compact(sessionId, log) {
      const { head } = log;
      const { codec } = await coder();
      // What an earlier version has written is not bound to its head, and a compaction would bind it.
      if (codec !== undefined && head.form !== 2) return undefined;
      const row = await openRow(await coder(), sessionId, head);
      // The reader keeps the rows: long texts are taken out of a copy.
      const events = log.rows.map((row) => toJson(row));
      const bytes = await data.encode(sessionId, { events, replaces: [] }, { ...head, after: 0 });
      const size = bytes.length + overhead;
      if (2 * size > head.size) return size;
      const { data: content, parts } = await data.place(sessionId, bytes);
      const sizes = { size, folded: size };
      const marks = { after: 0, isWhole: true, isCompaction: true } as const;
      const whole: HeadDraft = { ...plainHead(head), row, ...sizes, ...marks, ...(parts && { parts }) };
      const isStored = await commit(sessionId, ({ head: last }) =>
        last?.nth === head.nth ? { head: whole, data: content, isRollup: true } : 'done',
      );
      await data.drop(sessionId, isStored ? log.uploads : [parts]);
      return undefined;
    },

    async erase(sessionId, nth) {
      await commit(sessionId, async ({ head }) => {
        if (!head?.isRemoved || head.nth !== nth) return 'done';
        await checkRemoval(await coder(), sessionId, head);
        return { head: { ...plainHead(head), row: '', isRemoved: true, isErased: true }, isRollup: true };
      });
    },
  };
}
