import type { LLMClient } from 'brooklet';
import type { Vault, VaultState } from 'brooklet/keys';
import { withFallback, withRetry } from 'brooklet/llm';
import { BehaviorSubject, defer } from 'rxjs';
import type { Endpoint } from './endpoint.ts';
import { createLazyClient } from './lazyClient.ts';
import { readLocal, writeLocal } from './local.ts';
import type { Texts } from './texts/en/en.ts';
import { getTexts } from './texts/language.ts';

/** The chosen model. Contains only what may be shown and stored; never a key. */
export type Connection =
  | { readonly kind: 'offline' }
  /** The browser's built-in model. */
  | { readonly kind: 'browser' }
  | { readonly kind: 'model'; readonly endpoint: Endpoint }
  /** An endpoint whose key is stored, and has to be unlocked. Messages can be sent: the request fails, and waits for the key. */
  | { readonly kind: 'locked'; readonly endpoint: Endpoint }
  /** An endpoint whose key was in memory only, and was cleared by a reload. */
  | { readonly kind: 'keyless'; readonly endpoint: Endpoint };

/** The model that answers if the chosen model cannot. */
export type Fallback = 'none' | 'browser' | 'offline';

const storageKey = 'brooklet-studio:endpoint';
const fallbackKey = 'brooklet-studio:fallback';
/** Stored in place of an endpoint. */
const browserKind = 'browser';

const offlineClient = createLazyClient(async () => (await import('./offline/client.ts')).createOfflineClient());
const browserClient = createLazyClient(async () => (await import('./browserModel.ts')).browserModel);
let currentClient: LLMClient = offlineClient;
let loadingVault: Promise<Vault> | undefined;

/** Returns the name of the chosen model. */
export function nameOf(connection: Connection, { connection: words }: Texts = getTexts()): string {
  switch (connection.kind) {
    case 'offline':
      return words.offline;
    case 'browser':
      return words.browser;
    case 'model':
    case 'locked':
    case 'keyless':
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
      return words.keyLocked(new URL(connection.endpoint.baseURL).host);
    case 'keyless':
      return words.keyNeeded(new URL(connection.endpoint.baseURL).host);
  }
}

const subject = new BehaviorSubject<Connection>({ kind: 'offline' });
/** The chosen model. */
export const connection$ = subject.asObservable();
export const getConnection = (): Connection => subject.value;

/** The chosen model alone: no other one answers in its place. For small requests beside a conversation. */
export const chosenClient: LLMClient = { sendRequest: (request) => defer(() => currentClient.sendRequest(request)) };

/** A client is one method, so an agent can change clients during its life. This one retries, which `useChat` reports as `retrying`. */
const retrying = withRetry({ sendRequest: (request) => defer(() => currentClient.sendRequest(request)) });

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

/** The chosen model, then the fallback. */
const modelClient: LLMClient = {
  sendRequest: (request) =>
    defer(() => {
      const clients = { none: [], browser: [browserClient], offline: [offlineClient] }[getFallback()];
      return withFallback([retrying, ...clients]).sendRequest(request);
    }),
};

const interfaceClient = createLazyClient(async () => (await import('brooklet/mcp/apps')).withMCPApps(modelClient));

/** The client of the agent. A message with metadata may be that of a tool's interface, whose calls are made without the model. */
export const client: LLMClient = {
  sendRequest(request) {
    const { messages, promptId } = request;
    const hasMetadata = messages.some(({ id, metadata }) => metadata && id === promptId);
    return (hasMetadata ? interfaceClient : modelClient).sendRequest(request);
  },
};

/**
 * Creates a client for the endpoint. Without a new key the client uses the key that the vault has for the same origin.
 *
 * Rejects with AgentError `INVALID_CONFIG` for an invalid address.
 */
export async function createClient(endpoint: Endpoint, newKey = ''): Promise<LLMClient> {
  const { createClientOf } = await import('./settings/providers.ts');
  const { origin } = new URL(endpoint.baseURL);
  const stored = newKey === '' && endpoint.needsKey ? (await loadVault()).keyFor(origin) : newKey;
  return createClientOf(endpoint, stored === '' ? undefined : stored);
}

/** Loads the vault, and lets the connection follow what it has. */
function loadVault(): Promise<Vault> {
  return (loadingVault ??= import('./keys/vault.ts').then(
    ({ vault }) => {
      vault.state$.subscribe((state) => subject.next(withKeys(subject.value, state)));
      return vault;
    },
    (cause: unknown) => {
      loadingVault = undefined;
      throw cause;
    },
  ));
}

function withKeys(connection: Connection, { status, keys }: VaultState): Connection {
  if (!('endpoint' in connection) || !connection.endpoint.needsKey || status === 'opening') return connection;
  const { endpoint } = connection;
  const hasKey = keys.some(({ id }) => id === new URL(endpoint.baseURL).origin);
  const kind = hasKey ? (status === 'locked' ? 'locked' : 'model') : 'keyless';
  return kind === connection.kind ? connection : { kind, endpoint };
}

/**
 * Connects the agent to an endpoint, and adds a new key to the vault.
 *
 * Rejects with AgentError: `INVALID_CONFIG` for an invalid address, and `AUTHENTICATION_LOCKED` where the vault is locked and takes no key.
 */
export async function connect(endpoint: Endpoint, newKey = ''): Promise<void> {
  // Refuses an invalid address before the key is added.
  await createClient(endpoint, newKey);
  const { baseURL } = endpoint;
  if (newKey !== '') await (await loadVault()).add(new URL(baseURL).origin, newKey, { baseURL });
  writeLocal(storageKey, JSON.stringify(endpoint));
  await applyEndpoint(endpoint);
}

async function applyEndpoint(endpoint: Endpoint): Promise<void> {
  setClient(
    createLazyClient(() => createClient(endpoint)),
    { kind: 'model', endpoint },
  );
  if (!endpoint.needsKey) return;
  const vault = await loadVault();
  subject.next(withKeys(subject.value, vault.getState()));
}

function setClient(client: LLMClient, connection: Connection): void {
  currentClient = client;
  subject.next(connection);
}

/** Connects the agent to the browser's built-in model. */
export function connectBrowserModel(): void {
  writeLocal(storageKey, JSON.stringify(browserKind));
  setClient(browserClient, { kind: 'browser' });
}

/** Connects the agent to the offline model. */
export function disconnect(): void {
  writeLocal(storageKey, undefined);
  setClient(offlineClient, { kind: 'offline' });
}

/** Restores the connection after a reload. */
export function restoreConnection(): void {
  if (readLocal(storageKey) === JSON.stringify(browserKind)) connectBrowserModel();
  const endpoint = readEndpoint();
  // Without the code of the vault the first request reports that it cannot be loaded.
  if (endpoint) applyEndpoint(endpoint).catch(() => {});
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
