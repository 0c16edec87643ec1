import type { LLMClient } from 'brooklet';
import { createScriptedClient } from 'brooklet/testing';
import { createPlan } from './plan.ts';

/** Creates a client that answers without a network, a key or a model, at the speed of a real model. */
export function createOfflineClient(): LLMClient {
  return createScriptedClient(createPlan());
}
