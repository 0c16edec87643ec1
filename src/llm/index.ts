// Clients of the wires, wrappers of clients, and typed answers.
export { createChatCompletionsClient } from './wires/chat-completions/client.ts';
export type { ChatCompletionsOptions } from './wires/chat-completions/wire.ts';
export type { ChatCompat } from './wires/chat-completions/compat.ts';
export { createResponsesClient } from './wires/responses/client.ts';
export type { ResponsesOptions } from './wires/responses/wire.ts';
export {
  createBuiltInClient,
  type BuiltInAvailability,
  type BuiltInClient,
  type BuiltInOptions,
} from './wires/built-in/client.ts';
export { type ChunkClientOptions, type ChunkSource, createClientFromChunks } from './client-from-chunks.ts';
export {
  createLocalClient,
  type LoadedEngine,
  type LocalClient,
  type LocalClientOptions,
  type LocalEngine,
  type LocalStatus,
} from './local-client.ts';
export type { HttpOptions } from './transport/http-options.ts';
export type { ExchangeOptions } from './transport/exchange.ts';
export type { Timeouts } from './transport/watchdog.ts';
export type { SseLimits } from './transport/sse.ts';
export type { CallLimits } from './transport/reader.ts';
export { type Retry, type RetryingClient, type RetryOptions, withRetry, withTimeout } from './middleware/retry.ts';
export { type FallbackOptions, withFallback } from './middleware/fallback.ts';
export { createRequestQueue, type RequestQueue, withConcurrency } from './middleware/concurrency.ts';
export { type ThinkTagOptions, withThinkTags } from './middleware/think-tags.ts';
export { defineOutput, type Output, type OutputOptions } from './output/output.ts';
