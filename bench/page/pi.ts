import { Agent } from '@earendil-works/pi-agent-core';
import { createModels, createProvider, type Model } from '@earendil-works/pi-ai';
import { openAICompletionsApi } from '@earendil-works/pi-ai/api/openai-completions.lazy';
import { obj, str } from '@earendil-works/pi-schema';
import type { Line } from './bench.ts';

const noUsage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

export function createPi(api: string, history: readonly Line[]): Agent {
  const model: Model<'openai-completions'> = {
    id: 'm',
    name: 'm',
    api: 'openai-completions',
    provider: 'bench',
    baseUrl: `${api}/v1`,
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 1_000_000,
    maxTokens: 32_000,
  };
  const models = createModels();
  models.setProvider(
    createProvider({
      id: 'bench',
      name: 'bench',
      baseUrl: `${api}/v1`,
      auth: { apiKey: { name: 'bench', resolve: async () => ({ auth: { apiKey: 'key' } }) } },
      models: [model],
      api: openAICompletionsApi(),
    }),
  );
  return new Agent({
    streamFn: models.streamSimple.bind(models),
    initialState: {
      model,
      tools: [
        {
          name: 'write',
          label: 'write',
          description: 'Writes a file.',
          parameters: obj({ path: str(), content: str() }),
          execute: async () => ({ content: [{ type: 'text', text: 'written' }], details: undefined }),
        },
      ],
      messages: history.map(({ role, text }, timestamp) =>
        role === 'user'
          ? { role, content: text, timestamp }
          : {
              role,
              content: [{ type: 'text', text }],
              api: 'openai-completions',
              provider: 'bench',
              model: 'm',
              usage: noUsage,
              stopReason: 'stop',
              timestamp,
            },
      ),
    },
  });
}
