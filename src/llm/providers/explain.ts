import { AgentError, toAgentError } from '../../core/error.ts';
import type { Provider } from './provider.ts';

/** Adds the provider's remedies to an error: why the service may not have answered, where keys are created. The code stays the same. */
export function explain(thrown: unknown, { noAnswer, keysURL }: Provider, baseURL: string): AgentError {
  const error = toAgentError(thrown);
  const { host } = new URL(baseURL);
  // A network error that does not name the host is not about the service: a custom fetch may throw its own.
  if (error.code === 'NETWORK_ERROR' && noAnswer !== undefined && error.message.includes(host))
    return withMessage(error, `No answer from ${host}. ${noAnswer.replaceAll('{origin}', pageOrigin())}`);
  if (error.code === 'AUTHENTICATION_FAILED' && keysURL !== undefined)
    return withMessage(error, `${error.message} Keys are made at ${keysURL}`);
  return error;
}

function withMessage(error: AgentError, message: string): AgentError {
  return new AgentError(message, { ...error, cause: error.cause });
}

/** Browsers send `null` for a page without an origin (a file, a sandbox). */
function pageOrigin(): string {
  return globalThis.location?.origin ?? 'null';
}
