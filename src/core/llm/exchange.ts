import { Observable } from 'rxjs';
import { AgentError, toAgentError } from '../error.ts';
import { browserPorts, type Ports } from '../ports.ts';
import { createAnswer } from './answer.ts';
import type { LLMChunk } from './client.ts';
import { toFailure } from './failure.ts';
import { interrupted } from './broken-answer.ts';
import type { Reader, ReaderOptions } from './reader.ts';
import { retryAfter } from './retry-after.ts';
import type { SseLimits } from './sse.ts';
import { createWatchdog, type Timeouts, type Watchdog } from './watchdog.ts';

export interface ExchangeOptions {
  readonly timeouts?: Partial<Timeouts>;
  /** Default: 4 MB an event, 64 MB a stream. */
  readonly limits?: Partial<SseLimits>;
  /** Stands in for timers: see `Ports.delay`. */
  readonly delay?: Ports['delay'];
}

/** One request and its answer. */
export interface Exchange extends ExchangeOptions {
  /** Host and port, for messages. */
  readonly host: string;
  readonly createReader: (options: ReaderOptions) => Reader;
  /**
   * Makes ready, which may take as long as a person needs to unlock a key, then gives the function that asks: from there on time counts.
   * What must not appear in errors goes into `secrets`. Both reject with AgentError.
   */
  readonly open: (secrets: string[]) => Promise<(signal: AbortSignal) => Promise<Response>>;
}

const usualTimeouts: Timeouts = { first: 300_000, idle: 60_000, stall: 600_000 };
const usualLimits: SseLimits = { event: 4 * 1024 * 1024, stream: 64 * 1024 * 1024 };
const maxErrorBytes = 65_536;

/** Reads an answer as it comes. Each subscription is one request; unsubscribing aborts it down to the socket. It errors with AgentError only. */
export function exchange({
  host,
  createReader,
  open,
  timeouts,
  limits,
  delay = browserPorts.delay,
}: Exchange): Observable<LLMChunk> {
  return new Observable((subscriber) => {
    const controller = new AbortController();
    const { signal } = controller;
    const secrets: string[] = [];
    let watchdog: Watchdog | undefined;
    let begun = false;

    const reader = createReader({
      host,
      secrets,
      emit(chunk) {
        begun = true;
        watchdog?.content();
        subscriber.next(chunk);
      },
    });

    async function run(): Promise<void> {
      const ask = await open(secrets);
      if (subscriber.closed) return;
      watchdog = createWatchdog({ ...usualTimeouts, ...timeouts }, delay, bark);
      const response = await ask(signal);
      if (!response.ok) throw await refused(response, watchdog.alive);
      const contentType = response.headers.get('content-type') ?? '';
      const answer = createAnswer(reader, { host, limits: { ...usualLimits, ...limits }, contentType });
      try {
        for await (const bytes of bytesOf(response, signal)) {
          watchdog.alive();
          answer.push(bytes);
          if (answer.done || subscriber.closed) return;
        }
      } catch (thrown) {
        if (thrown instanceof AgentError) throw thrown;
        if (!reader.complete) throw interrupted(host, begun, thrown);
      }
      answer.end();
    }

    async function refused(response: Response, alive: () => void): Promise<AgentError> {
      const decoder = new TextDecoder();
      let said = '';
      try {
        for await (const bytes of bytesOf(response, signal)) {
          alive();
          said += decoder.decode(bytes, { stream: true });
          if (said.length > maxErrorBytes) break;
        }
      } catch {
        // Cut off: what came has to do.
      }
      said = said.slice(0, maxErrorBytes);
      const { status, headers } = response;
      return toFailure({ host, status, said, secrets, retryAfter: retryAfter(headers, said, Date.now()) });
    }

    function bark(which: keyof Timeouts): void {
      // All was said, but the connection was left open.
      if (reader.complete) return controller.abort();
      const message = `${host} has said nothing for too long (timeouts.${which}). Try again, or allow it more time.`;
      subscriber.error(new AgentError(message, { code: 'REQUEST_TIMEOUT', retryable: !begun }));
    }

    run().then(
      () => subscriber.complete(),
      (thrown: unknown) => subscriber.error(toAgentError(thrown)),
    );
    return () => {
      watchdog?.stop();
      controller.abort();
    };
  });
}

/** Reads a body to its end; leaving the loop cancels it. Safari has no async iteration of streams. */
async function* bytesOf(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const body = response.body?.getReader();
  if (!body) return;
  const cancel = (): void => void body.cancel().catch(() => {});
  // Reaches a stand-in for fetch, too, that does not heed the signal.
  signal.addEventListener('abort', cancel);
  try {
    for (;;) {
      const { done, value } = await body.read();
      if (done) return;
      yield value;
    }
  } finally {
    cancel();
  }
}

/** A browser gives one opaque TypeError for all that can go wrong before an answer. */
export function unreachable(host: string, cause: unknown): AgentError {
  if (cause instanceof AgentError) return cause;
  // Node's navigator does not know, or is not there.
  const offline = typeof navigator === 'object' && 'onLine' in navigator && !navigator.onLine;
  return offline
    ? new AgentError(`You are offline, so ${host} was not asked. Try again when you are back.`, {
        code: 'OFFLINE',
        cause,
      })
    : new AgentError(
        `No answer from ${host}: the network failed, nothing listens there, or it refuses pages like this one (CORS; Ollama wants OLLAMA_ORIGINS). A browser does not tell which.`,
        { code: 'NETWORK_ERROR', cause },
      );
}
