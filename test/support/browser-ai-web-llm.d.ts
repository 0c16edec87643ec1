// What the tests use of `@browser-ai/web-llm`, in the place of its own declarations: those declare `gpu` of the global Navigator as optional,
// which contradicts the library `dom` of TypeScript 7 (tsconfig.json, `paths`).
import type { LanguageModelV3 } from '@ai-sdk/provider';

export function webLLM(
  modelId: string,
  settings?: { readonly worker?: Worker },
): LanguageModelV3 & { readonly isModelInitialized: boolean };
