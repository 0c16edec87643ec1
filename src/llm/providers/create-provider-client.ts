import { named, type OptionNames } from '../../core/model/shapes/named.ts';
import { hasCheckedNames, httpNames } from '../transport/option-names.ts';
import { Observable } from 'rxjs';
import type { LLMClient } from '../../core/model/llm.ts';
import { checkClientOptions } from '../transport/check-options.ts';
import { explain } from './explain.ts';
import { type ClientOptions, type Provider, type ProviderOptions, toClientOptions } from './provider.ts';

const clientNames: OptionNames<ClientOptions> = {
  ...httpNames,
  model: true,
  stream: true,
  compat: true,
  sealedReasoning: true,
  maxTokens: true,
  cache: true,
};

/**
 * Creates a client of a provider: its wire, its options, and errors that name the provider's own remedies.
 *
 *     createProviderClient(deepseek, { apiKey, model: 'deepseek-flash' })
 *
 * Every option of the wire's own client is allowed, and overrides the provider's: another `baseURL` (a region, a proxy), `compat`, `headers`.
 *
 * @throws AgentError `INVALID_CONFIG` for an option of a wrong type or out of its range, and for a base URL that is neither https nor http
 * on this machine
 */
export function createProviderClient(provider: Provider, options: ProviderOptions = {}): LLMClient {
  named(options, clientNames, 'createProviderClient');
  const all = { ...toClientOptions(provider, options), [hasCheckedNames]: true };
  checkClientOptions(all, 'createProviderClient');
  const client = provider.createClient(all);
  return {
    ...client,
    sendRequest: (request) =>
      new Observable((subscriber) =>
        client.sendRequest(request).subscribe({
          next: (chunk) => subscriber.next(chunk),
          error: (thrown: unknown) => subscriber.error(explain(thrown, provider, all.baseURL)),
          complete: () => subscriber.complete(),
        }),
      ),
  };
}
