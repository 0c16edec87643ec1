import { type AgentError, toAgentError } from '../../core/error.ts';
import { classifyError, type ErrorReply } from './classify-error.ts';

/** The error reply of a service, thrown where code is synchronous; `classifyThrown` turns it into an AgentError. */
export class HttpError extends Error {
  readonly reply: ErrorReply;

  constructor(reply: ErrorReply) {
    super(`${reply.host} replied with an error.`);
    this.reply = reply;
  }
}

/** Returns any thrown value as an AgentError. @param now ms since the epoch: a service may state when to ask again */
export function classifyThrown(thrown: unknown, now: number): AgentError {
  return thrown instanceof HttpError ? classifyError(thrown.reply, now) : toAgentError(thrown);
}
