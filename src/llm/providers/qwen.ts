import { createChatCompletionsClient } from '../wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** Alibaba's Qwen outside China; inside China, pass `baseURL: 'https://dashscope.aliyuncs.com/compatible-mode/v1'`. */
export const qwen: Provider = {
  name: 'Qwen',
  baseURL: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  createClient: createChatCompletionsClient,
  pages: 'refused',
  noAnswer: 'Alibaba refuses all pages (CORS): run a proxy of your own, and pass its address as the base URL.',
  keysURL: 'https://modelstudio.console.alibabacloud.com/?tab=model#/api-key',
};
