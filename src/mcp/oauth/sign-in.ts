import { toAgentError } from '../../core/error.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import { toObject, toText } from '../../core/model/read-json.ts';
import { browserPorts } from '../../core/ports.ts';
import type { MCPAuth, MCPChallenge } from '../wire.ts';
import { type AuthorizationServer, checkAddress, discover, parameterOf, signInError } from './metadata.ts';
import { challengeOf, randomWord } from './pkce.ts';
import { register } from './register.ts';
import { type Client, fetchTokens, fromWord, readClient, type Tokens, toWord } from './tokens.ts';

/** Keeps the tokens of servers, one word for each address. A vault of `brooklet/keys` fits: see docs/mcp.md. */
export interface MCPTokenStore {
  load(url: string): Promise<string | undefined>;
  save(url: string, word: string): Promise<void>;
}

/** Where the page and the window in which the person signs in leave notes for each other: `localStorage`. */
export type MCPMailbox = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Options of `createMCPSignIn`. */
export interface MCPSignInOptions {
  /** Address of a page of this origin that calls `receiveMCPSignIn`. */
  readonly redirectUri: string;
  /** Name of the page, for the person who signs in. */
  readonly clientName: string;
  readonly tokens: MCPTokenStore;
  /** Id of the page at the authorization server, where it was registered by hand. */
  readonly clientId?: string;
  /** Address (https) of the metadata document of the page, for authorization servers that read it. */
  readonly clientMetadataUrl?: string;
  /**
   * Called with the address at which the person signs in, when the browser has blocked the window, or `signIn` was not called by a click: show
   * it as a link with `target="_blank"`.
   */
  readonly onBlocked?: (url: string) => void;
  /** Opens a window; returns whether it is open. Default: `window.open`. */
  readonly open?: (url: string) => boolean;
  /** Default: `localStorage`. */
  readonly mailbox?: MCPMailbox;
  /** Default: the browser's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Returns ms since the epoch. */
  readonly now?: () => number;
}

/** Access to servers for which a person signs in (OAuth 2.1 with PKCE). Pass it as `auth` of `connectMCP`. */
export interface MCPSignIn extends MCPAuth {
  /**
   * Lets the person sign in at a server: call it by a click. Resolves when the page has the token. It may be called again after a reload:
   * the person does not have to sign in twice. Rejects with `MCPError`, `sign-in`, and with the reason of the signal.
   *
   * @param options `signal`: ends the wait for a person who has closed the window, for example
   */
  signIn(url: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Forgets the tokens of a server. */
  signOut(url: string): Promise<void>;
}

const channelName = 'brooklet-mcp-sign-in';
const pendingKey = (url: string): string => `brooklet-mcp/pending/${url}`;
const answerKey = (state: string): string => `brooklet-mcp/answer/${state}`;
const clientKey = (issuer: string): string => `brooklet-mcp/client/${issuer}`;

/** A sign-in that has begun. In the mailbox, so that a page that was reloaded meanwhile goes on. */
interface Pending {
  readonly state: string;
  readonly verifier: string;
  readonly server: AuthorizationServer;
  readonly client: Client;
}

/**
 * Receives the answer of the authorization server: call it in the page at `redirectUri`. Hands the answer to the page that began, also to
 * one that was reloaded, and closes its window where it is one. Returns whether the address of the page has an answer.
 */
export function receiveMCPSignIn(mailbox: MCPMailbox = localStorage): boolean {
  const answer = new URLSearchParams(location.search);
  const state = answer.get('state');
  if (state === null) return false;
  mailbox.setItem(answerKey(state), location.search);
  announce();
  if (globalThis.opener) close();
  return true;
}

function announce(): void {
  const channel = new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage('answered');
  channel.close();
}

/**
 * Creates the access to servers for which a person signs in: OAuth 2.1 with PKCE, for a page without a server of its own. One for all servers of
 * a page.
 *
 *     const auth = createMCPSignIn({ redirectUri: `${location.origin}/signed-in.html`, clientName: 'My page', tokens });
 *     button.onclick = () => auth.signIn(url).then(() => connectMCP({ url, auth }));
 */
export function createMCPSignIn(options: MCPSignInOptions): MCPSignIn {
  const { tokens, redirectUri, mailbox = localStorage, now = browserPorts.now } = options;
  const fetch: typeof globalThis.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const open = options.open ?? ((url: string) => window.open(url, '_blank', 'popup,width=520,height=720') !== null);
  const challenges = new Map<string, MCPChallenge>();
  /** One refresh of each server at a time: many servers accept a refresh token once. */
  const refreshing = new Map<string, Promise<Tokens | undefined>>();

  const load = async (url: string): Promise<Tokens | undefined> => fromWord((await tokens.load(url)) ?? '');

  function readPending(url: string): Pending | undefined {
    const { state, verifier, server, client } = toObject(parseJson(mailbox.getItem(pendingKey(url)) ?? ''));
    const { issuer, metadata, resource, scope } = toObject(server);
    const known = readClient(toObject(client));
    if (typeof state !== 'string' || known === undefined) return undefined;
    const where = {
      issuer: toText(issuer),
      metadata: toObject(metadata),
      resource: toText(resource),
      scope: toText(scope),
    };
    return { state, verifier: toText(verifier), server: where, client: known };
  }

  /** Exchanges an answer that has arrived for tokens. Resolves with whether there was one. */
  async function complete(url: string): Promise<boolean> {
    const pending = readPending(url);
    const text = pending && mailbox.getItem(answerKey(pending.state));
    if (!pending || !text) return false;
    // An answer counts once, whatever comes of it.
    mailbox.removeItem(pendingKey(url));
    mailbox.removeItem(answerKey(pending.state));
    const { issuer, metadata, resource, scope } = pending.server;
    const code = readCode(new URLSearchParams(text), issuer, metadata);
    const fixed = { endpoint: toText(metadata.token_endpoint), resource, client: pending.client, scope };
    const grant = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: pending.verifier,
    };
    await tokens.save(url, toWord(await fetchTokens(fetch, fixed, grant, now())));
    return true;
  }

  async function refresh(url: string, { refresh: token = '', ...old }: Tokens): Promise<Tokens | undefined> {
    try {
      const grant = { grant_type: 'refresh_token', refresh_token: token };
      const fresh = await fetchTokens(fetch, old, grant, now());
      await tokens.save(url, toWord(fresh));
      return fresh;
    } catch {
      return undefined;
    }
  }

  function refreshOnce(url: string, old: Tokens): Promise<Tokens | undefined> {
    const running = refreshing.get(url) ?? refresh(url, old).finally(() => refreshing.delete(url));
    refreshing.set(url, running);
    return running;
  }

  async function clientAt({ issuer, metadata }: AuthorizationServer): Promise<Client> {
    const { clientId, clientMetadataUrl } = options;
    if (clientId !== undefined) return { id: clientId };
    if (clientMetadataUrl !== undefined && metadata.client_id_metadata_document_supported === true)
      return { id: clientMetadataUrl };
    const known = parseJson(mailbox.getItem(clientKey(`${issuer} ${redirectUri}`)) ?? '');
    const kept = isJsonObject(known) ? readClient(known) : undefined;
    if (kept) return kept;
    const client = await register(fetch, metadata, options);
    mailbox.setItem(clientKey(`${issuer} ${redirectUri}`), JSON.stringify(client));
    return client;
  }

  /** Prepares a sign-in. Resolves with the address at which the person signs in. */
  async function begin(url: string): Promise<string> {
    const challenge = challenges.get(url);
    const header = challenge?.header ?? '';
    const found = await discover(fetch, { url, header });
    const before = (await load(url))?.scope ?? '';
    // More rights beside those that were granted before.
    const isMore = challenge?.status === 403;
    const wanted = isMore ? `${before} ${parameterOf(header, 'scope') || found.scope}` : found.scope;
    const scope = [...new Set(wanted.split(' ').filter(Boolean))].join(' ');
    const server = { ...found, scope };
    const client = await clientAt(server);
    const pending: Pending = { state: randomWord(), verifier: randomWord(), server, client };
    mailbox.setItem(pendingKey(url), JSON.stringify(pending));
    const address = new URL(checkAddress(server.metadata.authorization_endpoint));
    const query = {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: redirectUri,
      code_challenge: await challengeOf(pending.verifier),
      code_challenge_method: 'S256',
      state: pending.state,
      resource: server.resource,
      ...(scope ? { scope } : {}),
    };
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    return address.href;
  }

  return {
    async token(_origin, url) {
      await complete(url);
      const found = await load(url);
      const isOver = found?.expiresAt !== undefined && found.expiresAt - 10_000 < now();
      if (!found || !isOver || !found.refresh) return found?.access;
      return (await refreshOnce(url, found))?.access;
    },
    async renew(challenge) {
      const { url } = challenge;
      challenges.set(url, challenge);
      const found = await load(url);
      // Another tab, or another request of this tab, may have been first.
      if (found && found.access !== challenge.token) return true;
      if (challenge.status === 403 || !found?.refresh) return false;
      return (await refreshOnce(url, found)) !== undefined;
    },
    async signIn(given, { signal } = {}) {
      const url = new URL(given).href;
      if (await complete(url)) return;
      const channel = new BroadcastChannel(channelName);
      try {
        const answered = new Promise<void>((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(toAgentError(signal.reason, 'ABORTED')));
          channel.addEventListener('message', () => {
            complete(url).then((isDone) => isDone && resolve(), reject);
          });
        });
        const address = await begin(url);
        if (!open(address)) options.onBlocked?.(address);
        // The answer may have come before anybody listened.
        if (!(await complete(url))) await answered;
      } finally {
        channel.close();
      }
    },
    async signOut(given) {
      const url = new URL(given).href;
      challenges.delete(url);
      mailbox.removeItem(pendingKey(url));
      await tokens.save(url, '');
    },
  };
}

/**
 * Returns the code of an answer. Its issuer is checked first (RFC 9207): nothing else of an answer of another issuer is used.
 *
 * @throws MCPError
 */
function readCode(answer: URLSearchParams, issuer: string, metadata: JsonObject): string {
  const iss = answer.get('iss');
  if (iss === null ? metadata.authorization_response_iss_parameter_supported === true : iss !== issuer)
    throw signInError(`The answer to the sign-in did not come from ${issuer}: it was refused. Sign in again.`);
  const code = answer.get('code');
  if (code) return code;
  throw signInError(
    `${issuer} did not let the person in: ${answer.get('error_description') ?? answer.get('error') ?? 'no reason'}.`,
  );
}
