import type { CompactionStrategy } from '../../core/context/strategy.ts';
import { fail, fromErrorInfo } from '../../core/error.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { OpenCompaction } from './stand-in-context.ts';
import type { Recording } from './recording.ts';

/** Returns a strategy that writes the summaries of the log: what and when is compacted is decided by the context under test. */
export function createRecordedStrategy(
  recording: Recording,
  noteCompaction: (open: OpenCompaction | undefined) => void,
): CompactionStrategy {
  return {
    get name() {
      const next = recording.upcoming();
      return next?.type === 'context.compacted' ? next.strategy : 'recorded';
    },
    async compress({ ask }) {
      const event = await new Promise<SessionEvent>((resolve) => noteCompaction({ end: resolve }));
      noteCompaction(undefined);
      if ('usage' in event || 'model' in event) await ask('', '');
      if (event.type === 'context.compaction-failed') throw fromErrorInfo(event.error);
      return event.type === 'context.compacted' ? (event.summary ?? '') : fail('COMPACTION_FAILED', 'Not recorded.');
    },
  };
}
