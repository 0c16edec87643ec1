import type { LLMClient } from 'brooklet';
import { createScriptedClient } from 'brooklet/testing';
import { readPace } from './pace.ts';
import { createPlan } from './plan.ts';

/** Creates a client that answers without a network, a key or a model, at the speed of a real model: see `readPace`. */
export function createOfflineClient(): LLMClient {
  return createScriptedClient(createPlan(), { delay });
}

function delay(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms * readPace());
  return () => clearTimeout(timer);
}
