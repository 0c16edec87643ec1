import { resultMedia, resultText, mediaText, isMedia } from '../model/tool-result.ts';
import type { MediaPart, Message, Part } from '../model/message.ts';

/** Returns a message as text, for a summary or a look-up: reference, role, text, calls with their results. */
export function toTranscript(message: Message, reference: string): string {
  const lines = message.content.map(toLine).filter((line) => line !== '');
  return `[${reference}] ${message.role}: ${lines.join('\n')}`;
}

/** Returns the images, sounds and files of a message and of its calls' results. */
export function mediaOf(message: Message): readonly MediaPart[] {
  return message.content.flatMap((part) => (isMedia(part) ? [part] : part.type === 'tool' ? resultMedia(part) : []));
}

function toLine(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'tool':
      return `(called ${part.name} with ${part.inputText || '{}'}; result: ${resultText(part)})`;
    case 'image':
    case 'audio':
    case 'file':
      return mediaText(part);
    case 'source':
      return part.url;
    case 'reasoning':
    case 'provider':
      return '';
  }
}
