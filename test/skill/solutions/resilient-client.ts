import type { LLMClient } from 'brooklet';
import { withFallback, withRetry } from 'brooklet/llm';

export function createResilientClient(first: LLMClient, second: LLMClient): LLMClient {
  return withFallback([withRetry(first, { retries: 2, firstDelay: 10 }), second]);
}
