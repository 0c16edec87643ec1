import type { LLMClient } from 'brooklet';
import { createScriptedClient } from 'brooklet/testing';
import { readPace } from './pace.ts';
import { getTexts } from '../texts/language.ts';
import { createPlan } from './plan.ts';
import { wordsZh } from './words-zh.ts';
import { wordsEn } from './words.ts';

/** Creates a client that answers in the language of the page, without a network, a key or a model, at the speed of a real model: see `readPace`. */
export function createOfflineClient(): LLMClient {
  return createScriptedClient(
    createPlan(() => (getTexts().locale.startsWith('zh') ? wordsZh : wordsEn)),
    { delay },
  );
}

function delay(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms * readPace());
  return () => clearTimeout(timer);
}
