import type { Message } from '../../core/model/message.ts';

/**
 * A conversation for a wire that knows no pauses. Behind the half of another provider's reply somebody asks for the rest: strict services
 * refuse an assistant who has the last word, or speaks twice.
 */
export function afterPauses(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message, index): readonly Message[] => {
    if (message.finish !== 'pause' || messages[index + 1]?.role === 'user') return [message];
    const text = 'You stopped in the middle of your work. Go on, without repeating what you have said.';
    return [
      message,
      { id: `${message.id}-go-on`, role: 'user', content: [{ type: 'text', text }], timestamp: message.timestamp },
    ];
  });
}
