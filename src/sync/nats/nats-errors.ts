import { AgentError, fail, messageOf } from '../../core/error.ts';

// Errors of the engine as `AgentError`s. Source of the numbers: `server/errors.json` of nats-server.

/** The last message of the subject is not the expected one. */
const wrongLastMessage = 10071;
/** No message has the subject or the number. */
const noMessage = 10037;
/** The stream is full: `max_bytes`, `max_msgs`, or the limits of the account. */
const full = new Set([10023, 10028, 10047, 10077]);

/** The stream does not allow `Nats-Rollup`. */
const noRollup = 10111;

/** The engine's JSON about a request that it refused. */
export interface ApiError {
  readonly code?: number;
  readonly err_code?: number;
  readonly description?: string;
}

/** Whether the engine refused a request because of the last message of a subject: it is another one, or there is none. */
export const isAboutLast = ({ err_code }: ApiError): boolean => err_code === wrongLastMessage || err_code === noMessage;

/** Whether the engine refused a message because it would erase others. */
export function isAboutRollup(thrown: unknown): boolean {
  return thrown instanceof AgentError && thrown.cause === noRollup;
}

/** Returns the error for a request that the engine refused. */
export function toRefusal({ err_code, description = 'no reason given' }: ApiError): AgentError {
  if (err_code !== undefined && full.has(err_code))
    return new AgentError(`The stream is full: ${description}. Remove sessions, or let the stream store more bytes.`, {
      code: 'QUOTA_EXCEEDED',
    });
  return new AgentError(`The NATS server refused the request: ${description} (${err_code}).`, {
    code: 'STORAGE_FAILED',
    cause: err_code,
  });
}

/** Whether the subject of a request has no subscriber. */
export function isNobody(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === 'NoResponders' || isNobody(thrown.cause));
}

/** Returns the error for a request without an answer: whether the engine has performed it is unknown. */
export function toLinkError(thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const reason = isNobody(thrown) ? 'JetStream does not answer, or the stream does not exist' : messageOf(thrown);
  return new AgentError(`The NATS server gave no answer: ${reason}.`, { code: 'STORAGE_FAILED', cause: thrown });
}

/** @throws AgentError `STORAGE_UNAVAILABLE` */
export function failClosed(): never {
  return fail('STORAGE_UNAVAILABLE', 'The store has been closed. Create another one with createNatsStore.');
}
