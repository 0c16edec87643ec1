import type { LanguageModelV2, LanguageModelV3 } from '@ai-sdk/provider';
import type { LanguageModelV4 } from 'ai-sdk-7-provider';
import type { LanguageModel } from 'ai';
import { createOpenAI } from '@ai-sdk/openai';
import { webLLM } from '@browser-ai/web-llm';
import { expectTypeOf, test } from 'vitest';
import { type AISDKModel, createAISDKClient } from '../../../../src/llm/wires/ai-sdk/index.ts';

test('every version of the interface is a model', () => {
  expectTypeOf<LanguageModelV2>().toExtend<AISDKModel>();
  expectTypeOf<LanguageModelV3>().toExtend<AISDKModel>();
  expectTypeOf<LanguageModelV4>().toExtend<AISDKModel>();
  expectTypeOf<Exclude<LanguageModel, string>>().toExtend<AISDKModel>();
});

test('models of packages are accepted, names and providers are not', () => {
  const openai = createOpenAI({ apiKey: 'k' });
  createAISDKClient(openai('gpt-5'), { models: openai });
  createAISDKClient(webLLM('m'));
  // @ts-expect-error A name needs a provider.
  void (() => createAISDKClient('openai/gpt-5'));
  // @ts-expect-error A provider is no model.
  void (() => createAISDKClient(openai));
});
