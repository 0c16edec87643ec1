import { named, type OptionNames } from '../../core/model/shapes/named.ts';
import { AgentError } from '../../core/error.ts';
import { parseJson } from '../../core/json.ts';
import { toAddress } from '../transport/address.ts';
import { redactError } from '../transport/redact.ts';
import { malformed, tooLarge, unreachable } from '../transport/stream-errors.ts';
import { classifyThrown, HttpError } from '../transport/error-response.ts';
import { toHeaders } from '../transport/headers.ts';
import { browserPorts } from '../../core/ports.ts';
import { explain } from './explain.ts';
import type { Model } from './model.ts';
import { type Provider, type ProviderOptions, toClientOptions } from './provider.ts';
import { readModels } from './read-models.ts';

/** Options of `listModels`: those of the provider, and limits of the request. */
export interface ListModelsOptions extends Pick<
  ProviderOptions,
  'apiKey' | 'baseURL' | 'headers' | 'fetch' | 'allowLan' | 'delay'
> {
  /** Aborts the request: the promise rejects with `ABORTED`. */
  readonly signal?: AbortSignal;
  /** ms for the whole list. Default 30,000. */
  readonly timeout?: number;
}

/** Bytes. OpenRouter's list of all models has less than 1 MB. */
const maxBytes = 8 * 1024 * 1024;

const listNames: OptionNames<ListModelsOptions> = {
  apiKey: true,
  baseURL: true,
  headers: true,
  fetch: true,
  allowLan: true,
  delay: true,
  signal: true,
  timeout: true,
};

/**
 * Requests the list of a provider's models, in the provider's order. Facts that the list lacks come from the provider's `models`.
 *
 *     const models = await listModels(openrouter, { apiKey })
 *
 * Rejects with the AgentErrors of a client's request, and with `ABORTED`.
 */
export async function listModels(provider: Provider, options: ListModelsOptions = {}): Promise<readonly Model[]> {
  const { signal, timeout = 30_000, ...own } = named(options, listNames, 'listModels');
  const all = toClientOptions(provider, own);
  const { path = '/models', authorize } = provider.list ?? {};
  const secrets: string[] = [];
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let late = false;

  const { url, host, origin } = toAddress(all.baseURL, path, all.allowLan);
  signal?.addEventListener('abort', abort, { once: true });
  let cancel = (): void => {};
  try {
    const headers = await toHeaders(all, origin, authorize, secrets);
    headers.delete('content-type');
    headers.set('accept', 'application/json');
    if (signal?.aborted) abort();
    cancel = (all.delay ?? browserPorts.delay)(() => {
      late = true;
      abort();
    }, timeout);
    const response = await (all.fetch ?? fetch)(url, { headers, redirect: 'error', signal: controller.signal });
    const body = await readText(response, host);
    if (!response.ok) {
      const { status, headers: sent } = response;
      throw classifyThrown(new HttpError({ host, status, body, headers: sent, secrets }), browserPorts.now());
    }
    const json = parseJson(body);
    if (json === undefined) throw malformed(host, 'its list of models is not JSON');
    return readModels(json, provider.models);
  } catch (thrown) {
    if (late)
      throw new AgentError(`${host} took too long to list its models. Try again.`, {
        code: 'REQUEST_TIMEOUT',
        timeout: 'total',
      });
    if (signal?.aborted)
      throw new AgentError(`The request for the models of ${host} was aborted.`, { code: 'ABORTED' });
    throw explain(redactError(unreachable(host, thrown), secrets), provider, all.baseURL);
  } finally {
    cancel();
    signal?.removeEventListener('abort', abort);
  }
}

async function readText(response: Response, host: string): Promise<string> {
  const decoder = new TextDecoder();
  const body = response.body?.getReader();
  let text = '';
  let bytes = 0;
  for (let piece = await body?.read(); piece?.value; piece = await body?.read()) {
    bytes += piece.value.length;
    if (bytes > maxBytes) {
      void body?.cancel().catch(() => {});
      throw tooLarge(host, `a list of models of more than ${maxBytes} bytes`);
    }
    text += decoder.decode(piece.value, { stream: true });
  }
  return text + decoder.decode();
}
