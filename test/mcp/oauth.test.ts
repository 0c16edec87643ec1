import { afterEach, describe, expect, test } from 'vitest';
import { connectMCP, createMCPSignIn, type MCPSignInOptions, type MCPTokenStore } from 'brooklet/mcp';
import { createVault } from 'brooklet/keys';
import { actAsPage } from './support/act-as-page.ts';
import { serveFake } from './support/fake.ts';
import { approved, closeAll, connected, later } from './support/person.ts';
import { type OAuthOptions, type OAuthServer, serveOAuth } from './support/oauth.ts';
import { createMailbox, createTokens, visit } from './support/window.ts';

actAsPage();
afterEach(closeAll);

/** A server that wants tokens, and where they are made. */
async function guarded(options: OAuthOptions = {}) {
  const oauth: OAuthServer = await serveOAuth(options);
  later(() => oauth.close());
  const http = await serveFake({}, (request, response, url) => oauth.guards(request, response, url));
  later(() => http.close());
  const mailbox = createMailbox();
  const tokens = createTokens();
  const visited: URL[] = [];

  function open(address: string): Promise<void> {
    visited.push(new URL(address));
    return visit(address, mailbox);
  }

  const page = (more: Partial<MCPSignInOptions> = {}) =>
    createMCPSignIn({
      redirectUri: 'https://page.example/back',
      clientName: 'A page',
      tokens,
      mailbox,
      open: (address) => (void open(address), true),
      ...more,
    });
  return { oauth, http, url: http.url, mailbox, tokens, visited, visit: open, page };
}

describe('signing in', () => {
  test('finds the authorization server, registers the page, and proves itself', async () => {
    const s = await guarded();
    const auth = s.page();
    await expect(connectMCP({ url: s.url, auth })).rejects.toMatchObject({
      problem: 'sign-in',
      code: 'AUTHENTICATION_FAILED',
    });
    await auth.signIn(s.url);
    expect(s.visited[0]?.searchParams.get('scope')).toBe('read write');
    expect(s.visited[0]?.searchParams.get('resource')).toBe(s.url);
    expect(s.oauth.registered).toMatchObject([
      { client_name: 'A page', token_endpoint_auth_method: 'none', application_type: 'web' },
    ]);
    const t = await connected(() => Promise.resolve({ ...s.http, close: async () => {} }), { auth });
    expect(await approved(t, 'test__look')).toMatchObject({ status: 'succeeded' });
    // Nothing of a sign-in is left behind, and the token is with the tokens only.
    const token = [...s.oauth.given.keys()][0] ?? 'none';
    expect(JSON.stringify([...s.mailbox.notes])).not.toContain(token);
    expect([...s.mailbox.notes.keys()]).toEqual([expect.stringContaining('/client/')]);
  });

  test('goes on in a page that was reloaded in the midst', async () => {
    const s = await guarded();
    const first = s.page({ open: () => true });
    await expect(connectMCP({ url: s.url, auth: first })).rejects.toMatchObject({ problem: 'sign-in' });
    let address = '';
    const gone = new AbortController();
    const before = s.page({ open: (url) => ((address = url), true) });
    before.signIn(s.url, { signal: gone.signal }).catch(() => {});
    await expect.poll(() => address).not.toBe('');
    gone.abort();
    await s.visit(address);
    const server = await connectMCP({ url: s.url, auth: s.page() });
    later(() => server.close());
    expect(server.getTools()).toHaveLength(1);
    expect(s.visited).toHaveLength(1);
  });

  test('ends with its signal: before it begins, and while the server is still asked, without a window', async () => {
    const s = await guarded();
    await expect(s.page().signIn(s.url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
    const gone = new AbortController();
    let isAsked = false;
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const auth = s.page({
      async fetch(input, init) {
        isAsked = true;
        await held;
        return fetch(input, init);
      },
    });
    const signingIn = auth.signIn(s.url, { signal: gone.signal });
    await expect.poll(() => isAsked).toBe(true);
    gone.abort();
    await expect(signingIn).rejects.toMatchObject({ code: 'ABORTED' });
    goOn();
    await auth.signIn(s.url);
    expect(s.visited).toHaveLength(1);
  });

  test('offers a link when the browser blocks the window', async () => {
    const s = await guarded();
    const links: string[] = [];
    const auth = s.page({ open: () => false, onBlocked: (url) => (links.push(url), void s.visit(url)) });
    await auth.signIn(s.url);
    expect(links).toHaveLength(1);
    expect(await auth.token('', s.url)).toBeDefined();
  });

  test('refreshes an expired token once for all requests, without the person', async () => {
    const s = await guarded();
    const auth = s.page();
    await auth.signIn(s.url);
    const t = await connected(() => Promise.resolve({ ...s.http, close: async () => {} }), { auth });
    s.oauth.expire();
    await Promise.all([t.server.tools(), t.server.tools(), t.server.tools()]);
    expect(s.oauth.grants.map((grant) => grant.get('grant_type'))).toEqual(['authorization_code', 'refresh_token']);
    expect(s.visited).toHaveLength(1);
  });

  test('refreshes the tokens of two servers at a time, each for its own server', async () => {
    const [one, other] = [await guarded(), await guarded()];
    let time = 0;
    const auth = one.page({ open: (address) => (void one.visit(address), true), now: () => time });
    await auth.signIn(one.url);
    await auth.signIn(other.url);
    time = 3_600_000;
    const tokens = await Promise.all([auth.token('', one.url), auth.token('', other.url)]);
    expect(tokens).toEqual([[...one.oauth.given.keys()].at(-1), [...other.oauth.given.keys()].at(-1)]);
  });

  test('keeps tokens in a vault', async () => {
    const s = await guarded();
    const vault = createVault({ name: 'mcp' });
    later(() => vault.dispose());
    const tokens: MCPTokenStore = {
      load: (url) =>
        vault
          .keyFor(url)(new URL(url).origin)
          .catch(() => undefined),
      save: async (url, word) => void (word ? await vault.add(url, word, { baseURL: url }) : await vault.remove(url)),
    };
    const auth = s.page({ tokens });
    await auth.signIn(s.url);
    expect(await auth.token('', s.url)).toBe([...s.oauth.given.keys()][0]);
    await auth.signOut(s.url);
    expect(await auth.token('', s.url)).toBeUndefined();
  });

  test.each<readonly [what: string, options: OAuthOptions, sentence: RegExp]>([
    ['an answer of another issuer', { iss: 'https://evil.example' }, /did not come from/],
    ['an answer without the issuer that was promised', { iss: null }, /did not come from/],
    ['metadata of another issuer', { metadata: { issuer: 'https://evil.example' } }, /describes another issuer/],
    ['no PKCE', { metadata: { code_challenge_methods_supported: ['plain'] } }, /PKCE/],
    ['no way to register', { metadata: { registration_endpoint: undefined } }, /pass `clientId`/],
    ['an endpoint without https', { metadata: { token_endpoint: 'http://evil.example/token' } }, /not a safe address/],
    [
      'an address that is a script',
      { metadata: { authorization_endpoint: 'javascript:alert(1)' } },
      /not a safe address/,
    ],
  ])('refuses %s', async (_what, options, sentence) => {
    const s = await guarded(options);
    const auth = s.page();
    await expect(auth.signIn(s.url)).rejects.toMatchObject({
      problem: 'sign-in',
      message: expect.stringMatching(sentence),
    });
    expect(s.oauth.grants).toEqual([]);
    expect(await auth.token('', s.url)).toBeUndefined();
  });

  /** Answers of hosts of the internet: JSON by address. Notes every address that is asked. */
  function internet(answers: Readonly<Record<string, object>>) {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      const url = input instanceof Request ? input.url : `${input}`;
      asked.push(url);
      return url in answers ? Response.json(answers[url]) : new Response(null, { status: 404 });
    };
    return { asked, fetch };
  }

  const server = 'https://mcp.example.com';
  const described = (origin: string, more: object = {}) => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    code_challenge_methods_supported: ['S256'],
    ...more,
  });

  test('refuses a server without a description that names the issuer and the page of another one', async () => {
    const metadata = { ...described('https://honest.example'), token_endpoint: `${server}/token` };
    const { asked, fetch } = internet({ [`${server}/.well-known/oauth-authorization-server`]: metadata });
    const s = await guarded();
    const auth = s.page({ fetch, clientId: () => 'my-app' });
    await expect(auth.signIn(server)).rejects.toThrow('describes another issuer (https://honest.example)');
    expect(s.visited).toEqual([]);
    expect(asked.every((url) => url.startsWith(server))).toBe(true);
  });

  test.each([
    ['with a slash at the end', { issuer: `${server}/` }],
    ['that is missing, without a description of the server', { issuer: undefined }],
  ])('takes an issuer %s', async (_what, more) => {
    const { fetch } = internet({ [`${server}/.well-known/oauth-authorization-server`]: described(server, more) });
    const s = await guarded();
    const issuers: string[] = [];
    const gone = new AbortController();
    const auth = s.page({
      fetch,
      clientId: (issuer) => (issuers.push(issuer), 'my-app'),
      open: (address) => (s.visited.push(new URL(address)), true),
    });
    const signingIn = auth.signIn(server, { signal: gone.signal });
    await expect.poll(() => s.visited[0]?.searchParams.get('client_id')).toBe('my-app');
    expect(issuers.map((issuer) => issuer.replace(/\/$/, ''))).toEqual([server]);
    gone.abort();
    await expect(signingIn).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('registers the page by itself where it has no id for the issuer', async () => {
    const s = await guarded();
    await s.page({ clientId: (issuer) => (issuer === 'https://other.example' ? 'my-app' : undefined) }).signIn(s.url);
    expect(s.oauth.registered).toHaveLength(1);
    expect(s.visited[0]?.searchParams.get('client_id')).not.toBe('my-app');
  });

  const near = [
    'http://127.0.0.1:8080',
    'https://localhost',
    'https://192.168.1.1',
    'https://[::1]',
    'https://printer',
  ];
  test.each(
    near.flatMap(
      (origin) =>
        [
          [`a token endpoint at ${origin}`, { token_endpoint: `${origin}/token` }],
          [`a registration at ${origin}`, { registration_endpoint: `${origin}/register` }],
          [`a page at ${origin}`, { authorization_endpoint: `${origin}/authorize` }],
        ] as const,
    ),
  )('of the internet may not lead into the local network: %s', async (_what, more) => {
    const { fetch } = internet({ [`${server}/.well-known/oauth-authorization-server`]: described(server, more) });
    const s = await guarded();
    await expect(s.page({ fetch }).signIn(server)).rejects.toThrow('of this machine or network');
    expect(s.visited).toEqual([]);
  });

  test.each(near)('of the internet may not name an authorization server at %s', async (origin) => {
    const { asked, fetch } = internet({
      [`${server}/.well-known/oauth-protected-resource`]: { resource: server, authorization_servers: [origin] },
    });
    const s = await guarded();
    await expect(s.page({ fetch }).signIn(server)).rejects.toThrow('of this machine or network');
    expect(asked.filter((url) => !url.startsWith(server))).toEqual([]);
  });

  test('uses the metadata document of the page where the server reads it', async () => {
    const s = await guarded({ metadata: { client_id_metadata_document_supported: true } });
    const clientMetadataUrl = 'https://page.example/client.json';
    await s.page({ clientMetadataUrl }).signIn(s.url);
    expect(s.visited[0]?.searchParams.get('client_id')).toBe(clientMetadataUrl);
    expect(s.oauth.registered).toEqual([]);
  });
});
