import { AgentError } from '../../core/error.ts';

/** The error for an answer that cannot be understood. Never says what was in it. */
export function malformed(host: string, why: string): AgentError {
  return new AgentError(`The answer from ${host} makes no sense: ${why}. Check the base URL; most end in /v1.`, {
    code: 'STREAM_MALFORMED',
  });
}

export function tooLarge(host: string, why: string): AgentError {
  return new AgentError(`The answer from ${host} is over a limit: ${why}.`, { code: 'STREAM_TOO_LARGE' });
}

/** The error for an answer that stopped before its end. `begun`: something of it was seen. */
export function interrupted(host: string, begun: boolean, cause?: unknown): AgentError {
  return new AgentError(`${host} closed the connection before the answer was complete. Try again.`, {
    code: 'STREAM_INTERRUPTED',
    // What was shown already would come twice.
    retryable: !begun,
    cause,
  });
}

/** The error for a request without an answer. A browser throws one opaque TypeError for every cause. */
export function unreachable(host: string, cause: unknown): AgentError {
  if (cause instanceof AgentError) return cause;
  // Node's navigator has no `onLine`, or is missing.
  return !(globalThis.navigator?.onLine ?? true)
    ? new AgentError(`You are offline: the request to ${host} was not sent. Try again when you are back.`, {
        code: 'OFFLINE',
        cause,
      })
    : new AgentError(
        `No answer from ${host}: the network failed, nothing listens there, or the service refuses this page (CORS; Ollama needs OLLAMA_ORIGINS).`,
        { code: 'NETWORK_ERROR', cause },
      );
}
