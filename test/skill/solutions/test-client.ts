import type { LLMClient } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';

export function createTestClient(): LLMClient {
  return createScriptedClient([[reply.call('add', { a: 1, b: 2 })], [reply.text('The sum is 3.')]]);
}
