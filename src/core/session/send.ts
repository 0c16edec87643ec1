import type { Log } from '../log/log.ts';
import type { Replica } from '../log/replica.ts';
import type { Message } from '../model/message.ts';
import type { RunOptions, RunResult } from './session.ts';
import type { Runs } from './runs.ts';
import type { Tabs } from './tabs.ts';

export interface SendOptions {
  readonly log: Log;
  readonly replica: Pick<Replica, 'getStatus' | 'catchUp'>;
  readonly runs: Pick<Runs, 'start'>;
  readonly tabs: Pick<Tabs, 'doWhenIdle'>;
  /** Ids of the messages that are being sent, for those who would say them again. */
  readonly sending: Set<string>;
  readonly isClosed: () => boolean;
}

/** A function that says something and runs what answers it; if another tab was first, once more when that is done. */
export function createSend({ log, replica, runs, tabs, sending, isClosed }: SendOptions) {
  return async (message: Message, options: RunOptions): Promise<RunResult> => {
    const isThere = (): boolean => log.getState().messages.some(({ id }) => id === message.id);
    const begin = (): Promise<RunResult> => {
      if (!isThere()) log.append({ type: 'message.added', message });
      return runs.start(options);
    };

    sending.add(message.id);
    try {
      let result = await begin();
      while (result.error?.code === 'STORAGE_CONFLICT') {
        await replica.catchUp();
        // Where it stands in the log it is kept: a reply that was cut off is not begun again, and what stands on the disk
        // but cannot be read would refuse it again and again.
        const isOver = result.outcome !== 'failed' || replica.getStatus().state === 'stale';
        if (isOver && isThere()) break;
        result = await tabs.doWhenIdle(() => (isClosed() ? { outcome: 'cancelled' } : begin()));
      }
      return result;
    } finally {
      sending.delete(message.id);
    }
  };
}
