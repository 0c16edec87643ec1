import { AgentError } from './error.ts';

const message = 'A part of this page could not be loaded: offline, or outdated. Reload the page.';

/**
 * Loads a part of the package on its first use, so that a page that never uses the part does not load it. After a failure the next call
 * tries again.
 *
 * @returns a function that rejects with AgentError `MODULE_UNAVAILABLE` when the part cannot be loaded, and with the AgentErrors of `load`
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw cause instanceof AgentError ? cause : new AgentError(message, { code: 'MODULE_UNAVAILABLE', cause });
    }));
}
