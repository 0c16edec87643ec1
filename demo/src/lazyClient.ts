import { AgentError, type LLMClient } from 'brooklet';
import { defer, switchMap } from 'rxjs';

/**
 * Creates a client whose code is loaded with its first request. Where the code cannot be loaded, the request errors with
 * `MODULE_UNAVAILABLE`, and the next request loads it again.
 */
export function createLazyClient(load: () => Promise<LLMClient>): LLMClient {
  let loading: Promise<LLMClient> | undefined;
  const loadOnce = (): Promise<LLMClient> =>
    (loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw cause instanceof AgentError ? cause : unavailable(cause);
    }));
  return {
    sendRequest: (request) => defer(loadOnce).pipe(switchMap((client) => client.sendRequest(request))),
  };
}

function unavailable(cause: unknown): AgentError {
  const message = 'The code of this model could not be loaded. Reload the page, and try again.';
  return new AgentError(message, { code: 'MODULE_UNAVAILABLE', cause });
}
