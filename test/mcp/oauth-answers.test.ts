import { afterEach, describe, expect, test } from 'vitest';
import { actAsPage } from './support/act-as-page.ts';
import { closeAll, later } from './support/person.ts';
import { serve } from './support/serve.ts';
import { createWeb, html, issuer, json, metadataOf, type Page, server, tokens, wellBehaved } from './support/web.ts';

actAsPage();
afterEach(closeAll);

/** Metadata that promise no `iss`, and metadata that do. */
const silent = metadataOf(issuer);
const advertised = metadataOf(issuer, { authorization_response_iss_parameter_supported: true });

describe('an answer to a sign-in', () => {
  const iss = encodeURIComponent(issuer);
  const evil = encodeURIComponent('https://evil.example');

  test.each<readonly [what: string, query: (state: string) => string, metadata: Page]>([
    ['without the issuer that was promised', (state) => `?code=a&state=${state}`, advertised],
    ['with an empty issuer that was promised', (state) => `?code=a&state=${state}&iss=`, advertised],
    ['of another issuer', (state) => `?code=a&state=${state}&iss=${evil}`, advertised],
    ['of another issuer, where none was promised', (state) => `?code=a&state=${state}&iss=${evil}`, silent],
    ['with two issuers', (state) => `?code=a&state=${state}&iss=${iss}&iss=${evil}`, silent],
    ['with another state', () => '?code=a&state=other', silent],
    ['with an empty state', () => '?code=a&state=', silent],
    ['without a state', () => '?code=a', silent],
    ['with two states', (state) => `?code=a&state=${state}&state=other`, silent],
    ['with two codes', (state) => `?code=a&state=${state}&code=b`, silent],
    ['with an empty code', (state) => `?code=&state=${state}`, silent],
    ['without a code', (state) => `?state=${state}`, silent],
    ['with a token', (state) => `?code=a&state=${state}&token=b`, silent],
    ['with an ID token', (state) => `?code=a&state=${state}&id_token=b`, silent],
    ['with a signed response', (state) => `?code=a&state=${state}&response=a.b.c`, silent],
    ['with the error of another issuer', (state) => `?error=access_denied&state=${state}&iss=${evil}`, advertised],
  ])('%s is refused: no token is asked for', async (_what, query, metadata) => {
    const web = createWeb(wellBehaved({ [`${issuer}/.well-known/oauth-authorization-server`]: metadata }));
    await expect(web.signIn(query)).rejects.toMatchObject({
      problem: 'sign-in',
      message: expect.stringMatching(/^The answer to the sign-in (did not come from|has no code)/),
    });
    expect(web.grants()).toEqual([]);
    expect(await web.word()).toBe('');
    // The answer counts once: nothing of it is left for the next request.
    expect(await web.auth.token('', server)).toBeUndefined();
    expect([...web.mailbox.notes.keys()]).toEqual([expect.stringContaining('/client/')]);
  });

  test('states the reason for which a person was not let in', async () => {
    const web = createWeb(wellBehaved());
    const query = (state: string) => `?error=access_denied&error_description=No+seat+left&state=${state}`;
    await expect(web.signIn(query)).rejects.toThrow(`${issuer} did not let the person in: No seat left.`);
  });

  test('under the state of another sign-in is not taken', async () => {
    const web = createWeb(wellBehaved());
    const gone = new AbortController();
    const signingIn = web.auth.signIn(server, { signal: gone.signal });
    await expect.poll(() => web.visited).toHaveLength(1);
    web.mailbox.setItem('brooklet-mcp/answer/other', '?code=stolen&state=other');
    expect(await web.auth.token('', server)).toBeUndefined();
    expect(web.grants()).toEqual([]);
    gone.abort();
    await expect(signingIn).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('an answer of the token endpoint', () => {
  const { token_type: _type, ...untyped } = tokens;
  const { access_token: _access, ...empty } = tokens;

  test.each<readonly [what: string, page: Page, sentence: RegExp]>([
    ['without `token_type`', json(untyped), /token_type.*must correct/],
    ['of the type DPoP', json({ ...tokens, token_type: 'DPoP' }), /must use `Bearer`/],
    ['of the type N_A', json({ ...tokens, token_type: 'N_A' }), /token_type.*must correct/],
    ['of a type that every object has', json({ ...tokens, token_type: 'constructor' }), /token_type.*must correct/],
    ['of a type that is no text', json({ ...tokens, token_type: 1 }), /token_type.*must correct/],
    ['without an access token', json(empty), /access_token.*must correct/],
    ['with an access token that is no text', json({ ...tokens, access_token: {} }), /access_token.*must correct/],
    ['with a refresh token that is no text', json({ ...tokens, refresh_token: 1 }), /refresh_token.*must correct/],
    ['with a scope that is no text', json({ ...tokens, scope: ['read'] }), /scope.*must correct/],
    ['with a negative `expires_in`', json({ ...tokens, expires_in: -1 }), /expires_in.*must correct/],
    ['with an `expires_in` of NaN', json({ ...tokens, expires_in: 'NaN' }), /expires_in.*must correct/],
    [
      'with an `expires_in` without end',
      () => new Response('{"access_token":"a","token_type":"bearer","expires_in":1e999}'),
      /expires_in/,
    ],
    ['that is HTML', html(), /answered 200 with something that is not a JSON object/],
    ['that is HTML of a failure', html(502), /answered 502 with something that is not a JSON object/],
    ['that is a list', json([tokens]), /not a JSON object/],
    ['that is nested too deep', () => new Response('{"a":'.repeat(10_000)), /not a JSON object/],
    ['of 5 MB', json({ ...tokens, more: 'x'.repeat(5_000_000) }), /more than 262144 bytes/],
    ['that refuses', json({ error: 'invalid_grant', error_description: 'Too late' }, 400), /gave no token: Too late/],
    ['that refuses with 200', json({ error: 'bad_verification_code' }), /gave no token: bad_verification_code/],
    ['that refuses without a reason', json({}, 500), /gave no token: status 500/],
  ])('%s gives no token', async (_what, page, sentence) => {
    const web = createWeb(wellBehaved({ [`${issuer}/token`]: page }));
    await expect(web.signIn()).rejects.toMatchObject({
      problem: 'sign-in',
      code: 'AUTHENTICATION_FAILED',
      message: expect.stringMatching(sentence),
    });
    expect(web.grants()).toHaveLength(1);
    expect(await web.word()).toBe('');
  });

  test.each([
    [{ expires_in: undefined }, undefined],
    [{ expires_in: null }, undefined],
    [{ expires_in: '3600' }, 3_600],
    [{ expires_in: 0 }, 0],
    [{ expires_in: 3_600, refresh_token: '', scope: null }, 3_600],
    [{ expires_in: 3_600, id_token: 'of.another.issuer' }, 3_600],
    [{ expires_in: 3_600, token_type: 'BEARER' }, 3_600],
  ])('with %o is read', async (more, seconds) => {
    const web = createWeb(wellBehaved({ [`${issuer}/token`]: json({ ...tokens, ...more }, 201) }));
    await web.signIn();
    const kept: unknown = JSON.parse(decodeURIComponent(atob(await web.word())));
    expect(kept).toMatchObject({ access: 'access-1', endpoint: `${issuer}/token` });
    if (seconds === undefined) expect(kept).not.toHaveProperty('expiresAt');
    else expect(kept).toHaveProperty('expiresAt', 1_000_000 + seconds * 1_000);
  });

  test('that redirects is not followed, and one without end is not read to its end', async () => {
    const stolen: string[] = [];
    const evil = await serve((request, response) => {
      stolen.push(request.method ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokens));
    });
    later(() => evil.close());
    let endless = 0;
    const login = await serve((request, response) => {
      if (request.url === '/endless') {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = (): boolean => {
          endless += 65_536;
          return response.write(' '.repeat(65_536), () => !response.destroyed && endless < 5_000_000 && more());
        };
        return void more();
      }
      response.writeHead(307, { location: evil.url }).end();
    });
    later(() => login.close());
    const [here, name] = ['http://127.0.0.1:8080/mcp', login.origin];
    const signIn = (endpoint: string) =>
      createWeb({
        'http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp': {
          resource: here,
          authorization_servers: [name],
        },
        [`${name}/.well-known/oauth-authorization-server`]: metadataOf(name, { token_endpoint: endpoint }),
        [`${name}/register`]: json({ client_id: 'client-1' }, 201),
      }).signIn(undefined, here);
    await expect(signIn(`${name}/token`)).rejects.toThrow(`${name}/token cannot be reached`);
    expect(stolen).toEqual([]);
    await expect(signIn(`${name}/endless`)).rejects.toThrow('more than 262144 bytes');
    expect(login.seen.some(({ path }) => path === '/endless')).toBe(true);
    expect(endless).toBeLessThan(5_000_000);
  });
});

describe('an answer to the registration', () => {
  test.each<readonly [what: string, page: Page, sentence: RegExp]>([
    ['without `client_id`', json({ client_name: 'A page' }, 201), /cannot use.*client_id.*must correct/],
    ['with an empty `client_id`', json({ client_id: '' }, 201), /cannot use.*client_id.*must correct/],
    ['with a `client_id` that is no text', json({ client_id: 7 }, 201), /cannot use.*client_id.*must correct/],
    ['with a secret that is no text', json({ client_id: 'a', client_secret: {} }, 201), /client_secret.*must correct/],
    ['that is HTML', html(201), /not a JSON object/],
    [
      'that refuses',
      json({ error: 'invalid_redirect_uri' }, 400),
      /refused to register this page: invalid_redirect_uri/,
    ],
    ['that fails', json({}, 503), /refused to register this page: status 503/],
  ])('%s is refused', async (_what, page, sentence) => {
    const web = createWeb(wellBehaved({ [`${issuer}/register`]: page }));
    await expect(web.auth.signIn(server)).rejects.toMatchObject({
      problem: 'sign-in',
      message: expect.stringMatching(sentence),
    });
    expect(web.visited).toEqual([]);
    expect([...web.mailbox.notes]).toEqual([]);
  });

  test.each([
    [{ client_id: 'client-1', client_secret: 'a secret' }, 201],
    [{ client_id: 'client-1', client_secret: '', client_secret_expires_at: null }, 201],
    [{ client_id: 'client-1' }, 200],
  ])('of %o with status %i is read, as other clients read it', async (answer, status) => {
    const web = createWeb(wellBehaved({ [`${issuer}/register`]: json(answer, status) }));
    await web.signIn();
    expect(await web.auth.token('', server)).toBe('access-1');
  });
});
