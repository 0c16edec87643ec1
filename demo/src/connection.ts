import { AgentError, createChatCompletionsClient, type LLMClient } from 'brooklet';
import { createBuiltInClient, withFallback, withRetry } from 'brooklet/llm';
import { BehaviorSubject, defer, throwError } from 'rxjs';
import { readLocal, writeLocal } from './local.ts';
import { createOfflineClient } from './offline/client.ts';

/** A model behind an address. Its key is not part of it: see `keyFor`. */
export interface Endpoint {
  readonly baseURL: string;
  readonly model: string;
  readonly needsKey: boolean;
}

/** Who answers. Everything that may be shown and remembered; never a key. */
export type Connection =
  | { readonly kind: 'offline' }
  /** The browser's own model. */
  | { readonly kind: 'browser' }
  /** `keyEnd`: the last four characters of the key. */
  | { readonly kind: 'model'; readonly endpoint: Endpoint; readonly keyEnd?: string }
  /** Chosen before a reload, which forgot the key. */
  | { readonly kind: 'locked'; readonly endpoint: Endpoint };

/** Who answers where the first one cannot. */
export type StandIn = 'none' | 'browser' | 'offline';

const storageKey = 'brooklet-studio:endpoint';
const standInKey = 'brooklet-studio:stand-in';
/** Stands in the place of an endpoint. */
const browserKind = 'browser';

const offlineClient = createOfflineClient();
/** Small models do better without tools than with none of their answers: where the browser offers none, they are left out. */
export const browserModel = createBuiltInClient({ languages: ['en'], omitTools: true });
let currentClient: LLMClient = offlineClient;
/** The only place where a key is: this variable, bound to the origin it was typed for. */
let secret: { readonly origin: string; readonly key: string } | undefined;

/** Who answers, in a few words. */
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
export const connection$ = subject.asObservable();
export const getConnection = (): Connection => subject.value;

/** A client is one method, so changing clients under a running agent is one line. It asks again, and tells so: `retries$`. */
export const retrying = withRetry({ sendRequest: (request) => defer(() => currentClient.sendRequest(request)) });

const standInSubject = new BehaviorSubject<StandIn>(toStandIn(readLocal(standInKey)));
export const standIn$ = standInSubject.asObservable();
export const getStandIn = (): StandIn => standInSubject.value;

export function setStandIn(choice: StandIn): void {
  writeLocal(standInKey, choice === 'none' ? undefined : choice);
  standInSubject.next(choice);
}

function toStandIn(text: string | null): StandIn {
  return text === 'browser' || text === 'offline' ? text : 'none';
}

/** What the agent asks: the chosen model, and the stand-in after it. */
export const client: LLMClient = {
  sendRequest: (request) =>
    defer(() => {
      const clients = { none: [], browser: [browserModel], offline: [offlineClient] }[getStandIn()];
      return withFallback([retrying, ...clients]).sendRequest(request);
    }),
};

/** A client for the endpoint; without a new key, with the one that was typed for its origin before. */
export function createClient({ baseURL, model }: Endpoint, newKey = ''): LLMClient {
  const apiKey = newKey || keyFor(baseURL);
  return createChatCompletionsClient({ baseURL, model, ...(apiKey !== undefined && { apiKey }) });
}

/** @throws AgentError `INVALID_CONFIG` for an address that will not do */
export function connect(endpoint: Endpoint, newKey = ''): void {
  currentClient = createClient(endpoint, newKey);
  const key = newKey || keyFor(endpoint.baseURL);
  secret = key === undefined ? undefined : { origin: new URL(endpoint.baseURL).origin, key };
  writeLocal(storageKey, JSON.stringify(endpoint));
  subject.next({ kind: 'model', endpoint, ...(key !== undefined && { keyEnd: key.slice(-4) }) });
}

/** The browser's own model answers from now on. Keys are forgotten. */
export function connectBrowserModel(): void {
  currentClient = browserModel;
  secret = undefined;
  writeLocal(storageKey, JSON.stringify(browserKind));
  subject.next({ kind: 'browser' });
}

/** Back to the script. The key is forgotten. */
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

/** Takes up what was chosen before the reload; an endpoint that needs a key waits for it. */
export function restoreConnection(): void {
  if (readLocal(storageKey) === JSON.stringify(browserKind)) {
    connectBrowserModel();
    return;
  }
  const endpoint = rememberedEndpoint();
  if (!endpoint) return;
  if (!endpoint.needsKey) {
    connect(endpoint);
    return;
  }
  const { host } = new URL(endpoint.baseURL);
  const locked = new AgentError(`The key for ${host} was forgotten with the reload. Enter it again in Settings.`, {
    code: 'AUTHENTICATION_FAILED',
  });
  currentClient = { sendRequest: () => throwError(() => locked) };
  subject.next({ kind: 'locked', endpoint });
}

function rememberedEndpoint(): Endpoint | undefined {
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
