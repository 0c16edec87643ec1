import type { Observable } from 'rxjs';
import { AgentError } from '../error.ts';
import type { JsonObject } from '../json.ts';
import { cleanKey, toAddress } from './address.ts';
import type { LLMChunk } from './client.ts';
import { exchange, type ExchangeOptions, unreachable } from './exchange.ts';
import type { Reader, ReaderOptions } from './reader.ts';
import { redact } from './redact.ts';

/** What every client over fetch can be told. */
export interface HttpOptions extends ExchangeOptions {
  /** Where the service lives, e.g. `https://api.example.com/v1`. https, or http on this machine. */
  readonly baseURL: string;
  /** The key, or a function that is asked for it before each request and told the origin it is for. Without one no key is sent. */
  readonly apiKey?: string | ((origin: string) => string | Promise<string>);
  /** Sent with each request, over the client's own. More than the usual ones make many services refuse the page (CORS). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the browser's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Whether http to the local network will do: 192.168.…, names without a dot, `.local`. */
  readonly allowLan?: boolean;
}

/** What one wire adds to a request. */
export interface Wire {
  /** Behind the base URL, e.g. `/chat/completions`. */
  readonly path: string;
  /** The headers that carry the key (empty: there is none), and whatever else the service wants. */
  readonly authorize: (key: string) => Readonly<Record<string, string>>;
  readonly createReader: (options: ReaderOptions) => Reader;
}

/**
 * Makes the function that POSTs a body as JSON and streams the answer; the body is made anew for each subscription.
 *
 * @throws AgentError `INVALID_CONFIG` for a base URL that `toAddress` refuses.
 */
export function createSend(
  options: HttpOptions,
  { path, authorize, createReader }: Wire,
): (toBody: () => JsonObject) => Observable<LLMChunk> {
  const { apiKey = '', fetch } = options;
  const { url, host, origin } = toAddress(options.baseURL, path, options.allowLan);

  return (toBody) =>
    exchange({
      ...options,
      host,
      createReader,
      async open(secrets) {
        const key = cleanKey(typeof apiKey === 'string' ? apiKey : await askForKey(apiKey, origin));
        secrets.push(key);
        const headers = toHeaders(authorize(key), options.headers, secrets);
        // A redirect would take the key along: browsers strip no header but `authorization`.
        const init: RequestInit = { method: 'POST', headers, body: JSON.stringify(toBody()), redirect: 'error' };
        return async (signal) => {
          try {
            return await (fetch ?? globalThis.fetch)(url, { ...init, signal });
          } catch (thrown) {
            throw unreachable(host, thrown);
          }
        };
      },
    });
}

/** Exactly these and what the user configured: anything more may break the CORS preflight. */
function toHeaders(
  auth: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>> = {},
  secrets: string[],
): Headers {
  for (const [name, value] of Object.entries(own)) if (/key|auth|token|secret/i.test(name)) secrets.push(value);
  try {
    const headers = new Headers({ 'content-type': 'application/json', accept: 'text/event-stream', ...auth });
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    return headers;
  } catch {
    // The engine's own message quotes the value.
    throw new AgentError('A configured header cannot be sent: check its name and value.', { code: 'INVALID_CONFIG' });
  }
}

async function askForKey(apiKey: (origin: string) => string | Promise<string>, origin: string): Promise<string> {
  try {
    return await apiKey(origin);
  } catch (thrown) {
    if (thrown instanceof AgentError) throw thrown;
    throw new AgentError(`There is no key for ${origin}: ${redact(String(thrown))}`, { code: 'AUTHENTICATION_FAILED' });
  }
}
