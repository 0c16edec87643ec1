import { createChatCompletionsClient, defineTool } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import type { AgentPlace, SharedAgentOptions } from 'brooklet/worker';
import { codec, vault } from './vault.ts';

/** Tells the server that a tool acts: `where` it runs, and for which call. */
export async function act(baseURL: string, where: string, idempotencyKey: string): Promise<void> {
  await fetch(`${baseURL}/acts?${new URLSearchParams({ where, key: idempotencyKey })}`, { method: 'POST' });
}

/**
 * The same in the worker and in its pages.
 *
 * @param baseURL of the service
 * @param isSealed whether a vault encrypts the sessions
 */
export const createFor =
  (baseURL: string, isSealed = false) =>
  ({ keyOf, where }: AgentPlace): SharedAgentOptions => ({
    client: createChatCompletionsClient({ baseURL: `${baseURL}/v1`, model: 'words', apiKey: keyOf('words') }),
    store: createIndexedDBStore(isSealed ? { codec } : {}),
    ...(isSealed && { vault }),
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
