import type { JsonObject } from '../../core/json.ts';
import type { LLMClient, LLMRequest } from '../../core/model/llm.ts';
import type { Address } from './address.ts';
import { exchange, type ExchangeOptions } from './exchange.ts';
import { toHeaders } from './headers.ts';
import type { Reader, ReaderOptions } from './reader.ts';
import { unreachable } from './stream-errors.ts';

/** Options of every client over fetch. */
export interface HttpOptions extends ExchangeOptions {
  /** The address of the service, for example `https://api.example.com/v1`. https, or http on this machine. */
  readonly baseURL: string;
  /** The key, or a function that is called before each request with the origin that the key is for. Without a key, none is sent. */
  readonly apiKey?: string | ((origin: string) => string | Promise<string>);
  /** Sent with each request, over the client's own. Unusual headers make many services refuse the page (CORS). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the browser's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Whether http is allowed in the local network: 192.168.…, names without a dot, `.local`. Default no. */
  readonly allowLan?: boolean;
}

/** The part of a request that differs between wires. */
export interface Wire {
  /** Returns the headers that carry the key, and others that the service requires. Default: the key as a bearer token. */
  readonly authorize?: (key: string) => Readonly<Record<string, string>>;
  readonly toBody: (request: LLMRequest, host: string) => JsonObject;
  readonly createReader: (options: ReaderOptions, request: LLMRequest) => Reader;
}

/** Creates a client that POSTs JSON and streams the answer. The body is created anew for each subscription. */
export function createHttpClient(options: HttpOptions, { url, host, origin }: Address, wire: Wire): LLMClient {
  return {
    origin,
    sendRequest: (request) =>
      exchange({
        ...options,
        host,
        createReader: (reading) => wire.createReader(reading, request),
        async open(secrets) {
          const headers = await toHeaders(options, origin, wire.authorize, secrets);
          const body = JSON.stringify(wire.toBody(request, host));
          return async (signal) => {
            try {
              // A redirect would carry the key to another host: browsers strip no header but `authorization`.
              return await (options.fetch ?? fetch)(url, { method: 'POST', headers, body, redirect: 'error', signal });
            } catch (thrown) {
              throw unreachable(host, thrown);
            }
          };
        },
      }),
  };
}
