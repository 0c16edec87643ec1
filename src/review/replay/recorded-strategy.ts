import type { CompactionStrategy } from '../../core/context/strategy.ts';
import { fail, fromErrorInfo } from '../../core/error.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { OpenCompaction } from './stand-in-context.ts';
import type { Recording } from './recording.ts';

/** Returns a strategy that writes the summaries of the log: what and when is compacted is decided by the context under test. */
export function createRecordedStrategy(
  recording: Recording,
  noteCompaction: (open: OpenCompaction) => () => void,
): CompactionStrategy {
  return {
    get name() {
      const next = recording.upcoming();
      return next?.type === 'context.compacted' ? next.strategy : 'recorded';
    },
    async compress({ ask, signal }) {
      let forget = (): void => {};
      const event = await new Promise<SessionEvent>((resolve) => {
        forget = noteCompaction({ end: resolve });
        // A compaction whose run is cancelled has no result: the next result in the log belongs to the next compaction.
        signal.addEventListener('abort', forget);
      });
      forget();
      if ('usage' in event || 'model' in event) await ask('', '');
      if (event.type === 'context.compaction-failed') throw fromErrorInfo(event.error);
      return event.type === 'context.compacted' ? (event.summary ?? '') : fail('COMPACTION_FAILED', 'Not recorded.');
    },
  };
}
