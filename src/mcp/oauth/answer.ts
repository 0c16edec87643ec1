import { validateAuthResponse } from 'oauth4webapi';
import type { Answered } from './mailbox.ts';
import { isRefusal, reasonOf, signInError } from './problem.ts';

/**
 * Returns an answer whose issuer (RFC 9207) and state are those of the sign-in: nothing else of an answer of another issuer is used.
 *
 * @throws MCPError
 */
export function checkAnswer({ pending, answer }: Answered): URLSearchParams {
  const { server, client, state } = pending;
  try {
    return validateAuthResponse(server.metadata, { client_id: client.id }, answer, state);
  } catch (error) {
    throw signInError(
      isRefusal(error)
        ? `${server.issuer} did not let the person in: ${reasonOf(error)}.`
        : `The answer to the sign-in did not come from ${server.issuer}, or was changed: it was refused (${reasonOf(error)}). Sign in again.`,
    );
  }
}
