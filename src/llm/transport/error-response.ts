import { AgentError, toAgentError } from '../../core/error.ts';
import type { ErrorReply } from './classify-error.ts';

/** The error reply of a service, thrown where code is synchronous; `classifyThrown` turns it into an AgentError. */
export class HttpError extends Error {
  readonly reply: ErrorReply;

  constructor(reply: ErrorReply) {
    super(`${reply.host} replied with an error.`);
    this.reply = reply;
  }
}

/** Returns any thrown value as an AgentError. The classifier of error replies is loaded with the first one. */
export async function classifyThrown(thrown: unknown): Promise<AgentError> {
  if (!(thrown instanceof HttpError)) return toAgentError(thrown);
  const { host, status } = thrown.reply;
  try {
    const { classifyError } = await import('./classify-error.ts');
    return classifyError(thrown.reply, Date.now());
  } catch {
    // The classifier could not be loaded.
    return new AgentError(`${host} refused the request (${status ?? 'in the middle of the answer'}). Try again.`, {
      code: 'LLM_API_ERROR',
      status,
    });
  }
}
