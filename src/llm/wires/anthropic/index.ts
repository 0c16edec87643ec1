export { type AnthropicOptions, createAnthropicClient } from './client.ts';
