import { AgentError, toAgentError } from '../core/error.ts';
import type { Provider } from './provider.ts';

/** Adds to an error what is known of the provider: why it may not have answered, where its keys are made. The code stays. */
export function explain(thrown: unknown, { noAnswer, keysURL }: Provider, baseURL: string): AgentError {
  const error = toAgentError(thrown);
  if (error.code === 'NETWORK_ERROR' && noAnswer !== undefined)
    return withMessage(
      error,
      `No answer from ${new URL(baseURL).host}. ${noAnswer.replaceAll('{origin}', pageOrigin())}`,
    );
  if (error.code === 'AUTHENTICATION_FAILED' && keysURL !== undefined)
    return withMessage(error, `${error.message} Keys are made at ${keysURL}`);
  return error;
}

function withMessage(error: AgentError, message: string): AgentError {
  return new AgentError(message, { ...error, cause: error.cause });
}

/** `null` is what browsers send for a page without one (a file, a sandbox). */
function pageOrigin(): string {
  return globalThis.location?.origin ?? 'null';
}
