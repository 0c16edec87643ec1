import type { Message } from '../core/model/message.ts';
import { resultText } from '../core/model/tool-result.ts';

/** Returns a message of a request as text. */
export function messageText({ content }: Message): string {
  return content
    .map((part) => {
      switch (part.type) {
        case 'text':
          return part.text;
        case 'reasoning':
          return `[reasoning] ${part.text}`;
        case 'tool':
          return `[call] ${part.name} ${part.inputText}\n[result] ${resultText(part)}`;
        default:
          return `[${part.type}]`;
      }
    })
    .join('\n');
}
