import type { SessionEvent } from '../core/model/event.ts';
import { upcastLog } from '../core/model/upcast.ts';
import { foldLog } from '../core/model/replay.ts';
import { extractTextContent } from '../core/model/message.ts';

/** What is looked for: each of these words, as a piece of text anywhere. So it works for languages without spaces too. */
export function toWords(search: string): readonly string[] {
  return normal(search).split(/\s+/u).filter(Boolean);
}

export function hasWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** Title and messages of a session as they are searched: what is in view, without tools and reasoning. */
export function toSearchText(sessionId: string, title: string, events: readonly SessionEvent[]): string {
  try {
    const { messages } = foldLog(sessionId, upcastLog(events));
    return normal([title, ...messages.map((message) => extractTextContent(message))].join('\n'));
  } catch {
    // What cannot be folded is found by its title.
    return normal(title);
  }
}

/** Wide and narrow, composed and decomposed, upper and lower case are the same. */
function normal(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
