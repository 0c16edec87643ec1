import { AgentError, toAgentError } from '../../core/error.ts';
import type { Refusal } from './classify-error.ts';

/** Thrown where nobody can wait for the words: see `putInWords`. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`${refusal.host} refused.`);
    this.refusal = refusal;
  }
}

/** Whatever was thrown, as an AgentError. What services say is put in words by a part that is loaded when one first refuses. */
export async function putInWords(thrown: unknown): Promise<AgentError> {
  if (!(thrown instanceof Refused)) return toAgentError(thrown);
  const { host, status } = thrown.refusal;
  try {
    const { toFailure } = await import('./classify-error.ts');
    return toFailure(thrown.refusal, Date.now());
  } catch {
    // Not even that could be loaded.
    return new AgentError(`${host} refused the request (${status ?? 'while it answered'}).`, {
      code: 'LLM_API_ERROR',
      status,
    });
  }
}
