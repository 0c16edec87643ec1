import { afterEach, describe, expect, test } from 'vitest';
import { createMCPSignIn } from 'brooklet/mcp';
import { actAsPage } from './support/act-as-page.ts';
import { serveFake } from './support/fake.ts';
import { serveOAuth } from './support/oauth.ts';
import { closeAll, later } from './support/person.ts';
import { serve } from './support/serve.ts';
import { createMailbox, createTokens, visit } from './support/window.ts';

actAsPage();
afterEach(closeAll);

const urlOf = (input: URL | RequestInfo): string => (input instanceof Request ? input.url : new URL(input).href);

/** A server that wants tokens. `fetch` replaces that of the page. */
async function guarded(fetch: typeof globalThis.fetch = globalThis.fetch) {
  const oauth = await serveOAuth();
  later(() => oauth.close());
  const http = await serveFake({}, (request, response, url) => oauth.guards(request, response, url));
  later(() => http.close());
  const [mailbox, tokens] = [createMailbox(), createTokens()];
  let time = 1_000_000;
  const auth = createMCPSignIn({
    redirectUri: 'https://page.example/back',
    clientName: 'A page',
    tokens,
    mailbox,
    fetch,
    now: () => time,
    open: (address) => (void visit(address, mailbox), true),
  });
  return { oauth, url: http.url, auth, pass: (ms: number) => void (time += ms) };
}

describe('a request of a sign-in', () => {
  test('follows no redirect and has no cookie, whatever it asks for', async () => {
    const asked: (readonly [path: string, redirect: string | undefined, credentials: string | undefined])[] = [];
    const s = await guarded(async (input, init = {}) => {
      const request = input instanceof Request ? input : undefined;
      const { redirect, credentials } = request ?? init;
      asked.push([new URL(urlOf(input)).pathname, redirect, credentials]);
      return fetch(input, init);
    });
    await s.auth.signIn(s.url);
    s.pass(3_600_000);
    await s.auth.token('', s.url);
    const paths = asked.map(([path]) => path);
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      '/register',
      '/token',
    ])
      expect(paths).toContain(path);
    for (const [path, redirect, credentials] of asked)
      expect([path, redirect === 'error' || redirect === 'manual', credentials]).toEqual([path, true, 'omit']);
    expect(s.oauth.grants).toHaveLength(2);
  });

  test.each([
    ['the description of the server', 'oauth-protected-resource'],
    ['the metadata of the issuer', 'oauth-authorization-server'],
    ['the registration', '/register'],
    ['the tokens', '/token'],
  ])('takes nothing from where a redirect leads: %s', async (_what, place) => {
    const gate = await serve((request, response) => {
      response.writeHead(307, { location: decodeURIComponent(request.url?.slice(1) ?? '') }).end();
    });
    later(() => gate.close());
    let redirects = 0;
    const s = await guarded(async (input, init) => {
      const url = urlOf(input);
      if (!url.includes(place)) return fetch(input, init);
      redirects++;
      return fetch(`${gate.origin}/${encodeURIComponent(url)}`, input instanceof Request ? input : init);
    });
    await expect(s.auth.signIn(s.url)).rejects.toMatchObject({ name: 'AgentError' });
    expect(redirects).toBeGreaterThan(0);
    expect(s.oauth.given.size).toBe(0);
    expect(await s.auth.token('', s.url).catch(() => undefined)).toBeUndefined();
  });
});

test('a token is not used in the last seconds of its time, and not after its time', async () => {
  const s = await guarded();
  await s.auth.signIn(s.url);
  const [first = ''] = s.oauth.given.keys();
  expect(await s.auth.token('', s.url)).toBe(first);
  s.pass(3_600_000 - 60_000);
  expect(await s.auth.token('', s.url)).toBe(first);
  // Clocks differ, and a request takes some time.
  s.pass(60_000 - 5_000);
  const second = await s.auth.token('', s.url);
  expect([second === first, s.oauth.given.has(second ?? '')]).toEqual([false, true]);
  s.pass(3_600_000 + 5_000);
  expect(await s.auth.token('', s.url)).not.toBe(second);
  expect(s.oauth.grants.map((grant) => grant.get('grant_type'))).toEqual([
    'authorization_code',
    'refresh_token',
    'refresh_token',
  ]);
});
