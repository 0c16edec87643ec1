import type { JsonObject } from '../../core/json.ts';
import { malformed } from './stream-errors.ts';
import { maxDepth, splitDocuments } from './json-documents.ts';
import { type Reader, toDocument } from './reader.ts';
import { createSseParser, type SseLimits } from './sse.ts';

export interface AnswerOptions {
  /** Who answers, for messages. */
  readonly host: string;
  readonly limits: SseLimits;
}

/** Takes the bytes of a response, cut anywhere. Both methods throw AgentError, or reject with it where the reader has to wait. */
export interface Answer {
  /** The next piece comes when this one has been read. */
  push(bytes: Uint8Array): void | Promise<void>;
  /** The connection was closed in good order. */
  end(): void | Promise<void>;
  /** No more is wanted; what follows means nothing. */
  readonly done: boolean;
}

/**
 * Takes a success to a reader. It may hold a stream of events, or one whole answer as JSON where a service does not stream: both are
 * understood. A web page is not.
 */
export function createAnswer(reader: Reader, { host, limits }: AnswerOptions): Answer {
  let position = 0;
  let done = false;
  /** What the reader has to wait for, and what comes after that. */
  let waiting: void | Promise<void>;

  function inTurn(step: () => void | Promise<void>): void {
    waiting = waiting ? waiting.then(step) : step();
  }

  function read(json: JsonObject, event?: string): void {
    if (waiting) inTurn(() => reader.read(json, event));
    else waiting = reader.read(json, event);
  }

  const sse = createSseParser(
    ({ event, data }, open) => {
      position += 1;
      // Empty events are keep-alives, and some proxies wrap a comment into one.
      if (done || data.startsWith(':')) return;
      // Nearly all are one short document: cutting looks at every character.
      const whole = data.length < 2 * maxDepth ? toDocument(data) : undefined;
      if (whole !== undefined) return read(whole, event);
      for (const document of splitDocuments(data, host)) {
        const json = toDocument(document) ?? (event === 'error' ? { error: document } : undefined);
        if (document === '[DONE]') {
          inTurn(() => reader.end(true));
          done = true;
          return;
        }
        if (json !== undefined) read(json, event);
        else if (!open) throw malformed(host, `event ${position} is not JSON`);
      }
    },
    limits,
    host,
  );

  return {
    get done() {
      return done;
    },
    push(bytes) {
      waiting = undefined;
      try {
        sse.push(bytes);
      } catch (thrown) {
        // After what came before it.
        inTurn(() => {
          throw thrown;
        });
      }
      return waiting;
    },
    end() {
      waiting = undefined;
      const stray = sse.end();
      // A stream, as far as it came: not even the name of its first field, perhaps.
      if (position > 0 || 'data event error id retry'.includes(stray)) inTurn(() => reader.end(false));
      else {
        const json = splitDocuments(stray, host).length === 1 ? toDocument(stray) : undefined;
        if (json === undefined)
          throw malformed(host, stray.startsWith('<') ? 'it is a web page' : 'it is neither an event stream nor JSON');
        read(json);
        inTurn(() => reader.end(true));
      }
      return waiting;
    },
  };
}
