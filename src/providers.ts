// A provider is plain data, and each is an export of its own: a page carries those that it names, and the wires they speak.
export { anthropic } from './providers/anthropic.ts';
export { azure } from './providers/azure.ts';
export { compatible } from './providers/compatible.ts';
export { deepseek } from './providers/deepseek.ts';
export { gemini } from './providers/gemini.ts';
export { groq } from './providers/groq.ts';
export { llamacpp } from './providers/llamacpp.ts';
export { lmstudio } from './providers/lmstudio.ts';
export { mistral } from './providers/mistral.ts';
export { moonshot } from './providers/moonshot.ts';
export { ollama } from './providers/ollama.ts';
export { openai, openaiChat } from './providers/openai.ts';
export { openrouter } from './providers/openrouter.ts';
export { qwen } from './providers/qwen.ts';
export { together } from './providers/together.ts';
export { vllm } from './providers/vllm.ts';
export { xai } from './providers/xai.ts';
export { zhipu } from './providers/zhipu.ts';

export { createProviderClient } from './providers/create-provider-client.ts';
export { listModels, type ListModelsOptions } from './providers/list-models.ts';
export { costOf, findModel, type Model, type ModelTable, type Price, type Rates } from './providers/model.ts';
export type { ClientOptions, Provider, ProviderOptions } from './providers/provider.ts';
