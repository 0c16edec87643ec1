import type { SessionEvent } from '../core/model/event.ts';
import { upcastLog } from '../core/model/upcast.ts';
import { foldLog } from '../core/model/fold.ts';
import { extractTextContent } from '../core/model/message.ts';

/** The words of a search. Each word matches anywhere in a text, also within a word, so languages without spaces work too. */
export function toWords(search: string): readonly string[] {
  return normalize(search).split(/\s+/u).filter(Boolean);
}

export function hasWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** The text that a search looks through: the title and the visible messages, without tools and reasoning. */
export function toSearchText(sessionId: string, title: string, events: readonly SessionEvent[]): string {
  try {
    const { messages } = foldLog(sessionId, upcastLog(events));
    return normalize([title, ...messages.map((message) => extractTextContent(message))].join('\n'));
  } catch {
    // A log that cannot be reduced is found by its title.
    return normalize(title);
  }
}

/** Makes wide and narrow, composed and decomposed, upper and lower case equal. */
function normalize(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
