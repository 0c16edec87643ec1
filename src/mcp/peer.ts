import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import { lazy } from '../core/lazy.ts';
import { statusTrouble, Trouble } from './errors.ts';
import { type Answer, type Dressed, post, type Wire } from './wire.ts';
import { capabilities, errorCodes, metaKeys, sessionVersions, statelessVersion } from './versions.ts';

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

/** A server with which a revision of the protocol has been agreed. */
export interface Peer {
  readonly version: string;
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject;
  readonly instructions: string;
  /** Resolves with the result. Rejects with MCPError, `refused` for an error of the protocol. */
  request(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject>;
  /** Reads the notifications that belong to no request, until the signal aborts or the server has no such stream. */
  listen(onNotification: (method: string) => void, signal: AbortSignal): Promise<void>;
  close(): void;
}

const client: JsonObject = { name: 'brooklet', version: '1' };
let lastId = 0;

const sentences = lazy(() => import('./explain.ts'));

/** Gives errors their sentences. */
async function explained<T>({ host }: Wire, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw thrown instanceof Trouble ? (await sentences()).explain(host, thrown) : thrown;
  }
}

/** Agrees on a revision with a server: the stateless one first, then those with a session. Rejects with MCPError. */
export function connectPeer(wire: Wire, signal?: AbortSignal): Promise<Peer> {
  return explained(wire, negotiate(wire, signal));
}

async function negotiate(wire: Wire, signal: AbortSignal | undefined): Promise<Peer> {
  const discovered = await probe(wire, signal);
  if (discovered) return createPeer(wire, statelessVersion, discovered);
  const initialized = await initialize(wire, signal);
  return createPeer(wire, toText(initialized.result.protocolVersion), initialized.result, initialized.session);
}

/** Returns the description of a server of the stateless revision, `undefined` for a server that knows an older one only. */
async function probe(wire: Wire, signal: AbortSignal | undefined): Promise<JsonObject | undefined> {
  let answer: Answer;
  try {
    answer = await exchange(wire, stateless, 'server/discover', {}, { signal });
  } catch (thrown) {
    // The CORS rules of an older server may not list the headers of this revision.
    if (thrown instanceof Trouble && (thrown.problem === 'cors' || thrown.problem === 'unreachable')) return undefined;
    throw thrown;
  }
  const { error, result } = answer.message ?? {};
  const supported = isJsonObject(error) ? toObject(error.data).supported : toObject(result).supportedVersions;
  if (Array.isArray(supported)) {
    if (isJsonObject(result) && supported.includes(statelessVersion)) return result;
    if (!supported.some((version: Json) => sessionVersions.includes(toText(version))))
      throw new Trouble('version', { what: supported.join(', ') });
  }
  if (answer.message === undefined && answer.status >= 500) throw statusTrouble(answer.status, answer.type);
  return undefined;
}

interface Session {
  readonly result: JsonObject;
  readonly session: string | undefined;
}

async function initialize(wire: Wire, signal: AbortSignal | undefined): Promise<Session> {
  const [protocolVersion = ''] = sessionVersions;
  const params = { protocolVersion, capabilities, clientInfo: client };
  const answer = await exchange(wire, withSession(undefined, undefined), 'initialize', params, { signal });
  const result = resultOf(answer);
  const version = toText(result.protocolVersion);
  if (!sessionVersions.includes(version)) throw new Trouble('version', { what: version });
  const session = answer.header('mcp-session-id') ?? undefined;
  const headers = withSession(version, session)('', {});
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  await post(wire, notification, { headers: headers.headers, signal: signal ?? new AbortController().signal });
  return { result, session };
}

/** How a revision dresses a request. */
type Dress = (method: string, params: JsonObject) => Dressed;

const stateless: Dress = (method, params) => ({
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

const withSession =
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

/** Answers a request of a server with a session. A request that nobody answers is refused. */
function respond(
  wire: Wire,
  headers: Dressed['headers'],
  message: JsonObject,
  onRequest: RequestOptions['onRequest'],
): void {
  const { method, id } = message;
  if (id === undefined || method === undefined) return;
  const reply = (content: JsonObject): void => {
    post(wire, { jsonrpc: '2.0', id, ...content }, { headers, signal: wire.closing }).catch(() => {});
  };
  const work = method === 'ping' ? Promise.resolve({}) : onRequest?.(toText(method), toObject(message.params));
  if (work) work.then((result) => reply({ result })).catch(() => {});
  else reply({ error: { code: errorCodes.methodNotFound, message: 'This client does not support the request.' } });
}

/** Sends one request. On an abort the connection is closed; a server with a session is notified, too. */
async function exchange(
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

const lostSession = ' (If it uses sessions, its owner must answer with Access-Control-Expose-Headers: mcp-session-id.)';

/** @throws Trouble */
function resultOf({ message, status, type }: Answer, hint = ''): JsonObject {
  const { result, error } = message ?? {};
  if (isJsonObject(result)) return result;
  if (!isJsonObject(error)) throw statusTrouble(status, type);
  const { code, data } = error;
  if (code === errorCodes.unsupportedVersion)
    throw new Trouble('version', { what: toList(toObject(data).supported).map(toText).join(', ') });
  const rpcCode = typeof code === 'number' ? code : undefined;
  throw new Trouble('refused', { what: toText(error.message) + (status === 400 ? hint : ''), status, rpcCode, data });
}

/** What a page is told of. */
const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

function createPeer(wire: Wire, version: string, description: JsonObject, firstSession?: string): Peer {
  const isStateless = version === statelessVersion;
  let session = firstSession;
  const dress = (): Dress => (isStateless ? stateless : withSession(version, session));

  /** What answers the server, one for each call under way. */
  const answering = new Set<RequestOptions['onRequest']>();

  async function request(
    method: string,
    params: JsonObject,
    options: RequestOptions = {},
    isRetry = false,
  ): Promise<JsonObject> {
    const used = session;
    if (options.onRequest) answering.add(options.onRequest);
    const answer = await exchange(wire, dress(), method, params, options, isStateless).finally(() =>
      answering.delete(options.onRequest),
    );
    // The server has forgotten the session, and has not seen the request.
    if (!isStateless && answer.status === 404 && used !== undefined && !isRetry) {
      if (session === used) ({ session } = await initialize(wire, options.signal));
      return request(method, params, options, true);
    }
    return resultOf(answer, isStateless || used !== undefined ? '' : lostSession);
  }

  return {
    version,
    capabilities: toObject(description.capabilities),
    serverInfo: toObject(description.serverInfo ?? toObject(description._meta)[metaKeys.server]),
    instructions: toText(description.instructions),
    request: (method, params, options) => explained(wire, request(method, params, options)),
    async listen(onNotification, signal) {
      const { listen } = await import('./listen.ts');
      const onMessage = (message: JsonObject): void => {
        if (message.id === undefined) return onNotification(toText(message.method));
        // The request names no call: only where one call is under way it is known which call it belongs to.
        const [only] = answering.size === 1 ? answering : [];
        respond(wire, dress()('', {}).headers, message, only);
      };
      await listen(wire, () => dress()('subscriptions/listen', { notifications }), onMessage, signal);
    },
    close() {
      if (session === undefined) return;
      const { headers } = withSession(version, session)('', {});
      wire.fetch(wire.url, { method: 'DELETE', headers, credentials: 'omit' }).catch(() => {});
    },
  };
}
