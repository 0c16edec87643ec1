import { malformed, tooLarge } from './stream-errors.ts';

/** One server-sent event. */
export interface SseEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

/** Size limits of an event stream. */
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

const prefix = 'data: ';

/**
 * Turns bytes, cut anywhere, into events (WHATWG HTML §9.2.6; `id` and `retry` are for reconnecting, which nobody does here).
 * Memory stays within the event limit, and time within the stream's length. A field `error:` (llama.cpp) counts as an event
 * named `error`.
 *
 * @param host who answers, for messages. `push` and `end` throw AgentError `STREAM_TOO_LARGE` when a limit is passed,
 * `STREAM_MALFORMED` for what is no event stream at all, and whatever `onEvent` throws.
 */
export function createSseParser(
  onEvent: (event: SseEvent, open: boolean) => void,
  limits: SseLimits,
  host: string,
): SseParser {
  // Strips one BOM, and keeps the bytes of a character that was cut.
  const decoder = new TextDecoder();
  let bytesSeen = 0;
  let afterCR = false;
  /** The line that is not finished, and its newest pieces: a text that grows byte by byte would take 32 bytes for each. */
  let line = '';
  let pieces: string[] = [];
  let length = 0;
  let name: string | undefined;
  let data: string[] = [];
  /** Characters in `data`. */
  let size = 0;
  let stray = '';

  function endEvent(open: boolean): void {
    // Nearly all are one line, and `join` is slow.
    const whole = data.length > 1 ? data.join('\n') : data[0];
    const event = name;
    name = undefined;
    data = [];
    size = 0;
    if (whole !== undefined) onEvent({ event, data: whole }, open);
  }

  function addData(value: string): void {
    size += value.length + 1;
    data.push(value);
  }

  /** The unfinished line with its last piece. */
  function finish(piece: string): string {
    if (length === 0) return piece;
    const whole = line + pieces.join('') + piece;
    line = '';
    pieces = [];
    length = 0;
    return whole;
  }

  function endLine(whole: string, open: boolean): void {
    if (whole === '') return endEvent(open);
    if (whole.startsWith(prefix)) return addData(whole.slice(prefix.length));
    const colon = whole.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? whole : whole.slice(0, colon);
    const value = colon < 0 ? '' : whole.slice(whole[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') addData(value);
    else if (field === 'event') name = value;
    else if (field === 'error') onEvent({ event: field, data: value }, open);
    else if (field !== 'id' && field !== 'retry') {
      stray += `${whole}\n`;
      if (stray.length > limits.event) throw malformed(host, 'it is no event stream');
    }
  }

  function feed(text: string, open = false): void {
    if (text === '') return;
    const rest = afterCR ? text.replace(/^\n/, '') : text;
    const lines = rest.includes('\r') ? rest.split(/\r\n|\r|\n/) : rest.split('\n');
    afterCR = text.endsWith('\r');
    const unfinished = lines.pop() ?? '';
    for (const piece of lines) {
      checkRoom(piece);
      endLine(finish(piece), open);
    }
    checkRoom(unfinished);
    length += unfinished.length;
    if (pieces.push(unfinished) < 1024) return;
    line += pieces.join('');
    pieces = [];
  }

  function checkRoom({ length: more }: string): void {
    if (length + more + size > limits.event + prefix.length) throw tooLarge(host, 'a huge event');
  }

  return {
    push(bytes) {
      bytesSeen += bytes.length;
      if (bytesSeen > limits.stream) throw tooLarge(host, `${limits.stream} bytes`);
      feed(decoder.decode(bytes, { stream: true }));
    },
    end() {
      feed(`${decoder.decode()}\n\n`, true);
      return stray.trim();
    },
  };
}
