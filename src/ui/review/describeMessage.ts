import { type Message, messageText } from '../../core/model/index.ts';
import type { ReviewTexts } from './reviewTexts.ts';

/** Returns a message as the model reads it, with its role; never the role alone. */
export function describeMessage(message: Message, texts: ReviewTexts): string {
  const text = messageText(message);
  return `${message.role}: ${text.trim() === '' ? `(${texts.sent.noText})` : text}`;
}
