import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import { statusTrouble, Trouble } from './errors.ts';
import { type Answer, type Dressed, post, type Wire } from './wire.ts';
import { errorCodes, metaKeys, statelessVersion } from './versions.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Receives `notifications/progress` of this request. */
  readonly onProgress?: ((progress: JsonObject) => void) | undefined;
  /** Answers a request of the server within this request (revisions with a session). Default: refused. */
  readonly onRequest?: ((method: string, params: JsonObject) => Promise<Json> | undefined) | undefined;
  /** Further headers of the stateless revision. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** ms. Default: 30,000; `Infinity`: none. */
  readonly timeout?: number;
}

export const client: JsonObject = { name: 'brooklet', version: '1' };
let lastId = 0;

/** How a revision forms a request. */
export type Dress = (method: string, params: JsonObject) => Dressed;

export const stateless =
  (capabilities: JsonObject): Dress =>
  (method, params) => ({
    params: {
      ...params,
      _meta: {
        ...toObject(params._meta),
        [metaKeys.version]: statelessVersion,
        [metaKeys.client]: client,
        [metaKeys.capabilities]: capabilities,
      },
    },
    headers: {
      'mcp-protocol-version': statelessVersion,
      'mcp-method': method,
      ...(method === 'tools/call' || method === 'prompts/get' ? { 'mcp-name': headerValue(toText(params.name)) } : {}),
      ...(method === 'resources/read' ? { 'mcp-name': headerValue(toText(params.uri)) } : {}),
    },
  });

export const withSession =
  (version: string | undefined, session: string | undefined): Dress =>
  (_method, params) => ({
    params,
    headers: {
      ...(version ? { 'mcp-protocol-version': version } : {}),
      ...(session ? { 'mcp-session-id': session } : {}),
    },
  });

/** Encodes a value as the protocol requires for headers. */
export function headerValue(value: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  if (isPlain) return value;
  return `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}?=`;
}

/** Answers that are on their way to one server at a time. Further requests get no answer: each answer is a request of its own. */
const maxAnswers = 16;
const answersOf = new WeakMap<Wire, number>();

/** Answers a request of a server with a session. A request without a handler is refused. */
export function respond(
  wire: Wire,
  headers: Dressed['headers'],
  message: JsonObject,
  onRequest: RequestOptions['onRequest'],
): void {
  const { method, id } = message;
  if (id === undefined || method === undefined) return;
  const reply = (content: JsonObject): void => {
    const open = answersOf.get(wire) ?? 0;
    if (open >= maxAnswers) return;
    answersOf.set(wire, open + 1);
    post(wire, { jsonrpc: '2.0', id, ...content }, { headers, signal: wire.closing })
      .catch(() => {})
      .finally(() => answersOf.set(wire, (answersOf.get(wire) ?? 1) - 1));
  };
  const work = method === 'ping' ? Promise.resolve({}) : onRequest?.(toText(method), toObject(message.params));
  if (work) work.then((result) => reply({ result })).catch(() => {});
  else reply({ error: { code: errorCodes.methodNotFound, message: 'This client does not support the request.' } });
}

/** Sends one request. On an abort the connection is closed; a server with a session is notified, too. */
export async function exchange(
  wire: Wire,
  dress: Dress,
  method: string,
  given: JsonObject,
  { signal, onProgress, onRequest, headers: more, timeout = 30_000 }: RequestOptions,
  isStateless = true,
): Promise<Answer> {
  const id = (lastId += 1);
  const { params, headers } = dress(method, onProgress ? { ...given, _meta: { progressToken: id } } : given);
  const controller = new AbortController();
  const late = new Trouble('timeout', { what: method, limit: timeout });
  const cancelTimer = timeout === Infinity ? undefined : wire.ports.delay(() => controller.abort(late), timeout);
  const abort = (): void => controller.abort(signal?.reason);
  const close = (): void => controller.abort(wire.closing.reason);
  if (signal?.aborted) abort();
  if (wire.closing.aborted) close();
  signal?.addEventListener('abort', abort);
  wire.closing.addEventListener('abort', close);
  const onMessage = (message: JsonObject): void => {
    const progress = toObject(message.params);
    if (message.method === 'notifications/progress' && progress.progressToken === id) onProgress?.(progress);
    if (!isStateless) respond(wire, headers, message, onRequest);
  };
  try {
    const request = { jsonrpc: '2.0', id, method, params };
    const options = {
      headers: { ...headers, ...(isStateless ? more : {}) },
      signal: controller.signal,
      onMessage,
      resumable: !isStateless,
    };
    return await post(wire, request, options);
  } catch (thrown) {
    if (controller.signal.aborted && !isStateless) {
      const cancelled = { requestId: id, reason: 'The person or the page cancelled the request.' };
      post(
        wire,
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled },
        { headers, signal: new AbortController().signal },
      ).catch(() => {});
    }
    throw controller.signal.reason === late ? late : thrown;
  } finally {
    cancelTimer?.();
    signal?.removeEventListener('abort', abort);
    wire.closing.removeEventListener('abort', close);
  }
}

/** @throws Trouble */
export function resultOf({ message, status, type }: Answer, hint = ''): JsonObject {
  const { result, error } = message ?? {};
  if (isJsonObject(result)) return result;
  if (!isJsonObject(error)) throw statusTrouble(status, type);
  const { code, data } = error;
  if (code === errorCodes.unsupportedVersion)
    throw new Trouble('version', { what: toList(toObject(data).supported).map(toText).join(', ') });
  const rpcCode = typeof code === 'number' ? code : undefined;
  throw new Trouble('refused', { what: toText(error.message) + (status === 400 ? hint : ''), status, rpcCode, data });
}
