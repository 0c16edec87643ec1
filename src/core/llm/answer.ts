import { malformed, tooLarge } from './broken-answer.ts';
import { createEventReader, type Reader, toDocument } from './reader.ts';
import { createSseParser, type SseLimits } from './sse.ts';

export interface AnswerOptions {
  /** Who answers, for messages. */
  readonly host: string;
  readonly limits: SseLimits;
  /** What the response calls itself. Its first bytes have the last word. */
  readonly contentType?: string;
}

/** Takes the bytes of a successful response, cut anywhere, to a reader. */
export interface Answer {
  push(bytes: Uint8Array): void;
  /** The connection was closed in good order. */
  end(): void;
  /** The closing mark came; what follows means nothing. */
  readonly done: boolean;
}

/**
 * A success may hold a stream of events, or one whole answer as JSON where a service does not stream: both are understood.
 * A web page is not. `push` and `end` throw AgentError.
 */
export function createAnswer(reader: Reader, { host, limits, contentType = '' }: AnswerOptions): Answer {
  const readEvent = createEventReader(reader, host);
  const decoder = new TextDecoder();
  let kind: 'events' | 'json' | undefined;
  let text = '';
  let done = false;

  const sse = createSseParser(
    (event, open) => {
      if (!done) done = readEvent(event, open);
    },
    limits,
    host,
  );

  return {
    get done() {
      return done;
    },
    push(bytes) {
      if (done) return;
      let rest = bytes;
      if (kind === undefined) {
        const at = bytes.findIndex(isSignificant);
        if (at === -1) return;
        rest = bytes.subarray(at);
        if (rest[0] === 0x3c || contentType.includes('text/html')) throw malformed(host, 'it is a web page');
        kind = rest[0] === 0x7b || rest[0] === 0x5b ? 'json' : 'events';
        if (
          kind === 'events' &&
          !contentType.includes('event-stream') &&
          !':deir'.includes(String.fromCharCode(rest[0] ?? 0))
        ) {
          throw malformed(host, 'it is no event stream');
        }
      }
      if (kind === 'events') return sse.push(rest);
      text += decoder.decode(rest, { stream: true });
      if (text.length > limits.event) throw tooLarge(host, `${limits.event} characters`);
    },
    end() {
      if (done) return;
      if (kind === 'json') {
        const json = toDocument(text);
        if (json === undefined) throw malformed(host, 'it is broken JSON');
        reader.read(json);
        return reader.end(true);
      }
      sse.end();
      if (!done) reader.end(false);
    },
  };
}

/** Neither white space nor part of a byte order mark. */
function isSignificant(byte: number): boolean {
  return byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf;
}
