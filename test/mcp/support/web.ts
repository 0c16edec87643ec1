import { createMCPSignIn, type MCPSignIn, type MCPSignInOptions } from 'brooklet/mcp';
import { createMailbox, createTokens } from './window.ts';

/** A request of a sign-in, as `fetch` gets it. */
interface Asked {
  readonly url: string;
  readonly init: RequestInit;
  /** The address, the headers and the body, as one text. */
  readonly text: string;
  readonly form: URLSearchParams;
}

export type Page = Readonly<Record<string, unknown>> | (() => Response);
export type Pages = Record<string, Page>;

export const server = 'https://mcp.example.com/mcp';
export const issuer = 'https://login.example.com';
export const description = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';

/** The metadata of an issuer, whose endpoints are in its folder. */
export const metadataOf = (name: string, more: object = {}) => ({
  issuer: name,
  authorization_endpoint: `${name}/authorize`,
  token_endpoint: `${name}/token`,
  registration_endpoint: `${name}/register`,
  code_challenge_methods_supported: ['S256'],
  ...more,
});

export const tokens = { access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'Bearer', expires_in: 3600 };

export const json =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });
export const html =
  (status = 200) =>
  () =>
    new Response('<!doctype html><title>Hello</title>', { status, headers: { 'content-type': 'text/html' } });

/** What a server and its authorization server answer, where all is well. */
export const wellBehaved = (more: Pages = {}): Pages => ({
  [description]: { resource: server, authorization_servers: [issuer] },
  [`${issuer}/.well-known/oauth-authorization-server`]: metadataOf(issuer),
  [`${issuer}/register`]: json({ client_id: 'client-1' }, 201),
  [`${issuer}/token`]: tokens,
  ...more,
});

/**
 * A page that signs in at servers of the internet, which are `pages`: JSON or a response by address. A test may change them. Other addresses of
 * 127.0.0.1 are asked over the network.
 */
export function createWeb(pages: Pages, more: Partial<MCPSignInOptions> = {}) {
  const asked: Asked[] = [];
  const visited: URL[] = [];
  const mailbox = createMailbox();
  const words = createTokens();
  const clock = { now: 1_000_000 };
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const url = input instanceof Request ? input.url : `${input}`;
    const body = typeof init.body === 'string' || init.body instanceof URLSearchParams ? String(init.body) : '';
    const headers = new Headers(init.headers);
    const basic = headers.get('authorization')?.replace('Basic ', '');
    const text = [url, body, ...[...headers].flat(), basic ? decodeURIComponent(atob(basic)) : ''].join('\n');
    asked.push({ url, init, text, form: new URLSearchParams(body) });
    const page = pages[url];
    if (typeof page === 'function') return page();
    if (page !== undefined) return Response.json(page);
    return url.startsWith('http://127.0.0.1') ? globalThis.fetch(url, init) : new Response(null, { status: 404 });
  };
  const auth: MCPSignIn = createMCPSignIn({
    redirectUri: 'https://page.example/back',
    clientName: 'A page',
    mailbox,
    tokens: words,
    fetch,
    now: () => clock.now,
    open: (address) => (visited.push(new URL(address)), true),
    ...more,
  });

  /** The state of the sign-in that waits. */
  const state = (): string => visited.at(-1)?.searchParams.get('state') ?? '';

  /** Leaves an answer for the sign-in that waits, as `receiveMCPSignIn` does. */
  const answer = (query: string): Promise<void> => mailbox.leave(state(), query);

  /** Signs in; the window answers with a query of the state, by default with what an authorization server sends. */
  async function signIn(query = (own: string) => `?code=a-code&state=${own}`, url = server): Promise<void> {
    const before = visited.length;
    const signingIn = auth.signIn(url);
    const arrived = (async () => {
      while (visited.length === before) await new Promise((resolve) => setTimeout(resolve, 1));
      await answer(query(state()));
    })();
    await Promise.race([signingIn, arrived]);
    await signingIn;
  }

  return {
    auth,
    pages,
    asked,
    visited,
    mailbox,
    words,
    clock,
    state,
    signIn,
    /** Requests to the token endpoint. */
    grants: () => asked.filter(({ url }) => url.endsWith('/token')).map(({ form }) => form),
    word: async () => (await words.load(server)) ?? '',
  };
}
