import { fail } from '../error.ts';
import type { Log } from '../log/log.ts';

/**
 * Checks that no message of the session, and none in its queue, has the id that the page chose.
 *
 * @throws AgentError `INVALID_INPUT`
 */
export function checkNew({ hasMessage, peek }: Pick<Log, 'hasMessage' | 'peek'>, messageId: string | undefined): void {
  if (messageId === undefined) return;
  if (hasMessage(messageId) || peek().queue.some(({ message }) => message.id === messageId))
    fail('INVALID_INPUT', `The session has a message ${messageId} already: pass another id.`);
}
