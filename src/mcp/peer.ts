import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { toObject, toText } from '../core/model/read-json.ts';
import { statusTrouble, Trouble } from './errors.ts';
import {
  client,
  type Dress,
  exchange,
  type RequestOptions,
  respond,
  resultOf,
  stateless,
  withSession,
} from './exchange.ts';
import { type Answer, endSession, post, type Wire } from './wire.ts';
import { metaKeys, sessionVersions, statelessVersion } from './versions.ts';
import { explain } from './explain.ts';
import { listen } from './listen.ts';

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

/** Adds the messages to errors. */
async function explained<T>({ host }: Wire, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw thrown instanceof Trouble ? explain(host, thrown) : thrown;
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
    answer = await exchange(wire, stateless(wire.capabilities), 'server/discover', {}, { signal });
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
  const params = { protocolVersion, capabilities: wire.capabilities, clientInfo: client };
  const answer = await exchange(wire, withSession(undefined, undefined), 'initialize', params, { signal });
  const result = resultOf(answer);
  const version = toText(result.protocolVersion);
  if (!sessionVersions.includes(version)) throw new Trouble('version', { what: version });
  const session = answer.header('mcp-session-id') ?? undefined;
  const { headers } = withSession(version, session)('', {});
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  await post(wire, notification, { headers, signal: signal ?? new AbortController().signal });
  return { result, session };
}

const lostSession = ' (A server with sessions must answer with Access-Control-Expose-Headers: mcp-session-id.)';

/** What a page is notified of. */
const notifications = { toolsListChanged: true };

function createPeer(wire: Wire, version: string, description: JsonObject, firstSession?: string): Peer {
  const isStateless = version === statelessVersion;
  let session = firstSession;
  const dress: Dress = (method, params) =>
    isStateless ? stateless(wire.capabilities)(method, params) : withSession(version, session)(method, params);

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
    const answer = await exchange(wire, dress, method, params, options, isStateless).finally(() =>
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
      const onMessage = (message: JsonObject): void => {
        if (message.id === undefined) return onNotification(toText(message.method));
        // The request names no call: only where one call is under way it is known which call it belongs to.
        const [only] = answering.size === 1 ? answering : [];
        respond(wire, dress('', {}).headers, message, only);
      };
      const source = { isStateless, request: () => dress('subscriptions/listen', { notifications }), onMessage };
      await listen(wire, source, signal);
    },
    close() {
      if (session === undefined) return;
      endSession(wire, dress('', {}).headers).catch(() => {});
    },
  };
}
