import { Observable } from 'rxjs';
import { AgentError, AgentErrorType, fail, toAgentError } from './error.ts';
import type { LLMChunk, LLMClient, LLMRequest } from './model/llm.ts';
import { readChunk } from './model/shapes/chunk-shape.ts';

/**
 * Sends a request through a client that may be the page's own, written without types. Emits copies of the chunks that have the fields of
 * their types and no others, so that whatever a client emits, the log stays readable.
 *
 * Errors with AgentError only: `INVALID_CONFIG` for a client that returns no stream, `STREAM_MALFORMED` with the type and the field of a
 * chunk that does not fit, and the client's own errors.
 */
export function sendChecked(client: LLMClient, request: LLMRequest): Observable<LLMChunk> {
  return new Observable((subscriber) => {
    let chunks$: Observable<LLMChunk>;
    try {
      chunks$ = checkStream(client.sendRequest(request));
    } catch (thrown) {
      return subscriber.error(toSoundError(thrown));
    }
    subscriber.add(
      chunks$.subscribe({
        next(chunk: unknown) {
          let read: LLMChunk;
          try {
            read = readChunk(chunk);
          } catch (thrown) {
            return subscriber.error(thrown);
          }
          subscriber.next(read);
        },
        error: (thrown: unknown) => subscriber.error(toSoundError(thrown)),
        complete: () => subscriber.complete(),
      }),
    );
  });
}

const cure = 'Wrap the function with createClientFromChunks of brooklet/llm, or return an Observable of rxjs.';

/** @throws AgentError `INVALID_CONFIG` that names what was returned in the place of a stream */
function checkStream(returned: Observable<LLMChunk>): Observable<LLMChunk> {
  if (has(returned, 'subscribe')) return returned;
  const value: unknown = returned;
  // A promise that is not awaited must not be reported as unhandled.
  if (has(value, 'then')) Promise.resolve(value).catch(() => {});
  return fail('INVALID_CONFIG', `\`sendRequest\` of the client returned ${nameOf(value)}, not an Observable. ${cure}`);
}

function nameOf(value: unknown): string {
  if (has(value, 'then')) return 'a Promise';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  if (has(value, Symbol.asyncIterator)) return 'an async generator';
  if (has(value, 'getReader')) return 'a ReadableStream';
  if (typeof value !== 'string' && has(value, Symbol.iterator)) return 'a generator';
  return value === null || value === undefined ? 'nothing' : `a value of type ${typeof value}`;
}

function has(value: unknown, method: PropertyKey): boolean {
  return value !== null && value !== undefined && typeof Reflect.get(Object(value), method) === 'function';
}

/** Returns any thrown value as an AgentError whose fields have their types: an error enters the log. */
function toSoundError(thrown: unknown): AgentError {
  const error = toAgentError(thrown, 'LLM_API_ERROR');
  const { code, type, status, retryAfter, retryable } = error;
  const isSound =
    typeof code === 'string' &&
    (type !== AgentErrorType.INTERNAL || code === 'UNKNOWN' || code === 'MODULE_UNAVAILABLE') &&
    isAmount(status) &&
    isAmount(retryAfter) &&
    typeof retryable === 'boolean';
  return isSound ? error : new AgentError(error.message, { code: 'LLM_API_ERROR', cause: error });
}

function isAmount(value: unknown): boolean {
  return value === undefined || (typeof value === 'number' && value >= 0 && value < Infinity);
}
