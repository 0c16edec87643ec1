import { type AgentError, toAgentError } from 'brooklet';
import type { Model } from 'brooklet/providers';
import { useEffect, useRef, useState } from 'react';
import type { Endpoint } from '../endpoint.ts';
import { keyFor, vault } from '../keys/vault.ts';
import { listModelsOf } from './providers.ts';

/** The models of an endpoint: not asked for, being read, read, or not readable. */
export type ModelList =
  | { readonly is: 'idle' }
  | { readonly is: 'reading' }
  | { readonly is: 'read'; readonly models: readonly Model[] }
  | { readonly is: 'failed'; readonly error: AgentError };

/** Lists the models of an endpoint on request. Leaving the component cancels the request. */
export function useModelList(): {
  readonly list: ModelList;
  readonly read: (endpoint: Pick<Endpoint, 'providerId' | 'baseURL'>, newKey?: string) => Promise<void>;
} {
  const [list, setList] = useState<ModelList>({ is: 'idle' });
  const latest = useRef<AbortController>(undefined);
  useEffect(() => () => latest.current?.abort(), []);

  const read = async (endpoint: Pick<Endpoint, 'providerId' | 'baseURL'>, newKey = ''): Promise<void> => {
    latest.current?.abort();
    const controller = new AbortController();
    latest.current = controller;
    const { signal } = controller;
    setList({ is: 'reading' });
    const result = await readList(endpoint, { apiKey: newKey || storedKey(endpoint), signal });
    if (!signal.aborted) setList(result);
  };
  return { list, read };
}

/** Returns the key that the vault has for the endpoint, for requests to its origin. */
function storedKey({ baseURL }: Pick<Endpoint, 'baseURL'>): ReturnType<typeof vault.keyFor> | undefined {
  const key = keyFor(vault.getState(), baseURL);
  return key && vault.keyFor(key.id);
}

async function readList(...request: Parameters<typeof listModelsOf>): Promise<ModelList> {
  try {
    return { is: 'read', models: await listModelsOf(...request) };
  } catch (thrown) {
    return { is: 'failed', error: toAgentError(thrown) };
  }
}
