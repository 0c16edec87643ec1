import {
  generateRandomCodeVerifier,
  generateRandomState,
  calculatePKCECodeChallenge,
  validateAuthResponse,
} from 'oauth4webapi';
import { named } from '../../core/model/shapes/named.ts';
import { AgentError, toAgentError } from '../../core/error.ts';
import { browserPorts } from '../../core/ports.ts';
import type { MCPAuth, MCPChallenge } from '../wire.ts';
import { createAttempts } from './attempts.ts';
import { createKeptTokens, type MCPTokenStore } from './kept-tokens.ts';
import {
  getClient,
  type MCPMailbox,
  hasAnswer,
  onAnswer,
  type Pending,
  putClient,
  putPending,
  removePending,
  takeAnswer,
  type Answered,
} from './mailbox.ts';
import { type AuthorizationServer, discover, parameterOf } from './metadata.ts';
import { register } from './register.ts';
import type { Client } from './client.ts';
import { checkAddress } from './address.ts';
import { isRefusal, reasonOf, signInError } from './problem.ts';
import { openSignInWindow, type SignInWindow } from './sign-in-window.ts';

/** Options of `createMCPSignIn`. */
export interface MCPSignInOptions {
  /** Address of a page of this origin that calls `receiveMCPSignIn`. */
  readonly redirectUri: string;
  /** Name of the page, for the person who signs in. */
  readonly clientName: string;
  readonly tokens: MCPTokenStore;
  /**
   * Returns the id of the page at the authorization server with this issuer, where it was registered by hand; `undefined` where it was not.
   * The issuer is checked: an MCP server that names another one gets no id of this one.
   *
   *     clientId: (issuer) => (issuer === 'https://login.example.com' ? 'my-app' : undefined)
   */
  readonly clientId?: (issuer: string) => string | undefined;
  /** Address (https) of the metadata document of the page, for authorization servers that read it. */
  readonly clientMetadataUrl?: string;
  /**
   * Called with the address at which the person signs in, when the browser has blocked the window, or the person has closed it: show it as a
   * link with `target="_blank"`. Without it, `signIn` rejects then.
   */
  readonly onBlocked?: (url: string) => void;
  /**
   * Opens a window once its address is known; returns whether it is open. Default: a window that is open at once, since WebKit blocks one that is
   * opened after a request. The page in the window has no `opener`.
   */
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
   * Lets the person sign in at a server: call it in the handler of a click, before any `await`. Resolves when the page has the token. It may be
   * called again after a reload: the person does not have to sign in twice. Rejects with `MCPError`, `sign-in`, with `ABORTED` after
   * `signOut`, and with the reason of the signal.
   *
   * @param options `signal`: ends the wait for a person who has closed the window, for example
   */
  signIn(url: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Forgets the tokens of a server, also those that are on their way, and ends its sign-ins. */
  signOut(url: string): Promise<void>;
}

/**
 * Creates the access to servers for which a person signs in: OAuth 2.1 with PKCE, for a page without a server of its own. One for all servers of
 * a page.
 *
 *     const auth = createMCPSignIn({ redirectUri: `${location.origin}/signed-in.html`, clientName: 'My page', tokens });
 *     button.onclick = () => auth.signIn(url).then(() => connectMCP({ url, auth }));
 */
export function createMCPSignIn(options: MCPSignInOptions): MCPSignIn {
  named(
    options,
    {
      redirectUri: true,
      clientName: true,
      tokens: true,
      clientId: true,
      clientMetadataUrl: true,
      onBlocked: true,
      open: true,
      mailbox: true,
      fetch: true,
      now: true,
    },
    'createMCPSignIn',
  );
  const { tokens, redirectUri, mailbox = localStorage, now = browserPorts.now } = options;
  const fetch: typeof globalThis.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const challenges = new Map<string, MCPChallenge>();
  const kept = createKeptTokens({ tokens, fetch, now });
  const attempts = createAttempts();

  async function exchange(url: string, answered: Answered): Promise<void> {
    const { server, client, verifier } = answered.pending;
    const { metadata, resource, scope } = server;
    const answer = checkAnswer(answered);
    const fixed = { endpoint: metadata.token_endpoint ?? '', resource, client, scope };
    await kept.obtain(url, fixed, { answer, redirectUri, verifier });
  }

  /**
   * Exchanges an answer that has arrived for tokens. Resolves with whether there was one.
   *
   * Invariant: it ends the sign-ins that wait for it, also where a request of the page has taken it first. With tokens all of that server are over.
   *
   * @param own the sign-in that waits. Default: the one that was noted last, in this page or another one
   */
  async function complete(url: string, own?: Pending): Promise<boolean> {
    const answered = takeAnswer(mailbox, url, own);
    if (!answered) return false;
    try {
      await exchange(url, answered);
    } catch (thrown) {
      attempts.end(({ pending }) => pending?.state === answered.pending.state, thrown);
      throw thrown;
    }
    attempts.end((one) => one.url === url);
    return true;
  }

  async function clientAt({ issuer, metadata }: AuthorizationServer): Promise<Client> {
    const { clientMetadataUrl } = options;
    const id = options.clientId?.(issuer);
    if (id !== undefined) return { id };
    if (clientMetadataUrl !== undefined && metadata.client_id_metadata_document_supported === true)
      return { id: clientMetadataUrl };
    const known = getClient(mailbox, issuer, redirectUri);
    if (known) return known;
    const client = await register(fetch, metadata, options);
    putClient(mailbox, issuer, redirectUri, client);
    return client;
  }

  /** Prepares a sign-in. Resolves with the address at which the person signs in, and with what the page notes meanwhile. */
  async function begin(url: string): Promise<{ readonly address: string; readonly pending: Pending }> {
    const challenge = challenges.get(url);
    const header = challenge?.header ?? '';
    const found = await discover(fetch, { url, header });
    const before = (await kept.load(url))?.scope ?? '';
    // More rights beside those that were granted before.
    const isMore = challenge?.status === 403;
    const wanted = isMore ? `${before} ${parameterOf(header, 'scope') || found.scope}` : found.scope;
    const scope = [...new Set(wanted.split(' ').filter(Boolean))].join(' ');
    const server = { ...found, scope };
    const client = await clientAt(server);
    const [state, verifier] = [generateRandomState(), generateRandomCodeVerifier()];
    const pending: Pending = { state, verifier, server, client };
    return { address: await toSignInAddress(pending, redirectUri), pending };
  }

  /** Opens the window of a sign-in, at once; a window that the page opens by itself, once the address is known. */
  function openFirst(url: string): SignInWindow {
    const { open } = options;
    if (open) return { go: open, close: () => {} };
    return openSignInWindow(new URL(url).host);
  }

  /** Leads the person to the address of a sign-in. @throws MCPError where neither a window nor a link can */
  function show(opened: SignInWindow, address: string): void {
    if (opened.go(address)) return;
    if (!options.onBlocked)
      throw signInError(
        'The window of the sign-in is not open: the browser has blocked it, or it was closed. Call `signIn` in the handler of a click, before any `await`, or show the link that `onBlocked` gets.',
      );
    options.onBlocked(address);
  }

  return {
    async token(_origin, url) {
      await complete(url);
      const found = await kept.load(url);
      const isOver = found?.expiresAt !== undefined && found.expiresAt - 10_000 < now();
      if (!found || !isOver || !found.refresh) return found?.access;
      return (await kept.refresh(url, found))?.access;
    },
    async renew(challenge) {
      const { url } = challenge;
      challenges.set(url, challenge);
      const found = await kept.load(url);
      // Another tab, or another request of this tab, may have been first.
      if (found && found.access !== challenge.token) return true;
      if (challenge.status === 403 || !found?.refresh) return false;
      return (await kept.refresh(url, found)) !== undefined;
    },
    async signIn(given, signInOptions = {}) {
      const { signal } = named(signInOptions, { signal: true }, 'signIn');
      const url = new URL(given).href;
      if (hasAnswer(mailbox, url)) return void (await complete(url));
      if (signal?.aborted) throw toAgentError(signal.reason, 'ABORTED');
      const opened = openFirst(url);
      const attempt = attempts.begin(url, signal);

      async function ask(): Promise<void> {
        const { address, pending } = await begin(url);
        if (attempt.isOver()) return;
        putPending(mailbox, url, pending);
        attempt.pending = pending;
        show(opened, address);
        // The answer may have come without a message.
        await complete(url, pending);
      }

      const stopListening = onAnswer(() => {
        if (attempt.pending) complete(url, attempt.pending).catch(attempt.end);
      });
      ask().catch(attempt.end);
      try {
        await attempt.over;
      } finally {
        stopListening();
        opened.close();
      }
    },
    async signOut(given) {
      const url = new URL(given).href;
      attempts.end((one) => one.url === url, new AgentError('The person has signed out.', { code: 'ABORTED' }));
      challenges.delete(url);
      removePending(mailbox, url);
      await kept.forget(url);
    },
  };
}

/** Returns the address at which the person signs in. */
async function toSignInAddress({ state, verifier, server, client }: Pending, redirectUri: string): Promise<string> {
  const { metadata, resource, scope } = server;
  const address = new URL(checkAddress(metadata.authorization_endpoint));
  const query = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource,
    ...(scope ? { scope } : {}),
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address.href;
}

/**
 * Returns an answer whose issuer (RFC 9207) and state are those of the sign-in: nothing else of an answer of another issuer is used.
 *
 * @throws MCPError
 */
function checkAnswer({ pending, answer }: Answered): URLSearchParams {
  const { server, client, state } = pending;
  try {
    return validateAuthResponse(server.metadata, { client_id: client.id }, answer, state);
  } catch (error) {
    throw signInError(
      isRefusal(error)
        ? `${server.issuer} did not let the person in: ${reasonOf(error)}.`
        : `The answer to the sign-in did not come from ${server.issuer}, or was changed: it was refused (${reasonOf(error)}). Sign in again.`,
    );
  }
}
