import type { LLMClient } from 'brooklet';
import { createProviderClient, openai } from 'brooklet/providers';

export function createClient(getKey: () => string): LLMClient {
  return createProviderClient(openai, { model: 'gpt-5-mini', apiKey: getKey });
}
