import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { Ports } from '../core/ports.ts';
import { statusTrouble, Trouble } from './errors.ts';
import { type Body, parseMessage, readAll, readEvents } from './read-body.ts';

/** What a server says when it wants a token, or another one. */
export interface MCPChallenge {
  /** Address of the MCP endpoint. */
  readonly url: string;
  readonly status: 401 | 403;
  /** The header `www-authenticate`, where the server lets the page read it. */
  readonly header: string;
  /** The token that was refused. */
  readonly token: string | undefined;
}

/** Access to a server. */
export interface MCPAuth {
  /**
   * Returns the access token for the next request, `undefined` for none.
   *
   * @param url address of the server, `origin` its origin
   */
  token(origin: string, url: string): Promise<string | undefined>;
  /** Called when the server refuses a request because a token is missing or not valid. Resolves with whether the request is worth repeating. */
  renew?(challenge: MCPChallenge): Promise<boolean>;
}

/** How a server is reached. */
export interface Wire {
  /** Address of the endpoint. */
  readonly url: string;
  readonly host: string;
  readonly origin: string;
  readonly fetch: typeof globalThis.fetch;
  readonly auth: MCPAuth | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** What the page can do for the server. */
  readonly capabilities: JsonObject;
  /** Of one response. */
  readonly maxBytes: number;
  readonly ports: Pick<Ports, 'delay'>;
  /** Aborts when the page closes the connection. */
  readonly closing: AbortSignal;
}

/** A request as a revision wants it. */
export interface Dressed {
  readonly params: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Receives every message of the server but the response. */
  readonly onMessage?: (message: JsonObject) => void;
  /** Whether a stream that breaks off is continued with GET. */
  readonly resumable?: boolean;
}

/** The answer to one POST. */
export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** The response to the request, or an error without an id. */
  readonly message?: JsonObject;
  /** Media type of an answer without a message. */
  readonly type: string;
}

/** Sends one message and reads the answer. Rejects with Trouble, and with the reason of the signal. */
export async function post(wire: Wire, message: JsonObject, exchange: Exchange): Promise<Answer> {
  const init = { method: 'POST', body: JSON.stringify(message) };
  const response = await send(wire, init, exchange);
  const type = mediaType(response);
  const answer = { status: response.status, type, header: (name: string) => response.headers.get(name) };
  const body = toBody(wire, response);
  if (type === 'text/event-stream' && response.ok) {
    const found = await readStream(wire, body, message, exchange);
    return { ...answer, message: found };
  }
  if (!type.endsWith('json') || response.status === 202) {
    discard(response);
    return answer;
  }
  const text = await readAll(body);
  // An HTTP error may have a body of another kind.
  if (!response.ok && !text.includes('jsonrpc')) return answer;
  return { ...answer, message: checkId(parseMessage(text), message.id) };
}

/** Opens the stream of messages that belong to no request. Resolves with `undefined` where the server has none. */
export async function openStream(wire: Wire, exchange: Exchange): Promise<Body | undefined> {
  const response = await send(wire, { method: 'GET' }, exchange);
  if (response.ok && mediaType(response) === 'text/event-stream') return toBody(wire, response);
  discard(response);
  return undefined;
}

/** Notifies the server that a session has ended. Rejects as `post` does: a server also forgets idle sessions by itself. */
export async function endSession(wire: Wire, headers: Dressed['headers']): Promise<void> {
  // `keepalive`: the page may be about to be unloaded.
  const init = { method: 'DELETE', keepalive: true };
  discard(await send(wire, init, { headers, signal: new AbortController().signal }));
}

async function send(wire: Wire, init: RequestInit, { headers, signal }: Exchange, isRetry = false): Promise<Response> {
  const token = await wire.auth?.token(wire.origin, wire.url);
  const all: Readonly<Record<string, string>> = {
    accept: init.body ? 'application/json, text/event-stream' : 'text/event-stream',
    ...(init.body ? { 'content-type': 'application/json' } : {}),
    ...wire.headers,
    ...headers,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const response = await wire
    .fetch(wire.url, {
      ...init,
      headers: all,
      signal,
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    })
    .catch(async (cause: unknown) => {
      signal.throwIfAborted();
      throw await diagnose(wire, Object.keys(all), cause);
    });
  const { status } = response;
  if (response.type === 'opaqueredirect' || response.redirected || (status >= 300 && status < 400)) {
    discard(response);
    throw statusTrouble(status >= 300 ? status : 307);
  }
  if (status !== 401 && status !== 403) return response;
  discard(response);
  const header = response.headers.get('www-authenticate') ?? '';
  const mayRenew = !isRetry && (status === 401 || header.includes('insufficient_scope'));
  if (!mayRenew || !(await wire.auth?.renew?.({ url: wire.url, status, header, token }))) throw statusTrouble(status);
  return send(wire, init, { headers, signal }, true);
}

/**
 * A browser does not say why a request failed: a request whose answer the page cannot read shows whether the server can be reached. Such a request
 * follows redirects, which a browser lets no page prevent, so it has no token, no cookie and no header of the page.
 */
async function diagnose({ fetch, url }: Wire, headers: readonly string[], cause: unknown): Promise<Trouble> {
  try {
    discard(await fetch(url, { mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer' }));
    return new Trouble('cors', { headers, cause });
  } catch {
    // Node's navigator has no `onLine`, or is missing.
    const isOnline = globalThis.navigator?.onLine ?? true;
    return new Trouble(isOnline ? 'unreachable' : 'offline', { cause });
  }
}

/** Cancels the rest of a response. */
function discard({ body }: Response): void {
  body?.cancel().catch(() => {});
}

function toBody({ maxBytes }: Wire, response: Response): Body {
  return { maxBytes, stream: response.body };
}

function mediaType(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';', 1).join('').trim().toLowerCase();
}

/** @throws Trouble `malformed` for the response to another request */
function checkId(message: JsonObject, id: JsonObject[string]): JsonObject {
  const isError = isJsonObject(message.error) && (message.id === undefined || message.id === null);
  if (message.id === id || isError) return message;
  throw new Trouble('malformed', { what: 'the response to another request' });
}

/** Times that a stream is continued without a new event. */
const maxResumes = 3;

/** Reads an event stream up to the response. The stream may be continued where it broke off. */
async function readStream(wire: Wire, body: Body, { id }: JsonObject, exchange: Exchange): Promise<JsonObject> {
  let last: string | undefined;
  let wait = 1_000;
  let current: Body | undefined = body;
  for (let resumes = 0; current !== undefined && resumes <= maxResumes; resumes += 1) {
    try {
      for await (const event of readEvents(current)) {
        if (event.id !== undefined) last = event.id;
        wait = Math.min(event.retry ?? wait, 30_000);
        if (event.data === '') continue;
        const message = parseMessage(event.data);
        // Messages with another id are not answers to this request.
        if (message.id === id && message.method === undefined) return message;
        if (typeof message.method === 'string') exchange.onMessage?.(message);
      }
    } catch (thrown) {
      exchange.signal.throwIfAborted();
      if (thrown instanceof Trouble) throw thrown;
    }
    if (!exchange.resumable || !last) break;
    await pause(wire, wait, exchange.signal);
    current = await openStream(wire, { ...exchange, headers: { ...exchange.headers, 'last-event-id': last } });
  }
  throw new Trouble('interrupted');
}

/** Waits. Rejects with the reason of the signal. */
export async function pause({ ports }: Pick<Wire, 'ports'>, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let abort = (): void => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const cancel = ports.delay(resolve, ms);
      abort = () => {
        cancel();
        reject(signal.reason instanceof Error ? signal.reason : new Error('Aborted.'));
      };
      signal.addEventListener('abort', abort);
    });
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
