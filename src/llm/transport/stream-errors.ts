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
