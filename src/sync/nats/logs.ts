import { defined } from '../../core/json.ts';
import type { StoreVerbs } from '../../storage/verbs.ts';
import { lostEvents, rangeText } from '../../storage/rows/lost-events.ts';
import { toLog } from '../../storage/rows/to-log.ts';
import { openRow } from './head.ts';
import { createLogData, type LogDataOptions } from './log-data.ts';
import { createLogReader, type LogReaderOptions } from './log-reader.ts';
import { createLogWriter, type LogWriter, type LogWriterOptions } from './log-writer.ts';

/** The verbs of sessions, without their list. They are loaded when one of them is first called. */
export interface Logs extends LogWriter, Pick<StoreVerbs, 'read'> {}

type LogsOptions = LogReaderOptions & LogDataOptions & Omit<LogWriterOptions, 'reader' | 'data'>;

export function createLogs(options: LogsOptions): Logs {
  const { coder } = options;
  const reader = createLogReader(options);
  return {
    ...createLogWriter({ ...options, reader, data: createLogData(options) }),

    async read(sessionId, { after = -Infinity } = {}) {
      const log = await reader.read(sessionId);
      if (log === undefined) return undefined;
      const { events, unread } = toLog(log.rows, after);
      // An unreadable event leaves a gap, too.
      const lost =
        unread.length > 0 ? [`${unread.length} of its events`] : lostEvents(events, after, log.head.seq).map(rangeText);
      const damage = [...log.damage, ...lost].join(', ');
      const summary = await openRow(await coder(), sessionId, log.head);
      return { summary, events, ...defined({ writeId: log.head.writeId }), ...(damage && { damage }) };
    },
  };
}
