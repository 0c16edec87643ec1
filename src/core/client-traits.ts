import { defined } from './json.ts';
import type { LLMClient } from './model/llm.ts';

/** Returns what a client that sends its requests by another one has of it. */
export function traitsOf({ origin, locked$ }: LLMClient): Pick<LLMClient, 'origin' | 'locked$'> {
  return defined({ origin, locked$ });
}
