import type { LLMClient } from 'brooklet';
import { withFallback, withRetry } from 'brooklet/llm';

/** Repeats requests to both clients together, so that the second one answers at the first failure. */
export function createResilientClient(first: LLMClient, second: LLMClient): LLMClient {
  return withRetry(withFallback([first, second]), { retries: 2, firstDelay: 10 });
}
