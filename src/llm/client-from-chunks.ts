import { named } from '../core/model/shapes/named.ts';
import { Observable } from 'rxjs';
import { fail, toAgentError } from '../core/error.ts';
import { defined } from '../core/json.ts';
import type { LLMChunk, LLMClient, LLMRequest } from '../core/model/llm.ts';
import { word } from '../core/model/shapes/fields.ts';
import { callable, maybe } from '../core/model/shapes/shape.ts';
import { checkOptions } from './transport/check-options.ts';

/** The chunks of one answer: an async generator, a `ReadableStream`, an array. */
export type ChunkSource = AsyncIterable<LLMChunk> | Iterable<LLMChunk> | ReadableStream<LLMChunk>;

/** Options of `createClientFromChunks`. */
export interface ChunkClientOptions {
  /** See `LLMClient.origin`. Default: none. */
  readonly origin?: string;
}

/**
 * Creates a client from a function that answers a request: for a model in the page, or a service with a wire of its own. The function is
 * called once for each request. Its signal aborts when the run is cancelled; `return` of a generator that waits is then also called.
 *
 *     createClientFromChunks(async function* (request, signal) {
 *       for await (const text of model.stream(request.messages, signal)) yield { type: 'text', text };
 *       yield { type: 'finish', reason: 'stop' };
 *     })
 *
 * The answer errors with what the function throws, as AgentError `LLM_API_ERROR` where it is another error, and with `INVALID_CONFIG` where the
 * function returns no iterable. Every session checks the chunks: one that does not fit its type errors with `STREAM_MALFORMED`.
 *
 * @throws AgentError `INVALID_CONFIG` for an option of a wrong type
 */
export function createClientFromChunks(
  answer: (request: LLMRequest, signal: AbortSignal) => ChunkSource | Promise<ChunkSource>,
  options: ChunkClientOptions = {},
): LLMClient {
  const { origin } = named(options, { origin: true }, 'createClientFromChunks');
  checkOptions({ answer, origin }, { answer: callable, origin: maybe(word) }, 'createClientFromChunks');

  return {
    ...defined({ origin }),
    sendRequest: (request) =>
      new Observable((subscriber) => {
        const controller = new AbortController();
        let close = (): unknown => undefined;

        async function run(): Promise<void> {
          const source = await answer(request, controller.signal);
          if (subscriber.closed) return abandon(source);
          const { next, stop } = open(source);
          close = stop;
          for (let step = await next(); !step.done; step = await next()) {
            if (subscriber.closed) return;
            subscriber.next(step.value);
          }
        }

        run().then(
          () => subscriber.complete(),
          (thrown: unknown) => subscriber.error(toAgentError(thrown, 'LLM_API_ERROR')),
        );
        return () => {
          controller.abort();
          quietly(close);
        };
      }),
  };
}

interface Reading {
  readonly next: () => Promise<IteratorResult<LLMChunk, unknown>> | IteratorResult<LLMChunk, unknown>;
  readonly stop: () => unknown;
}

/** @throws AgentError `INVALID_CONFIG` for a value that is not a source of chunks */
function open(source: ChunkSource): Reading {
  if (typeof source === 'object' && source !== null) {
    // Safari's ReadableStream is not iterable.
    if ('getReader' in source) return readingStream(source.getReader());
    if (Symbol.asyncIterator in source) return reading(source[Symbol.asyncIterator]());
    if (Symbol.iterator in source) return reading(source[Symbol.iterator]());
  }
  return fail(
    'INVALID_CONFIG',
    `The function of createClientFromChunks returned ${source === null ? 'null' : typeof source}, not an iterable of chunks: make it an async generator.`,
  );
}

function readingStream(reader: ReadableStreamDefaultReader<LLMChunk>): Reading {
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done: true, value } : { done: false, value };
    },
    stop: () => reader.cancel(),
  };
}

function reading(iterator: AsyncIterator<LLMChunk> | Iterator<LLMChunk>): Reading {
  return { next: () => iterator.next(), stop: () => iterator.return?.() };
}

/** The request was cancelled before its source was there: what it holds is released. */
function abandon(source: ChunkSource): void {
  quietly(() => open(source).stop());
}

/** Calls a function whose failure has no consequence. */
function quietly(call: () => unknown): void {
  try {
    Promise.resolve(call()).catch(() => {});
  } catch {
    // It was released already.
  }
}
