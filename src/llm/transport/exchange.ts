import { Observable } from 'rxjs';
import { AgentError } from '../../core/error.ts';
import type { Json } from '../../core/json.ts';
import type { LLMChunk } from '../../core/model/llm.ts';
import { browserPorts, type Ports } from '../../core/ports.ts';
import type { Retry } from '../../core/retries.ts';
import { createChunkCoalescer } from './chunk-coalescer.ts';
import { reportError } from './cut.ts';
import { classifyThrown, HttpError } from './error-response.ts';
import { withHost } from './provider-data.ts';
import type { CallLimits, Reader, ReaderOptions } from './reader.ts';
import { redactChunk, redactError } from './redact.ts';
import { type BodyParser, createBodyParser } from './response-body.ts';
import type { SseLimits } from './sse.ts';
import { interrupted } from './stream-errors.ts';
import { createWatchdog, defaultTimeouts, type Timeouts, type Watchdog } from './watchdog.ts';

/** Time and size limits of a request and its response, and how often it is sent. */
export interface ExchangeOptions {
  /**
   * How often a failed request is sent again, as long as nothing of the answer has arrived. Default 2; 0: never. Repeated are a lost
   * connection and the statuses 408, 409, 425, 429 and 5xx, after 0.5 and 1 s with jitter, or after the delay that the service asks for.
   * Where that is longer than 30 s, the request fails at once, and the message of the error states the delay. Without a network the
   * request waits for the network, 5 minutes at most. `withRetry` around the client replaces this.
   */
  readonly maxRetries?: number;
  /** Called before the delay of each repetition. */
  readonly onRetry?: (retry: Retry) => void;
  readonly timeouts?: Partial<Timeouts>;
  /** Default: 4 MB an event, 64 MB a stream, 128 calls of 1 MB each. */
  readonly limits?: Partial<SseLimits & CallLimits>;
  /** Replaces timers: see `Ports.delay`. */
  readonly delay?: Ports['delay'];
}

/** One request and its answer. */
export interface Exchange extends ExchangeOptions {
  /** Host and port, for messages. */
  readonly host: string;
  readonly createReader: (options: ReaderOptions) => Reader;
  readonly now?: Ports['now'];
  /**
   * Prepares the request, which may take as long as a person needs to unlock a key, then returns the function that sends it: timeouts
   * count from there on. Values that must not appear in errors and in the log are pushed to `secrets`. Both functions reject with AgentError.
   */
  readonly open: (secrets: string[]) => Promise<(signal: AbortSignal) => Promise<Response>>;
}

const maxErrorChars = 65_536;

/**
 * Sends a request and emits its answer as it arrives. Each subscription is one request; unsubscribing aborts the request down to the
 * socket. Errors with AgentError only.
 */
export function exchange({
  host,
  createReader,
  open,
  timeouts,
  limits,
  delay = browserPorts.delay,
  now = browserPorts.now,
}: Exchange): Observable<LLMChunk> {
  return new Observable((subscriber) => {
    const controller = new AbortController();
    const secrets: string[] = [];
    let watchdog: Watchdog | undefined;
    let closeBody = (): void => {};
    let answered = false;
    let begun = false;

    const chunks = createChunkCoalescer((chunk) => {
      begun = true;
      watchdog?.content();
      subscriber.next(withHost(redactChunk(chunk, secrets), host));
    });
    const toError = (body: Json): Error => new HttpError({ host, body, secrets });
    const reader = createReader({ host, limits, toError, emit: chunks.add });

    async function run(): Promise<void> {
      const send = await open(secrets);
      if (subscriber.closed) return;
      watchdog = createWatchdog({ ...defaultTimeouts, ...timeouts }, delay, onTimeout);
      const response = await send(controller.signal);
      answered = true;
      const parser = response.ok
        ? createBodyParser(reader, { host, limits: { event: 4 * 1024 * 1024, stream: 64 * 1024 * 1024, ...limits } })
        : createErrorParser(response, host, secrets);
      const body = response.body?.getReader();
      closeBody = () => void body?.cancel().catch(() => {});
      // Also closes the body of a custom fetch that ignores the signal.
      subscriber.add(closeBody);
      try {
        for (let piece = await body?.read(); piece?.value && !subscriber.closed; piece = await body?.read()) {
          watchdog.alive();
          parser.push(piece.value);
          chunks.flush();
          if (parser.done) break;
        }
      } catch (thrown) {
        if (thrown instanceof AgentError || thrown instanceof HttpError) throw thrown;
        // An error reply is classified from the bytes that arrived.
        if (response.ok && !reader.complete) throw interrupted(host, begun, thrown);
      }
      parser.end();
    }

    function onTimeout(which: keyof Timeouts): void {
      // The answer is complete, but the service left the connection open.
      if (reader.complete) return closeBody();
      const message = `${host} has sent nothing for too long (timeouts.${which}).`;
      const timeout = answered ? which : 'connect';
      subscriber.error(new AgentError(message, { code: 'REQUEST_TIMEOUT', retryable: !begun, timeout }));
    }

    const ran = run().finally(chunks.flush);
    ran.then(
      () => subscriber.complete(),
      async (thrown: unknown) => {
        reportError(subscriber, redactError(classifyThrown(thrown, now()), secrets), delay);
      },
    );
    return () => {
      watchdog?.stop();
      controller.abort();
    };
  });
}

/** Creates the parser of an error reply: reads as much of its body as an error message needs; `end` throws the `HttpError`. */
function createErrorParser({ status, headers }: Response, host: string, secrets: readonly string[]): BodyParser {
  const decoder = new TextDecoder();
  let body = '';
  return {
    get done() {
      return body.length > maxErrorChars;
    },
    push(bytes) {
      body += decoder.decode(bytes, { stream: true });
    },
    end() {
      throw new HttpError({ host, status, body, headers, secrets });
    },
  };
}
