// A provider is plain data, and each is an export of its own: a page contains only the providers it imports, and their wires.
export { anthropic } from './anthropic.ts';
export { azure } from './azure.ts';
export { compatible } from './compatible.ts';
export { deepseek } from './deepseek.ts';
export { gemini } from './gemini.ts';
export { groq } from './groq.ts';
export { llamacpp } from './llamacpp.ts';
export { lmstudio } from './lmstudio.ts';
export { mistral } from './mistral.ts';
export { moonshot } from './moonshot.ts';
export { ollama } from './ollama.ts';
export { openai, openaiChat } from './openai.ts';
export { openrouter } from './openrouter.ts';
export { qwen } from './qwen.ts';
export { together } from './together.ts';
export { vllm } from './vllm.ts';
export { xai } from './xai.ts';
export { zhipu } from './zhipu.ts';

export { createProviderClient } from './create-provider-client.ts';
export { listModels, type ListModelsOptions } from './list-models.ts';
export { costOf, findModel, type Model, type ModelTable, type Price, type Rates } from './model.ts';
export type { ClientOptions, Provider, ProviderOptions } from './provider.ts';
