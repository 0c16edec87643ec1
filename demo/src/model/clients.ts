import type { LLMClient, SetClientOptions } from 'brooklet';
import { withFallback, withRetry } from 'brooklet/llm';
import { withMCPApps } from 'brooklet/mcp/apps';
import { createProviderClient } from 'brooklet/providers';
import { tap } from 'rxjs';
import { type Connection, type Fallback, getConnection, getFallback, releaseKey } from './connection.ts';
import type { Endpoint } from './endpoint.ts';
import { noteHealth } from './health.ts';

/** What `Agent.setClient` takes. */
export interface Chosen {
  readonly client: LLMClient;
  readonly options: SetClientOptions;
}

/**
 * Creates the client of a connection: it retries, answers with the fallback in the end, and makes the calls that the interface of a tool has
 * asked for. Rejects with AgentError `INVALID_CONFIG` for an invalid address.
 */
export async function createChosen(connection: Connection, fallback: Fallback): Promise<Chosen> {
  const [chosen, others] = await Promise.all([createClient(connection), createFallback(fallback)]);
  const client = withMCPApps(withFallback([withRetry(chosen), ...others]));
  return { client, options: await optionsOf(connection) };
}

/** Creates the client of what is chosen at this moment. Rejects as `createChosen` does. */
export const createPresent = (): Promise<Chosen> => createChosen(getConnection(), getFallback());

/** Creates the client of a connection alone: no other one answers in its place. */
export async function createClient(connection: Connection): Promise<LLMClient> {
  switch (connection.kind) {
    case 'offline':
      return loadOffline();
    case 'browser':
      return (await import('./browserModel.ts')).browserModel;
    case 'model':
    case 'locked':
    case 'keyless':
      return createEndpointClient(connection.endpoint);
  }
}

let offline: Promise<LLMClient> | undefined;

/** One for the page: it remembers what it has failed with. */
function loadOffline(): Promise<LLMClient> {
  return (offline ??= import('../offline/client.ts').then(
    ({ createOfflineClient }) => createOfflineClient(),
    (cause: unknown) => {
      offline = undefined;
      throw cause;
    },
  ));
}

async function createFallback(fallback: Fallback): Promise<readonly LLMClient[]> {
  return fallback === 'none' ? [] : [await createClient({ kind: fallback })];
}

async function createEndpointClient(endpoint: Endpoint): Promise<LLMClient> {
  const { choiceOf } = await import('./providers.ts');
  const { providerId, baseURL, model, needsKey } = endpoint;
  const own = { baseURL, model, ...(needsKey && { apiKey: releaseKey }) };
  const client = createProviderClient(choiceOf(providerId).provider, own);
  return {
    ...(client.locked$ && { locked$: client.locked$ }),
    sendRequest: (request) =>
      client
        .sendRequest(request)
        .pipe(tap({ next: () => noteHealth(), error: (thrown: unknown) => noteHealth(thrown) })),
  };
}

/** The context window of the model, where it is known. */
async function optionsOf(connection: Connection): Promise<SetClientOptions> {
  if (!('endpoint' in connection)) return {};
  const { findKnownModel } = await import('./providers.ts');
  const { contextWindow } = findKnownModel(connection.endpoint.model) ?? {};
  return contextWindow === undefined ? {} : { contextWindow };
}
