import { continuePrompt } from '../../core/context/visible-messages.ts';
import type { Message } from '../../core/model/message.ts';

/**
 * Returns the messages for a wire without pauses: a reply that another provider paused is followed by a prompt to continue. Strict
 * services refuse a conversation that ends with the assistant, or two assistant messages in a row.
 */
export function afterPauses(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message, index) =>
    message.finish === 'pause' && messages[index + 1]?.role !== 'user' ? [message, continuePrompt(message)] : [message],
  );
}
