import { AgentError } from '../../core/error.ts';
import type { JsonObject } from '../../core/json.ts';
import { cleanKey, toAddress } from './address.ts';
import type { LLMClient, LLMRequest } from '../../core/model/llm.ts';
import { exchange, type ExchangeOptions, unreachable } from './exchange.ts';
import type { Reader, ReaderOptions } from './reader.ts';

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
  /** The headers that carry the key, and whatever else the service wants. Without it the key is a bearer's. */
  readonly authorize?: (key: string) => Readonly<Record<string, string>>;
  readonly toBody: (request: LLMRequest, host: string) => JsonObject | Promise<JsonObject>;
  readonly createReader: (options: ReaderOptions, request: LLMRequest) => Reader;
}

/**
 * A client that POSTs JSON and streams the answer. The body is made anew for each subscription.
 *
 * @throws AgentError `INVALID_CONFIG` for a base URL that `toAddress` refuses.
 */
export function createHttpClient(options: HttpOptions, wire: Wire): LLMClient {
  const { url, host, origin } = toAddress(options.baseURL, wire.path, options.allowLan);

  return {
    origin,
    sendRequest: (request) =>
      exchange({
        ...options,
        host,
        createReader: (reading) => wire.createReader(reading, request),
        async open(secrets) {
          const headers = await toHeaders(options, origin, wire.authorize, secrets);
          const body = JSON.stringify(await wire.toBody(request, host));
          return async (signal) => {
            try {
              // A redirect would take the key along: browsers strip no header but `authorization`.
              return await (options.fetch ?? fetch)(url, { method: 'POST', headers, body, redirect: 'error', signal });
            } catch (thrown) {
              throw unreachable(host, thrown);
            }
          };
        },
      }),
  };
}

function asBearer(key: string): Readonly<Record<string, string>> {
  return key === '' ? {} : { authorization: `Bearer ${key}` };
}

/**
 * Asks for the key. Exactly its headers, these and what the user configured: anything more may break the CORS preflight.
 * What is secret in them goes into `secrets`.
 */
export async function toHeaders(
  { apiKey = '', headers: own = {} }: Pick<HttpOptions, 'apiKey' | 'headers'>,
  origin: string,
  authorize: Wire['authorize'] = asBearer,
  secrets: string[],
): Promise<Headers> {
  const key = cleanKey(typeof apiKey === 'string' ? apiKey : await askForKey(apiKey, origin));
  secrets.push(key);
  try {
    const headers = new Headers({ 'content-type': 'application/json', accept: 'text/event-stream', ...authorize(key) });
    for (const [name, value] of Object.entries(own)) {
      secrets.push(value);
      headers.set(name, value);
    }
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
    // What was thrown may tell the key itself.
    throw new AgentError(`There is no key for ${origin}: it could not be got. Unlock it, or enter it again.`, {
      code: 'AUTHENTICATION_FAILED',
    });
  }
}
