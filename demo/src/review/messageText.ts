import type { Message } from 'brooklet';
import { resultText } from 'brooklet/core';

/** Returns a message as the model reads it, in plain text. */
export function messageText({ content }: Message): string {
  return content
    .map((part) => {
      switch (part.type) {
        case 'text':
          return part.text;
        case 'reasoning':
          return `[reasoning] ${part.text}`;
        case 'tool':
          return `[call] ${part.name} ${part.inputText}${part.output === undefined ? '' : `\n[result] ${resultText(part)}`}`;
        default:
          return `[${part.type}]`;
      }
    })
    .join('\n');
}
