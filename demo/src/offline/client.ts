import type { LLMClient } from 'brooklet';
import { createScriptedClient } from 'brooklet/testing';
import { createPlan } from './plan.ts';

/** Answers without a network, a key or a model: a plan by rules, played at the pace of a real one. */
export function createOfflineClient(): LLMClient {
  return createScriptedClient(createPlan());
}
