import type { Vault, VaultState } from 'brooklet/keys';
import type { ReadyKey } from 'brooklet/ui';
import { BehaviorSubject, distinctUntilChanged, from, of, switchMap } from 'rxjs';
import type { Endpoint } from './endpoint.ts';
import { health } from './health.ts';
import { readLocal, writeLocal } from '../base/local.ts';
import type { Texts } from '../texts/en/en.ts';
import { getTexts } from '../texts/language.ts';

/** The chosen model. Contains only what may be shown and stored; never a key. */
export type Connection =
  | { readonly kind: 'offline' }
  /** The browser's built-in model. */
  | { readonly kind: 'browser' }
  | { readonly kind: 'model'; readonly endpoint: Endpoint }
  /** An endpoint whose key is stored, and has to be unlocked. Messages can be sent: the request fails, and waits for the key. */
  | { readonly kind: 'locked'; readonly endpoint: Endpoint }
  /** An endpoint whose key this tab does not have. `wasCleared`: it had one before a reload. */
  | { readonly kind: 'keyless'; readonly endpoint: Endpoint; readonly wasCleared: boolean };

/** The model that answers if the chosen model cannot. */
export type Fallback = 'none' | 'browser' | 'offline';

const storageKey = 'brooklet-studio:endpoint';
const fallbackKey = 'brooklet-studio:fallback';
/** Stored in place of an endpoint. */
const browserKind = 'browser';

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

/** By origin: keys of this tab that the vault does not have, because it stores what it has. */
const ownKeys = new Map<string, ReadyKey>();

/** Returns the key for an address that is in this tab only, and not in the vault. */
export const ownKeyOf = (baseURL: string): ReadyKey | undefined =>
  URL.canParse(baseURL) ? ownKeys.get(new URL(baseURL).origin) : undefined;

let releaseElsewhere: ((origin: string) => Promise<string>) | undefined;

/** In a worker: uses what a page has chosen, and its keys. */
export function followPage(
  connection: Connection,
  fallback: Fallback,
  release: (origin: string) => Promise<string>,
): void {
  releaseElsewhere = release;
  fallbackSubject.next(fallback);
  subject.next(connection);
}

/** Emits whether the key of the chosen model is locked. */
const locked$ = subject.pipe(
  switchMap((connection) => {
    if (!('endpoint' in connection)) return of(false);
    const { origin } = new URL(connection.endpoint.baseURL);
    if (ownKeys.has(origin)) return of(false);
    return from(loadVault()).pipe(switchMap((vault) => vault.keyFor(origin).locked$));
  }),
  distinctUntilChanged(),
);

/** Releases the key for an address: that of this tab, else that of the vault. */
export const releaseKey = Object.assign(
  async (origin: string): Promise<string> => {
    if (releaseElsewhere) return releaseElsewhere(origin);
    const { apiKey = (await loadVault()).keyFor(origin) } = ownKeys.get(origin) ?? {};
    return apiKey(origin);
  },
  { locked$ },
);

/** Loads the vault, and lets the connection follow what it has. */
function loadVault(): Promise<Vault> {
  return (loadingVault ??= import('../keys/vault.ts').then(
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
  const { origin } = new URL(endpoint.baseURL);
  const isUsable = ownKeys.has(origin) || (status !== 'locked' && keys.some(({ id }) => id === origin));
  if (isUsable) {
    noteKey(status === 'memory' || ownKeys.has(origin));
    return connection.kind === 'model' ? connection : { kind: 'model', endpoint };
  }
  if (keys.some(({ id }) => id === origin))
    return connection.kind === 'locked' ? connection : { kind: 'locked', endpoint };
  return connection.kind === 'keyless' ? connection : { kind: 'keyless', endpoint, wasCleared: hadKey() };
}

/** In sessionStorage, which a reload keeps and a new tab does not have: whether this tab has had a key in its memory. */
const hadKeyName = 'brooklet-studio:had-key';

function noteKey(isInMemory: boolean): void {
  try {
    if (isInMemory) sessionStorage.setItem(hadKeyName, '1');
    else sessionStorage.removeItem(hadKeyName);
  } catch {
    // Then no reload is mentioned.
  }
}

function hadKey(): boolean {
  try {
    return sessionStorage.getItem(hadKeyName) !== null;
  } catch {
    return false;
  }
}

/** Chooses the model of an endpoint, whose key is in the vault, or `own`: in this tab only. */
export async function connect(
  endpoint: Endpoint,
  { own, isTested = false }: { readonly own?: ReadyKey | undefined; readonly isTested?: boolean } = {},
): Promise<void> {
  const { origin } = new URL(endpoint.baseURL);
  if (own) ownKeys.set(origin, own);
  else ownKeys.delete(origin);
  health.change(() => (isTested ? 'works' : 'unknown'));
  writeLocal(storageKey, JSON.stringify(endpoint));
  await applyEndpoint(endpoint);
}

/** Forgets a key of this tab. */
export function forgetKey(baseURL: string): void {
  ownKeys.delete(new URL(baseURL).origin);
  void loadVault().then((vault) => subject.next(withKeys(subject.value, vault.getState())));
}

async function applyEndpoint(endpoint: Endpoint): Promise<void> {
  // Until the vault is loaded: a request waits for it.
  subject.next({ kind: 'model', endpoint });
  if (!endpoint.needsKey) return;
  const vault = await loadVault();
  subject.next(withKeys(subject.value, vault.getState()));
}

/** Chooses the browser's built-in model. */
export function connectBrowserModel(): void {
  writeLocal(storageKey, JSON.stringify(browserKind));
  subject.next({ kind: 'browser' });
}

/** Chooses the offline model. */
export function disconnect(): void {
  writeLocal(storageKey, undefined);
  subject.next({ kind: 'offline' });
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
