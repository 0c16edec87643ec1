import { AgentError, createChatCompletionsClient, type LLMClient } from 'brooklet';
import { createBuiltInClient, withFallback, withRetry } from 'brooklet/llm';
import { BehaviorSubject, defer, throwError } from 'rxjs';
import { readLocal, writeLocal } from './local.ts';
import { createOfflineClient } from './offline/client.ts';

/** A model at an address. The key is not part of the endpoint: see `keyFor`. */
export interface Endpoint {
  readonly baseURL: string;
  readonly model: string;
  readonly needsKey: boolean;
}

/** The chosen model. Contains only what may be shown and stored; never a key. */
export type Connection =
  | { readonly kind: 'offline' }
  /** The browser's built-in model. */
  | { readonly kind: 'browser' }
  /** `keyEnd`: the last four characters of the key. */
  | { readonly kind: 'model'; readonly endpoint: Endpoint; readonly keyEnd?: string }
  /** An endpoint that was chosen before a reload; the reload cleared its key. */
  | { readonly kind: 'locked'; readonly endpoint: Endpoint };

/** The model that answers if the chosen model cannot. */
export type Fallback = 'none' | 'browser' | 'offline';

const storageKey = 'brooklet-studio:endpoint';
const fallbackKey = 'brooklet-studio:fallback';
/** Stored in place of an endpoint. */
const browserKind = 'browser';

const offlineClient = createOfflineClient();
/** Where the browser's model supports no tools, requests go without tools: an answer without tools is better than none. */
export const browserModel = createBuiltInClient({ languages: ['en'], omitTools: true });
let currentClient: LLMClient = offlineClient;
/** The only place that contains a key, bound to the origin for which the user typed the key. */
let secret: { readonly origin: string; readonly key: string } | undefined;

/** Returns the name of the chosen model. */
export function nameOf(connection: Connection): string {
  switch (connection.kind) {
    case 'offline':
      return 'Offline demo model';
    case 'browser':
      return 'This browser’s model';
    case 'model':
    case 'locked':
      return connection.endpoint.model || 'Default model';
  }
}

const subject = new BehaviorSubject<Connection>({ kind: 'offline' });
/** The chosen model. */
export const connection$ = subject.asObservable();
export const getConnection = (): Connection => subject.value;

/** A client is one method, so an agent can change clients during its life. This one retries; `retries$` reports the retries. */
export const retrying = withRetry({ sendRequest: (request) => defer(() => currentClient.sendRequest(request)) });

const fallbackSubject = new BehaviorSubject<Fallback>(toFallback(readLocal(fallbackKey)));
export const fallback$ = fallbackSubject.asObservable();
export const getFallback = (): Fallback => fallbackSubject.value;

export function setFallback(choice: Fallback): void {
  writeLocal(fallbackKey, choice === 'none' ? undefined : choice);
  fallbackSubject.next(choice);
}

function toFallback(text: string | null): Fallback {
  return text === 'browser' || text === 'offline' ? text : 'none';
}

/** The client of the agent: the chosen model, then the fallback. */
export const client: LLMClient = {
  sendRequest: (request) =>
    defer(() => {
      const clients = { none: [], browser: [browserModel], offline: [offlineClient] }[getFallback()];
      return withFallback([retrying, ...clients]).sendRequest(request);
    }),
};

/** Creates a client for the endpoint. Without a new key the client uses the key that was typed for the same origin before. */
export function createClient({ baseURL, model }: Endpoint, newKey = ''): LLMClient {
  const apiKey = newKey || keyFor(baseURL);
  return createChatCompletionsClient({ baseURL, model, ...(apiKey !== undefined && { apiKey }) });
}

/**
 * Connects the agent to an endpoint.
 *
 * @throws AgentError `INVALID_CONFIG` for an invalid address
 */
export function connect(endpoint: Endpoint, newKey = ''): void {
  currentClient = createClient(endpoint, newKey);
  const key = newKey || keyFor(endpoint.baseURL);
  secret = key === undefined ? undefined : { origin: new URL(endpoint.baseURL).origin, key };
  writeLocal(storageKey, JSON.stringify(endpoint));
  subject.next({ kind: 'model', endpoint, ...(key !== undefined && { keyEnd: key.slice(-4) }) });
}

/** Connects the agent to the browser's built-in model, and clears the key. */
export function connectBrowserModel(): void {
  currentClient = browserModel;
  secret = undefined;
  writeLocal(storageKey, JSON.stringify(browserKind));
  subject.next({ kind: 'browser' });
}

/** Connects the agent to the offline model, and clears the key. */
export function disconnect(): void {
  currentClient = offlineClient;
  secret = undefined;
  writeLocal(storageKey, undefined);
  subject.next({ kind: 'offline' });
}

/** Whether a key for this address is in memory. */
export function hasKeyFor(baseURL: string): boolean {
  return keyFor(baseURL) !== undefined;
}

function keyFor(baseURL: string): string | undefined {
  return secret !== undefined && URL.canParse(baseURL) && new URL(baseURL).origin === secret.origin
    ? secret.key
    : undefined;
}

/** Restores the connection after a reload. An endpoint that needs a key stays locked until the user types the key again. */
export function restoreConnection(): void {
  if (readLocal(storageKey) === JSON.stringify(browserKind)) {
    connectBrowserModel();
    return;
  }
  const endpoint = readEndpoint();
  if (!endpoint) return;
  if (!endpoint.needsKey) {
    connect(endpoint);
    return;
  }
  const { host } = new URL(endpoint.baseURL);
  const locked = new AgentError(`The reload cleared the key for ${host}. Enter it again in Settings.`, {
    code: 'AUTHENTICATION_FAILED',
  });
  currentClient = { sendRequest: () => throwError(() => locked) };
  subject.next({ kind: 'locked', endpoint });
}

function readEndpoint(): Endpoint | undefined {
  try {
    const value: unknown = JSON.parse(readLocal(storageKey) ?? 'null');
    return isEndpoint(value) && URL.canParse(value.baseURL) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' &&
    value !== null &&
    'baseURL' in value &&
    typeof value.baseURL === 'string' &&
    'model' in value &&
    typeof value.model === 'string' &&
    'needsKey' in value &&
    typeof value.needsKey === 'boolean'
  );
}
