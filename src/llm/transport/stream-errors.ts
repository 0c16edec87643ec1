import { AgentError } from '../../core/error.ts';
import type { BodyEnd } from './reader.ts';

/** The error for an answer that cannot be read. The message never quotes the answer. */
export function malformed(host: string, why: string): AgentError {
  return new AgentError(`The answer from ${host} cannot be read: ${why}. Check the base URL; most end in /v1.`, {
    code: 'STREAM_MALFORMED',
  });
}

/** The error for an answer that exceeds a limit. */
export function tooLarge(host: string, why: string): AgentError {
  return new AgentError(`The answer from ${host} exceeds a limit: ${why}.`, { code: 'STREAM_TOO_LARGE' });
}

/** The error for an answer that stopped before its end. `begun`: a part of the answer was shown. */
export function interrupted(host: string, begun: boolean, cause?: unknown): AgentError {
  return new AgentError(`${host} closed the connection before the answer was complete.`, {
    code: 'STREAM_INTERRUPTED',
    // A second attempt would show the same part twice.
    retryable: !begun,
    cause,
  });
}

/** The error for an answer without the end mark of its wire. `begun`: a part of the answer was shown. */
export function unfinished(host: string, begun: boolean, by: BodyEnd): AgentError {
  return by === 'document' ? malformed(host, 'it is JSON, but no complete answer') : interrupted(host, begun);
}

/** The error for a request without an answer. A browser throws one opaque TypeError for every cause. */
export function unreachable(host: string, cause: unknown): AgentError {
  if (cause instanceof AgentError) return cause;
  // Node's navigator has no `onLine`, or is missing.
  return !(globalThis.navigator?.onLine ?? true)
    ? new AgentError(`You are offline: the request to ${host} failed.`, {
        code: 'OFFLINE',
        cause,
      })
    : new AgentError(
        `No answer from ${host}: the network failed, nothing listens there, or the service refuses this page (CORS; Ollama needs OLLAMA_ORIGINS).`,
        { code: 'NETWORK_ERROR', cause },
      );
}
