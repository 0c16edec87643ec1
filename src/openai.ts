export { createOpenAIClient, type OpenAIOptions, type OpenAISdk } from './core/llm/openai-sdk.ts';
