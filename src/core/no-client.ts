import { throwError } from 'rxjs';
import { AgentError } from './error.ts';
import type { LLMClient } from './model/llm.ts';

/** Takes the place of the client of an agent that has none: each request errors with `MISSING_CLIENT`. */
export const noClient: LLMClient = { sendRequest: () => throwError(missingClient) };

/** The message is for the person at the page. */
export function missingClient(): AgentError {
  return new AgentError('No model is chosen. Choose one, then send again.', { code: 'MISSING_CLIENT' });
}
