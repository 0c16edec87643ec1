import { malformed } from './stream-errors.ts';
import { maxDepth, splitDocuments } from './json-documents.ts';
import { type Reader, toDocument } from './reader.ts';
import { createSseParser, type SseLimits } from './sse.ts';

export interface BodyOptions {
  /** The host of the service, for messages. */
  readonly host: string;
  readonly limits: SseLimits;
}

/** Takes the bytes of a response body, cut anywhere. Both methods throw AgentError, or what the reader's `toError` returns. */
export interface BodyParser {
  push(bytes: Uint8Array): void;
  /** The connection was closed in good order. */
  end(): void;
  /** Whether the end mark was read; what follows it has no meaning. */
  readonly done: boolean;
}

/**
 * Creates the parser of the body of a successful response, for a reader. The body is an event stream, or one whole answer as JSON where a
 * service does not stream. A web page is refused.
 */
export function createBodyParser(reader: Reader, { host, limits }: BodyOptions): BodyParser {
  let position = 0;
  let done = false;

  const sse = createSseParser(
    ({ event, data }, open) => {
      position += 1;
      // Empty events are keep-alives, and some proxies wrap a comment into an event.
      if (done || data.startsWith(':')) return;
      // Nearly all events are one short document; splitting looks at every character.
      const whole = data.length < 2 * maxDepth ? toDocument(data) : undefined;
      if (whole !== undefined) return reader.read(whole, event);
      for (const document of splitDocuments(data, host)) {
        if (document === '[DONE]') {
          reader.end('[DONE]');
          done = true;
          return;
        }
        const json = toDocument(document) ?? (event === 'error' ? { error: document } : undefined);
        if (json !== undefined) reader.read(json, event);
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
    push: sse.push,
    end() {
      const stray = sse.end();
      // An event stream that was cut, perhaps within the name of its first field.
      if (position > 0 || 'data event error id retry'.includes(stray)) return reader.end('close');
      const json = splitDocuments(stray, host).length === 1 ? toDocument(stray) : undefined;
      if (json === undefined)
        throw malformed(host, stray.startsWith('<') ? 'it is a web page' : 'it is neither an event stream nor JSON');
      reader.read(json);
      reader.end('document');
    },
  };
}
