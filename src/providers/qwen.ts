import { createChatCompletionsClient } from '../llm/wires/chat-completions/client.ts';
import type { Provider } from './provider.ts';

/** Alibaba's Qwen, outside of China; inside, `baseURL: 'https://dashscope.aliyuncs.com/compatible-mode/v1'`. */
export const qwen: Provider = {
  name: 'Qwen',
  baseURL: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  createClient: createChatCompletionsClient,
  pages: 'refused',
  noAnswer: 'Alibaba lets no page in: put a proxy of your own before it, and give its address as the base URL.',
  keysURL: 'https://modelstudio.console.alibabacloud.com/?tab=model#/api-key',
};
