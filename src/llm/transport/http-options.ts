import type { KeyFunction } from '../../core/model/llm.ts';
import type { ExchangeOptions } from './exchange.ts';

/** Options of every client over fetch. */
export interface HttpOptions extends ExchangeOptions {
  /** The address of the service, for example `https://api.example.com/v1`. https, or http on this machine. */
  readonly baseURL: string;
  /** The key, or a function that is called before each request with the origin that the key is for. Without a key, none is sent. */
  readonly apiKey?: string | KeyFunction;
  /** Sent with each request, over the client's own. Unusual headers make many services refuse the page (CORS). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the browser's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Whether http is allowed in the local network: 192.168.…, names without a dot, `.local`. Default no. */
  readonly allowLan?: boolean;
}
