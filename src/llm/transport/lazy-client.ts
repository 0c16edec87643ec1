// The seam of loading: this file is loaded with the page; the wire and its transport are loaded by `import()`.
import { lazy, lazyValues } from '../../core/lazy.ts';
import type { LLMClient } from '../../core/model/llm.ts';
import { type Address, toAddress } from './address.ts';
import type { HttpOptions } from './http-options.ts';

/**
 * Creates a client whose wire is loaded as the client is created, so that the wire is there before a person has typed. A request waits
 * for the wire, and errors with AgentError `MODULE_UNAVAILABLE` where the wire cannot be loaded; the next request loads again.
 *
 * @param path of the endpoint, appended to the base URL
 * @throws AgentError `INVALID_CONFIG` for a base URL that `toAddress` refuses
 */
export function createLazyClient(
  { baseURL, allowLan }: HttpOptions,
  path: string,
  load: (address: Address) => Promise<LLMClient>,
): LLMClient {
  const address = toAddress(baseURL, path, allowLan);
  const loadClient = lazy(() => load(address));
  // A failure is reported by the first request.
  loadClient().catch(() => {});
  return {
    origin: address.origin,
    sendRequest: (request) => lazyValues(async () => (await loadClient()).sendRequest(request)),
  };
}
