import { createParser } from 'eventsource-parser';
import { malformed, tooLarge } from './broken-answer.ts';

/** One server-sent event. */
export interface SseEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

export interface SseLimits {
  /** Characters one event may hold, comments and unfinished lines included. */
  readonly event: number;
  /** Bytes of the whole stream. */
  readonly stream: number;
}

export interface SseParser {
  push(bytes: Uint8Array): void;
  /** The stream has ended: delivers what came without its blank line, marked `open`. Gives the lines that are of no event. */
  end(): string;
}

// A line in tiny pieces is gathered up to here before it goes to the parser, which keeps every piece.
const gatherChars = 16_384;
// The parser makes an Error of each line that is no field; this many are a web page or an attack.
const maxStrayLines = 10_000;

/**
 * Turns bytes, cut anywhere, into events (WHATWG HTML §9.2.6), through eventsource-parser. Memory stays within the event limit.
 * A field `error:` (llama.cpp) counts as an event named `error`.
 *
 * @param host who answers, for messages. `push` and `end` throw AgentError `STREAM_TOO_LARGE` when a limit is passed, `STREAM_MALFORMED` for what is no event stream at all,
 * and whatever `onEvent` throws.
 */
export function createSseParser(
  onEvent: (event: SseEvent, open: boolean) => void,
  limits: SseLimits,
  host: string,
): SseParser {
  // Strips one BOM by itself. The parser looks for one too, but only as three Latin-1 characters.
  const decoder = new TextDecoder();
  let bytesSeen = 0;
  let stray = '';
  let strayLines = 0;
  let gathered = '';
  let afterCR = false;
  let ending = false;

  const parser = createParser({
    maxBufferSize: limits.event,
    onEvent(event) {
      if (event.data.length > limits.event) throw tooLarge(host, 'a huge event');
      onEvent(event, ending);
    },
    onError({ type, field, value = '', line = '' }) {
      if (type === 'max-buffer-size-exceeded') throw tooLarge(host, 'a huge event');
      if (field === 'error') return onEvent({ event: field, data: value }, ending);
      stray += `${line}\n`;
      strayLines += 1;
      if (strayLines > maxStrayLines || stray.length > limits.event) throw malformed(host, 'it is no event stream');
    },
  });

  function feed(text: string): void {
    if (text === '') return;
    // CR and CRLF become LF here: the parser would hold an event back behind a lone CR, and is quadratic in a text with few of them.
    gathered += (afterCR ? text.replace(/^\n/, '') : text).replace(/\r\n?/g, '\n');
    afterCR = text.endsWith('\r');
    if (gathered.length < gatherChars && !/[\r\n]/.test(text)) return;
    const ready = gathered;
    gathered = '';
    parser.feed(ready);
  }

  return {
    push(bytes) {
      bytesSeen += bytes.length;
      if (bytesSeen > limits.stream) throw tooLarge(host, `${limits.stream} bytes`);
      feed(decoder.decode(bytes, { stream: true }));
    },
    end() {
      ending = true;
      feed(`${decoder.decode()}\n\n`);
      return stray.trim();
    },
  };
}
