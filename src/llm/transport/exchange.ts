import { Observable } from 'rxjs';
import { AgentError, messageOf } from '../../core/error.ts';
import type { Json } from '../../core/json.ts';
import { browserPorts, type Ports } from '../../core/ports.ts';
import { type Answer, createAnswer } from './response-body.ts';
import { interrupted } from './stream-errors.ts';
import { createChunkJoiner } from './chunk-coalescer.ts';
import type { LLMChunk } from '../../core/model/llm.ts';
import type { CallLimits, Reader, ReaderOptions } from './reader.ts';
import { redact } from './redact.ts';
import { putInWords, Refused } from './http-error.ts';
import type { SseLimits } from './sse.ts';
import { createWatchdog, type Timeouts, type Watchdog } from './watchdog.ts';

/** Time and size limits of a request and its response. */
export interface ExchangeOptions {
  readonly timeouts?: Partial<Timeouts>;
  /** Default: 4 MB an event, 64 MB a stream, 128 calls of 1 MB each. */
  readonly limits?: Partial<SseLimits & CallLimits>;
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

const maxErrorChars = 65_536;

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
    const secrets: string[] = [];
    let watchdog: Watchdog | undefined;
    let hangUp = (): void => {};
    let answered = false;
    let begun = false;

    const joiner = createChunkJoiner((chunk) => {
      begun = true;
      watchdog?.content();
      subscriber.next(chunk);
    });
    const refuse = (said: Json): Error => new Refused({ host, said, secrets });
    const reader = createReader({ host, limits, refuse, emit: joiner.add });

    async function run(): Promise<void> {
      const ask = await open(secrets);
      if (subscriber.closed) return;
      watchdog = createWatchdog({ first: 300_000, idle: 60_000, stall: 600_000, ...timeouts }, delay, bark);
      const response = await ask(controller.signal);
      answered = true;
      const answer = response.ok
        ? createAnswer(reader, { host, limits: { event: 4 * 1024 * 1024, stream: 64 * 1024 * 1024, ...limits } })
        : createRefusal(response, host, secrets);
      const body = response.body?.getReader();
      hangUp = () => void body?.cancel().catch(() => {});
      // Reaches a stand-in for fetch, too, that does not heed the signal.
      subscriber.add(hangUp);
      try {
        for (let piece = await body?.read(); piece?.value && !subscriber.closed; piece = await body?.read()) {
          watchdog.alive();
          await answer.push(piece.value);
          joiner.flush();
          if (answer.done) break;
        }
      } catch (thrown) {
        if (thrown instanceof AgentError || thrown instanceof Refused) throw thrown;
        // Of a refusal, what came has to do.
        if (response.ok && !reader.complete) throw interrupted(host, begun, thrown);
      }
      await answer.end();
    }

    function bark(which: keyof Timeouts): void {
      // All was said, but the connection was left open.
      if (reader.complete) return hangUp();
      const message = `${host} has said nothing for too long (timeouts.${which}). Try again, or allow it more time.`;
      const timeout = answered ? which : 'connect';
      subscriber.error(new AgentError(message, { code: 'REQUEST_TIMEOUT', retryable: !begun, timeout }));
    }

    const ran = run().finally(joiner.flush);
    ran.then(
      () => subscriber.complete(),
      async (thrown: unknown) => subscriber.error(withoutSecrets(await putInWords(thrown), secrets)),
    );
    return () => {
      watchdog?.stop();
      controller.abort();
    };
  });
}

/** Takes a refusal, as far as it is of use, and throws what it says. */
function createRefusal({ status, headers }: Response, host: string, secrets: readonly string[]): Answer {
  const decoder = new TextDecoder();
  let said = '';
  return {
    get done() {
      return said.length > maxErrorChars;
    },
    push(bytes) {
      said += decoder.decode(bytes, { stream: true });
    },
    end() {
      throw new Refused({ host, status, said, headers, secrets });
    },
  };
}

/** Whatever was thrown on the way, by a stand-in for fetch, say: no key leaves in its words or in those of its cause. */
export function withoutSecrets(error: AgentError, secrets: readonly string[]): AgentError {
  const message = redact(error.message, secrets);
  if (message === error.message && error.cause === undefined) return error;
  return new AgentError(message, { ...error, cause: error.cause && redact(messageOf(error.cause), secrets) });
}

/** A browser gives one opaque TypeError for all that can go wrong before an answer. */
export function unreachable(host: string, cause: unknown): AgentError {
  if (cause instanceof AgentError) return cause;
  // Node's navigator does not know, or is not there.
  return !(globalThis.navigator?.onLine ?? true)
    ? new AgentError(`You are offline: ${host} was not asked. Try again when you are back.`, { code: 'OFFLINE', cause })
    : new AgentError(
        `No answer from ${host}: the network failed, nothing listens there, or it refuses this page (CORS; Ollama wants OLLAMA_ORIGINS).`,
        { code: 'NETWORK_ERROR', cause },
      );
}
