import { isEnded } from './call-status.ts';
import type { Message, Part } from './message.ts';
import { resultText } from './tool-result.ts';

/** Returns a message of a request or an answer as plain text: the results of its calls as the model reads them, media by their type. */
export function messageText({ content }: Message): string {
  return content.map(partText).join('\n');
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reasoning':
      return `[reasoning] ${part.text}`;
    case 'tool':
      return `[call] ${part.name} ${part.inputText}${isEnded(part.status) ? `\n[result] ${resultText(part)}` : ''}`;
    default:
      return `[${part.type}]`;
  }
}
