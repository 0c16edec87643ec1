import { describe, expect, test } from 'vitest';
import { connectMCP } from 'brooklet/mcp';
import { actAsPage } from './support/act-as-page.ts';
import { createWeb, html, issuer, json, server, tokens, wellBehaved } from './support/web.ts';

actAsPage();

const endpoint = `${issuer}/token`;
const anHour = 3_600_000;

describe('a refresh', () => {
  /** A page whose token has expired. */
  async function expired(more: object = {}) {
    const web = createWeb(wellBehaved({ [endpoint]: { ...tokens, ...more } }));
    await web.signIn();
    web.clock.now += 2 * anHour;
    return web;
  }

  test('keeps the refresh token where the answer has none', async () => {
    const web = await expired();
    web.pages[endpoint] = { access_token: 'access-2', token_type: 'Bearer', expires_in: 3_600 };
    expect(await web.auth.token('', server)).toBe('access-2');
    web.clock.now += 2 * anHour;
    web.pages[endpoint] = { access_token: 'access-3', token_type: 'Bearer', refresh_token: 'refresh-3' };
    expect(await web.auth.token('', server)).toBe('access-3');
    expect(web.grants().map((form) => form.get('refresh_token'))).toEqual([null, 'refresh-1', 'refresh-1']);
    expect(decodeURIComponent(atob(await web.word()))).toContain('refresh-3');
  });

  test('that is refused forgets the tokens, is not repeated, and asks to sign in again', async () => {
    const web = await expired();
    web.pages[endpoint] = json({ error: 'invalid_grant' }, 400);
    web.pages[server] = () => new Response(null, { status: 401 });
    expect(await web.auth.token('', server)).toBeUndefined();
    expect(await web.word()).toBe('');
    expect(await web.auth.token('', server)).toBeUndefined();
    expect(web.grants()).toHaveLength(2);
    await expect(
      connectMCP({ url: server, auth: web.auth, fetch: async () => new Response(null, { status: 401 }) }),
    ).rejects.toMatchObject({ problem: 'sign-in' });
    web.pages[endpoint] = { ...tokens, access_token: 'access-2' };
    await web.signIn();
    expect(await web.auth.token('', server)).toBe('access-2');
  });

  test('that is refused leaves the tokens that another tab has fetched meanwhile', async () => {
    const web = await expired();
    const other = createWeb(wellBehaved({ [endpoint]: { ...tokens, access_token: 'of-other', refresh_token: 'new' } }));
    await other.signIn();
    web.pages[endpoint] = json({ error: 'invalid_grant' }, 400);
    const before = web.words.load;
    let loads = 0;
    Object.assign(web.words, {
      // The first word is read before the refresh, the second after it.
      load: async (url: string) => (++loads === 1 ? before(url) : other.word()),
    });
    expect(await web.auth.token('', server)).toBe('of-other');
    expect(await before(server)).not.toBe('');
  });

  test.each([
    ['a failure', json({ error: 'temporarily_unavailable' }, 503)],
    ['a page of a proxy', html(502)],
    ['another type of token', json({ ...tokens, token_type: 'DPoP' })],
    ['a negative time', json({ ...tokens, access_token: 'false', expires_in: -1 })],
  ])('that is answered with %s keeps what there was, and works later', async (_what, page) => {
    const web = await expired();
    const word = await web.word();
    web.pages[endpoint] = page;
    expect(await web.auth.token('', server)).toBeUndefined();
    expect(await web.word()).toBe(word);
    web.pages[endpoint] = { ...tokens, access_token: 'access-2' };
    expect(await web.auth.token('', server)).toBe('access-2');
  });

  test('follows each use of a token that has expired at once', async () => {
    const web = await expired({ expires_in: 0 });
    await web.auth.token('', server);
    expect(web.grants()).toHaveLength(2);
  });
});

describe('what an earlier version has stored', () => {
  // Written by the version before `oauth4webapi`, at 1,000 s of its clock.
  const word =
    'JTdCJTIyZW5kcG9pbnQlMjIlM0ElMjJodHRwcyUzQSUyRiUyRmxvZ2luLmV4YW1wbGUuY29tJTJGdG9rZW4lMjIlMkMlMjJyZXNvdXJjZSUyMiUzQSUyMmh0dHBzJTNBJTJGJTJGbWNwLmV4YW1wbGUuY29tJTJGbWNwJTIyJTJDJTIyY2xpZW50JTIyJTNBJTdCJTIyaWQlMjIlM0ElMjJjbGllbnQtMSUyMiUyQyUyMnNlY3JldCUyMiUzQSUyMmElMjBzZWNyZXQlMjIlMkMlMjJtZXRob2QlMjIlM0ElMjJjbGllbnRfc2VjcmV0X3Bvc3QlMjIlN0QlMkMlMjJzY29wZSUyMiUzQSUyMnJlYWQlMjIlMkMlMjJhY2Nlc3MlMjIlM0ElMjJhY2Nlc3MtMSUyMiUyQyUyMnJlZnJlc2glMjIlM0ElMjJyZWZyZXNoLTElMjIlMkMlMjJleHBpcmVzQXQlMjIlM0E0NjAwMDAwJTdE';
  const client = '{"id":"client-1","secret":"a secret","method":"client_secret_post"}';
  const state = 'eW7nwkw_lZe9Fr2ma56lT0DvkNbIp8lU9R00ST2x1es';
  const pending = `{"state":"${state}","verifier":"x1qH0mmIa8ezKktpD-VrSndMK6MdERAUMSrwuwPV2O8","server":{"issuer":"https://login.example.com","metadata":{"issuer":"https://login.example.com","authorization_endpoint":"https://login.example.com/authorize","token_endpoint":"https://login.example.com/token","registration_endpoint":"https://login.example.com/register","code_challenge_methods_supported":["S256"],"authorization_response_iss_parameter_supported":true,"scopes_supported":["read"],"jwks_uri":"https://login.example.com/keys"},"resource":"https://mcp.example.com/mcp","scope":"read"},"client":${client}}`;

  test('as tokens is used, and refreshed', async () => {
    const web = createWeb(wellBehaved({ [endpoint]: { ...tokens, access_token: 'access-2' } }));
    await web.words.save(server, word);
    expect(await web.auth.token('', server)).toBe('access-1');
    web.clock.now = 4_600_000;
    expect(await web.auth.token('', server)).toBe('access-2');
    expect(Object.fromEntries(web.grants()[0] ?? [])).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      client_id: 'client-1',
      client_secret: 'a secret',
      resource: server,
    });
  });

  test('as a sign-in that waits is completed', async () => {
    const web = createWeb(wellBehaved());
    web.mailbox.setItem(`brooklet-mcp/pending/${server}`, pending);
    web.mailbox.setItem(`brooklet-mcp/answer/${state}`, `?code=a-code&state=${state}&iss=${issuer}`);
    expect(await web.auth.token('', server)).toBe('access-1');
    expect(Object.fromEntries(web.grants()[0] ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: 'a-code',
      code_verifier: 'x1qH0mmIa8ezKktpD-VrSndMK6MdERAUMSrwuwPV2O8',
      redirect_uri: 'https://page.example/back',
      client_id: 'client-1',
      client_secret: 'a secret',
      resource: server,
    });
    expect([...web.mailbox.notes]).toEqual([]);
  });

  test('as a sign-in that waits still refuses an answer without the issuer that was promised', async () => {
    const web = createWeb(wellBehaved());
    web.mailbox.setItem(`brooklet-mcp/pending/${server}`, pending);
    web.mailbox.setItem(`brooklet-mcp/answer/${state}`, `?code=a-code&state=${state}`);
    await expect(web.auth.token('', server)).rejects.toThrow('did not come from https://login.example.com');
    expect(web.grants()).toEqual([]);
  });

  test('as a registration is used', async () => {
    const web = createWeb(wellBehaved());
    web.mailbox.setItem(`brooklet-mcp/client/${issuer} https://page.example/back`, client);
    await web.signIn();
    expect(web.asked.map(({ url }) => url)).not.toContain(`${issuer}/register`);
    expect(web.grants()[0]?.get('client_secret')).toBe('a secret');
  });
});
