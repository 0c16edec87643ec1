import type { Observable } from 'rxjs';
import type { AgentError } from '../../core/error.ts';
import { defined, type JsonObject } from '../../core/json.ts';
import type { LLMChunk, LLMClient, LLMRequest } from '../../core/model/llm.ts';
import type { Address } from './address.ts';
import { defaultAttempts } from './default-attempts.ts';
import { exchange } from './exchange.ts';
import { type Authorize, toHeaders } from './headers.ts';
import type { HttpOptions } from './http-options.ts';
import type { Reader, ReaderOptions } from './reader.ts';
import { sendRepeatedly } from './send-repeatedly.ts';
import { unreachable } from './stream-errors.ts';

/** The part of a request that differs between wires. */
export interface Wire {
  /** Default: the key as a bearer token. */
  readonly authorize?: Authorize;
  readonly toBody: (request: LLMRequest) => JsonObject;
  readonly createReader: (options: ReaderOptions, request: LLMRequest) => Reader;
  /** Whether a request may be sent again after this error. Default: see `isTemporary`. */
  readonly mayRepeat?: (error: AgentError) => boolean;
}

/** Creates a client that POSTs JSON and streams the answer. The body is created again for each attempt. */
export function createHttpClient(options: HttpOptions, { url, host, origin }: Address, wire: Wire): LLMClient {
  function send(request: LLMRequest): Observable<LLMChunk> {
    return exchange({
      ...options,
      host,
      createReader: (reading) => wire.createReader(reading, request),
      async open(secrets) {
        const headers = await toHeaders(options, origin, wire.authorize, secrets);
        const json = wire.toBody(request);
        if (json.stream === false) headers.set('accept', 'application/json');
        const body = JSON.stringify(json);
        return async (signal) => {
          try {
            // A redirect would carry the key to another host: browsers strip no header but `authorization`.
            return await (options.fetch ?? fetch)(url, { method: 'POST', headers, body, redirect: 'error', signal });
          } catch (thrown) {
            throw unreachable(host, thrown);
          }
        };
      },
    });
  }

  const attempts = defaultAttempts(options, wire.mayRepeat);
  const { apiKey } = options;
  return {
    origin,
    ...(typeof apiKey === 'function' && defined({ locked$: apiKey.locked$ })),
    sendRequest: (request) => sendRepeatedly(request, send, attempts),
  };
}
