export { type AnthropicOptions, createAnthropicClient } from './core/llm/anthropic.ts';
