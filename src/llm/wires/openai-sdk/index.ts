export { createOpenAIClient, type OpenAIOptions, type OpenAISdk } from './client.ts';
