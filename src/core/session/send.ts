import { when } from '../log/current.ts';
import type { Log } from '../log/log.ts';
import type { Message } from '../model/message.ts';
import { isUnderWay, statusOf } from '../model/status.ts';
import type { Runs } from './runs.ts';
import type { SessionEnv } from './session-env.ts';
import type { RunOptions, RunResult } from './session.ts';

export interface Sending {
  /**
   * Appends a message and starts the run that answers the message; starts again when another tab was first and the run of that
   * tab has ended. Resolves with the result of the run.
   */
  send(message: Message, options: RunOptions): Promise<RunResult>;
  /** Whether `send` itself appends the message again if another tab was first. */
  isSending(messageId: string): boolean;
}

export function createSend({ log, replica }: SessionEnv, runs: Runs): Sending {
  const sending = new Set<string>();

  async function send(message: Message, options: RunOptions): Promise<RunResult> {
    const isThere = (): boolean => log.getState().messages.some(({ id }) => id === message.id);
    const begin = (): Promise<RunResult> => {
      if (!isThere()) log.append({ type: 'message.added', message });
      return runs.start(options);
    };
    let result = await begin();
    while (result.error?.code === 'STORAGE_CONFLICT') {
      await replica.catchUp();
      // A message that is in the log is not sent again: a reply that was cut off is not restarted, and a stored log that
      // cannot be read would refuse every further attempt.
      const isOver = result.outcome !== 'failed' || replica.getStatus().state === 'stale';
      if (isOver && isThere()) break;
      result = await doWhenIdle(log, () => (replica.isClosed() ? { outcome: 'cancelled' } : begin()));
    }
    return result;
  }

  return {
    async send(message, options) {
      sending.add(message.id);
      try {
        return await send(message, options);
      } finally {
        sending.delete(message.id);
      }
    },
    isSending: (messageId) => sending.has(messageId),
  };
}

/** Calls `work` when no run is under way, in the turn of the check: other work that waits for the same moment may start a run. */
export async function doWhenIdle<T>({ view, getState }: Log, work: () => T): Promise<Awaited<T>> {
  do await when(view(statusOf), (status) => !isUnderWay(status));
  while (isUnderWay(statusOf(getState())));
  return await work();
}
