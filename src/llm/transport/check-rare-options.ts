// The seam of loading: a page with plain options loads no check.
import type { HttpOptions } from './http-options.ts';

interface Options extends HttpOptions {
  readonly model?: string;
}

/**
 * Checks the options of a client whose code is loaded in parts. A base URL has been checked, and a key or a model that is a text needs no
 * check: the check is loaded with any other option.
 *
 * Rejects with AgentError `INVALID_CONFIG`.
 */
export async function checkRareOptions({ baseURL: _checked, ...options }: Options, owner: string): Promise<void> {
  const { apiKey = '', model = '', ...rare } = options;
  const isPlain = /^(string|function)$/.test(typeof apiKey) && typeof model === 'string';
  if (isPlain && Object.keys(rare).length === 0) return;
  (await import('./check-options.ts')).checkClientOptions(options, owner);
}
