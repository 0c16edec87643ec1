import { AgentError, type LLMClient } from 'brooklet';
import { withFallback, withRetry } from 'brooklet/llm';
import { BehaviorSubject, defer, throwError } from 'rxjs';
import { createLazyClient } from './lazyClient.ts';
import { readLocal, writeLocal } from './local.ts';
import type { Texts } from './texts/en.ts';
import { getTexts } from './texts/language.ts';

/** A model at an address. The key is not part of the endpoint: see `keyFor`. */
export interface Endpoint {
  /** Which provider of the package speaks there: see `settings/providers.ts`. */
  readonly providerId: string;
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

const offlineClient = createLazyClient(async () => (await import('./offline/client.ts')).createOfflineClient());
const browserClient = createLazyClient(async () => (await import('./browserModel.ts')).browserModel);
let currentClient: LLMClient = offlineClient;
/** The only place that contains a key, bound to the origin for which the user typed the key. */
let secret: { readonly origin: string; readonly key: string } | undefined;

/** Returns the name of the chosen model. */
export function nameOf(connection: Connection, { connection: words }: Texts = getTexts()): string {
  switch (connection.kind) {
    case 'offline':
      return words.offline;
    case 'browser':
      return words.browser;
    case 'model':
    case 'locked':
      return connection.endpoint.model || words.defaultModel;
  }
}

/** Returns where the chosen model runs. */
export function describeHost(connection: Connection, { connection: words }: Texts = getTexts()): string {
  switch (connection.kind) {
    case 'offline':
      return words.offlineHost;
    case 'browser':
      return words.browserHost;
    case 'model':
      return new URL(connection.endpoint.baseURL).host;
    case 'locked':
      return words.keyNeeded(new URL(connection.endpoint.baseURL).host);
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
      const clients = { none: [], browser: [browserClient], offline: [offlineClient] }[getFallback()];
      return withFallback([retrying, ...clients]).sendRequest(request);
    }),
};

/**
 * Creates a client for the endpoint. Without a new key the client uses the key that was typed for the same origin before.
 *
 * Rejects with AgentError `INVALID_CONFIG` for an invalid address.
 */
export async function createClient(endpoint: Endpoint, newKey = ''): Promise<LLMClient> {
  const { createClientOf } = await import('./settings/providers.ts');
  return createClientOf(endpoint, newKey || keyFor(endpoint.baseURL));
}

/**
 * Connects the agent to an endpoint.
 *
 * Rejects with AgentError `INVALID_CONFIG` for an invalid address.
 */
export async function connect(endpoint: Endpoint, newKey = ''): Promise<void> {
  const client = await createClient(endpoint, newKey);
  const key = newKey || keyFor(endpoint.baseURL);
  secret = key === undefined ? undefined : { origin: new URL(endpoint.baseURL).origin, key };
  writeLocal(storageKey, JSON.stringify(endpoint));
  setClient(client, { kind: 'model', endpoint, ...(key !== undefined && { keyEnd: key.slice(-4) }) });
}

function setClient(client: LLMClient, connection: Connection): void {
  currentClient = client;
  subject.next(connection);
}

/** Connects the agent to the browser's built-in model, and clears the key. */
export function connectBrowserModel(): void {
  secret = undefined;
  writeLocal(storageKey, JSON.stringify(browserKind));
  setClient(browserClient, { kind: 'browser' });
}

/** Connects the agent to the offline model, and clears the key. */
export function disconnect(): void {
  secret = undefined;
  writeLocal(storageKey, undefined);
  setClient(offlineClient, { kind: 'offline' });
}

/** Whether a key for this address is in memory. */
export function hasKeyFor(baseURL: string): boolean {
  return keyFor(baseURL) !== undefined;
}

/** Returns the key that was typed for this origin, for requests to this origin only. */
export function keyFor(baseURL: string): string | undefined {
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
    const client = createLazyClient(() => createClient(endpoint));
    setClient(client, { kind: 'model', endpoint });
    return;
  }
  const { host } = new URL(endpoint.baseURL);
  const locked = { sendRequest: () => throwError(() => toLocked(host)) };
  setClient(locked, { kind: 'locked', endpoint });
}

function toLocked(host: string): AgentError {
  return new AgentError(getTexts().connection.locked(host), { code: 'AUTHENTICATION_FAILED' });
}

function readEndpoint(): Endpoint | undefined {
  try {
    const value: unknown = JSON.parse(readLocal(storageKey) ?? 'null');
    const endpoint = value instanceof Object ? { providerId: 'custom', ...value } : value;
    return isEndpoint(endpoint) && URL.canParse(endpoint.baseURL) ? endpoint : undefined;
  } catch {
    return undefined;
  }
}

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' &&
    value !== null &&
    'providerId' in value &&
    typeof value.providerId === 'string' &&
    'baseURL' in value &&
    typeof value.baseURL === 'string' &&
    'model' in value &&
    typeof value.model === 'string' &&
    'needsKey' in value &&
    typeof value.needsKey === 'boolean'
  );
}
