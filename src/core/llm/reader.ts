import { isJsonObject, type JsonObject, parseJson } from '../json.ts';
import { malformed } from './broken-answer.ts';
import type { LLMChunk } from './client.ts';
import { splitDocuments } from './json-documents.ts';
import { toList } from './loose.ts';
import type { SseEvent } from './sse.ts';

/**
 * One wire's understanding of one answer: JSON in, chunks out, no I/O. It takes what fetch, an SDK or a test hands it.
 * Both methods throw AgentError; what was emitted before stays valid.
 */
export interface Reader {
  /** One document of the answer. `event` is the name it came under, if any. */
  read(json: JsonObject, event?: string): void;
  /**
   * No more will come: emits what was held back, and `finish`. `marked`: the wire said so itself; without that, and without a
   * finish reason, it throws `STREAM_INTERRUPTED`. Calling it again does nothing.
   */
  end(marked: boolean): void;
  /** Whether the answer is complete, though more (usage, say) may follow. */
  readonly complete: boolean;
}

export interface ReaderOptions {
  /** Who answers, for messages. */
  readonly host: string;
  readonly emit: (chunk: LLMChunk) => void;
  /** Never to appear in an error. */
  readonly secrets?: readonly string[];
}

/** Makes a reader's documents of server-sent events. Gives whether the closing `[DONE]` came. */
export function createEventReader(reader: Reader, host: string): (event: SseEvent, open: boolean) => boolean {
  let position = 0;

  return ({ event, data }, open) => {
    position += 1;
    // Empty events are keep-alives; some proxies wrap a comment into one.
    if (data === '' || data.startsWith(':')) return false;
    const whole = toDocument(data);
    if (whole !== undefined) {
      reader.read(whole, event);
      return false;
    }
    for (const document of splitDocuments(data)) {
      if (document === '[DONE]') {
        reader.end(true);
        return true;
      }
      const json = toDocument(document);
      if (json !== undefined) reader.read(json, event);
      else if (event === 'error') reader.read({ error: document }, event);
      else if (!open) throw malformed(host, `event ${position} is not JSON`);
    }
    return false;
  };
}

/** A JSON object, also where it came as the only item of a list (Google's errors). */
export function toDocument(text: string): JsonObject | undefined {
  const json = text === '[DONE]' ? undefined : parseJson(text);
  const only = isJsonObject(json) ? json : toList(json)[0];
  return isJsonObject(only) ? only : undefined;
}
