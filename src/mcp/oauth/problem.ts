import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi';
import { excerpt, MCPError } from '../errors.ts';

export function signInError(message: string, cause?: unknown): MCPError {
  return new MCPError('sign-in', message, { code: 'AUTHENTICATION_FAILED', cause });
}

/** Whether an authorization server has answered with an error of the protocol, by its code. */
export function isRefusal(error: unknown): error is ResponseBodyError | AuthorizationResponseError {
  return error instanceof ResponseBodyError || error instanceof AuthorizationResponseError;
}

/** Returns what an authorization server gives as the reason of a refusal; otherwise what the library finds wrong with an answer. */
export function reasonOf(error: unknown): string {
  if (isRefusal(error)) return excerpt(error.error_description) || excerpt(error.error);
  return error instanceof Error ? excerpt(error.message) : '';
}
