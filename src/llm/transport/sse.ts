import { malformed, tooLarge } from './stream-errors.ts';

/** One server-sent event. */
export interface SseEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

/** Size limits of an event stream. */
export interface SseLimits {
  /** Characters of one event, comments and unfinished lines included. */
  readonly event: number;
  /** Bytes of the whole stream. */
  readonly stream: number;
}

export interface SseParser {
  push(bytes: Uint8Array): void;
  /** The stream has ended: emits the last event, `open` where its blank line is missing. Returns the lines that belong to no event. */
  end(): string;
}

const prefix = 'data: ';

/**
 * Parses bytes, cut anywhere, into events (WHATWG HTML §9.2.6; `id` and `retry` are ignored: they serve reconnecting, which no client here
 * does). Memory stays within the event limit, and time within the stream's length. A field `error:` (llama.cpp) is an event named
 * `error`.
 *
 * @param host the host of the service, for messages. `push` and `end` throw AgentError `STREAM_TOO_LARGE` beyond a limit,
 * `STREAM_MALFORMED` for bytes that are not an event stream, and whatever `onEvent` throws.
 */
export function createSseParser(
  onEvent: (event: SseEvent, open: boolean) => void,
  limits: SseLimits,
  host: string,
): SseParser {
  // Strips one BOM, and buffers the bytes of a character that was cut.
  const decoder = new TextDecoder();
  let bytesRead = 0;
  let afterCR = false;
  /** The unfinished line, and its newest pieces in an array: a string that grows byte by byte would take 32 bytes for each byte. */
  let line = '';
  let pieces: string[] = [];
  /** Characters of the unfinished line. */
  let length = 0;
  let name: string | undefined;
  let data: string[] = [];
  /** Characters in `data`. */
  let size = 0;
  let stray = '';

  function endEvent(open: boolean): void {
    // Nearly all events are one line, and `join` is slow.
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

  /** Returns the unfinished line with its last piece. */
  function finishLine(piece: string): string {
    if (length === 0) return piece;
    const whole = line + pieces.join('') + piece;
    line = '';
    pieces = [];
    length = 0;
    return whole;
  }

  function readLine(whole: string, open: boolean): void {
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
      if (stray.length > limits.event) throw malformed(host, 'it is not an event stream');
    }
  }

  function feed(text: string, open = false): void {
    if (text === '') return;
    const rest = afterCR ? text.replace(/^\n/, '') : text;
    const lines = rest.includes('\r') ? rest.split(/\r\n|\r|\n/) : rest.split('\n');
    afterCR = text.endsWith('\r');
    const unfinished = lines.pop() ?? '';
    for (const piece of lines) {
      checkSize(piece);
      readLine(finishLine(piece), open);
    }
    checkSize(unfinished);
    length += unfinished.length;
    if (pieces.push(unfinished) < 1024) return;
    line += pieces.join('');
    pieces = [];
  }

  function checkSize({ length: more }: string): void {
    if (length + more + size > limits.event + prefix.length) throw tooLarge(host, 'a huge event');
  }

  return {
    push(bytes) {
      bytesRead += bytes.length;
      if (bytesRead > limits.stream) throw tooLarge(host, `${limits.stream} bytes`);
      feed(decoder.decode(bytes, { stream: true }));
    },
    end() {
      feed(`${decoder.decode()}\n\n`, true);
      return stray.trim();
    },
  };
}
