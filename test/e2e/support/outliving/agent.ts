import { type AgentOptions, createChatCompletionsClient, defineTool } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import type { AgentPlace } from 'brooklet/worker';

/** Tells the server that a tool acts: `where` it runs, and for which call. */
export async function act(baseURL: string, where: string, idempotencyKey: string): Promise<void> {
  await fetch(`${baseURL}/acts?${new URLSearchParams({ where, key: idempotencyKey })}`, { method: 'POST' });
}

/** The same in the worker and in its pages. @param baseURL of the service */
export const createFor =
  (baseURL: string) =>
  ({ keyOf, where }: AgentPlace): AgentOptions => ({
    client: createChatCompletionsClient({ baseURL: `${baseURL}/v1`, model: 'words', apiKey: keyOf('words') }),
    store: createIndexedDBStore(),
    tools: [
      defineTool({
        name: 'pay',
        description: 'Pays.',
        input: { type: 'object' },
        needsApproval: true,
        async execute(_input, { idempotencyKey }) {
          await act(baseURL, where, idempotencyKey);
          return 'paid';
        },
      }),
    ],
  });
