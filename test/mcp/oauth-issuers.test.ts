import { describe, expect, test } from 'vitest';
import { actAsPage } from './support/act-as-page.ts';
import { createWeb, description, issuer, json, metadataOf, server, tokens, wellBehaved } from './support/web.ts';

actAsPage();

const honest = 'https://honest.example';
const places = [
  ['https://login.example.com', '/.well-known/oauth-authorization-server'],
  ['https://login.example.com', '/.well-known/openid-configuration'],
  ['https://login.example.com/one', '/.well-known/oauth-authorization-server/one'],
  ['https://login.example.com/one', '/.well-known/openid-configuration/one'],
  ['https://login.example.com/one', '/one/.well-known/openid-configuration'],
] as const;

describe('metadata', () => {
  const found = (name: string, place: string, more: object) =>
    createWeb({
      [description]: { resource: server, authorization_servers: [name] },
      [new URL(name).origin + place]: metadataOf(name, more),
      [`${name}/register`]: json({ client_id: 'client-1' }, 201),
      [`${name}/token`]: tokens,
    });

  test.each(places)('of %s are read at %s', async (name, place) => {
    const web = found(name, place, {});
    await web.signIn();
    expect(await web.auth.token('', server)).toBe('access-1');
    expect(web.visited[0]?.href).toMatch(`${name}/authorize?`);
  });

  test.each(
    places.flatMap<readonly [name: string, place: string, other: unknown]>(([name, place]) => [
      [name, place, honest],
      [name, place, `${new URL(name).origin}/other`],
      [name, place, 'no address'],
      [name, place, undefined],
      [name, place, 7],
    ]),
  )('of %s at %s are refused with the issuer %s', async (name, place, other) => {
    const issuers: string[] = [];
    const web = createWeb(
      {
        [description]: { resource: server, authorization_servers: [name] },
        [new URL(name).origin + place]: metadataOf(name, { issuer: other }),
      },
      { clientId: (each) => (issuers.push(each), 'my-app') },
    );
    await expect(web.auth.signIn(server)).rejects.toMatchObject({
      problem: 'sign-in',
      message: expect.stringContaining('describes another issuer'),
    });
    expect(issuers).toEqual([]);
    expect(web.visited).toEqual([]);
    expect([...web.mailbox.notes]).toEqual([]);
  });

  test('of a server without a description are refused with the issuer of another one, in both places', async () => {
    for (const place of ['oauth-authorization-server', 'openid-configuration']) {
      const { origin } = new URL(server);
      const web = createWeb({ [`${origin}/.well-known/${place}`]: metadataOf(origin, { issuer: honest }) });
      await expect(web.auth.signIn(server)).rejects.toThrow(`describes another issuer (${honest})`);
    }
  });

  test('count by the first place that answers', async () => {
    const web = createWeb(
      wellBehaved({
        [`${issuer}/.well-known/oauth-authorization-server`]: metadataOf(issuer, { issuer: honest }),
        [`${issuer}/.well-known/openid-configuration`]: metadataOf(issuer),
      }),
    );
    await expect(web.auth.signIn(server)).rejects.toThrow('describes another issuer');
  });
});

describe('a client', () => {
  /** A server that has moved from an authorization server to one that a stranger runs. */
  function moved(more: Parameters<typeof createWeb>[1] = {}, client: object = {}) {
    const evil = 'https://evil.example';
    const web = createWeb(
      wellBehaved({
        [`${issuer}/register`]: json(
          { client_id: 'client-of-honest', client_secret: 'secret-of-honest', ...client },
          201,
        ),
        [`${evil}/.well-known/oauth-authorization-server`]: metadataOf(evil),
        [`${evil}/register`]: json({ client_id: 'client-of-evil' }, 201),
        [`${evil}/token`]: { ...tokens, access_token: 'access-of-evil' },
      }),
      more,
    );
    const move = (): void => {
      web.pages[description] = { resource: server, authorization_servers: [evil] };
    };
    const told = (): string =>
      [...web.asked.map(({ text }) => text), ...web.visited.map(String)].filter((text) => text.startsWith(evil)).join();
    return { web, move, told };
  }

  test.each([{}, { token_endpoint_auth_method: 'client_secret_post' }, { token_endpoint_auth_method: 'none' }])(
    'that one issuer has registered is not sent to another, nor its secret: %o',
    async (client) => {
      const { web, move, told } = moved({}, client);
      await web.signIn();
      expect(await web.auth.token('', server)).toBe('access-1');
      move();
      await web.signIn();
      expect(await web.auth.token('', server)).toBe('access-of-evil');
      expect(told()).toContain('client-of-evil');
      expect(told()).not.toMatch(/of-honest/);
      web.clock.now += 7_200_000;
      await web.auth.token('', server);
      expect(web.grants()).toHaveLength(3);
      expect(told()).not.toMatch(/of-honest|refresh-of-honest/);
    },
  );

  test('of a fixed id is sent to its issuer only', async () => {
    const { web, move, told } = moved({ clientId: (each) => (each === issuer ? 'id-of-honest' : undefined) });
    await web.signIn();
    expect(web.visited[0]?.searchParams.get('client_id')).toBe('id-of-honest');
    move();
    await web.signIn();
    expect(web.visited[1]?.searchParams.get('client_id')).toBe('client-of-evil');
    expect(told()).not.toContain('of-honest');
  });

  test('proves itself in the way that the registration states', async () => {
    const proof = async (client: object) => {
      const { web } = moved({}, client);
      await web.signIn();
      const [asked] = web.asked.filter(({ url }) => url.endsWith('/token'));
      const header = new Headers(asked?.init.headers).get('authorization');
      return { id: asked?.form.get('client_id'), secret: asked?.form.get('client_secret'), header };
    };
    const basic = `Basic ${btoa('client%2Dof%2Dhonest:secret%2Dof%2Dhonest')}`;
    expect(await proof({})).toEqual({ id: null, secret: null, header: basic });
    expect(await proof({ token_endpoint_auth_method: 'client_secret_post' })).toEqual({
      id: 'client-of-honest',
      secret: 'secret-of-honest',
      header: null,
    });
    expect(await proof({ token_endpoint_auth_method: 'none' })).toMatchObject({ secret: null, header: null });
    expect(await proof({ client_secret: null })).toEqual({ id: 'client-of-honest', secret: null, header: null });
  });
});

describe('the reach of a server of the internet', () => {
  const near = [
    'http://127.0.0.1:3000',
    'https://127.0.0.1',
    'https://192.168.0.10',
    'http://192.168.0.10',
    'http://[::1]',
    'https://[::1]:8443',
    'http://localhost.',
    'https://localhost.',
    'https://[::ffff:127.0.0.1]',
    'https://2130706433',
  ];

  test.each(near)('does not include %s', async (origin) => {
    const sentence = /of this machine or network|not a safe address/;
    const named = createWeb(wellBehaved({ [description]: { resource: server, authorization_servers: [origin] } }));
    await expect(named.auth.signIn(server)).rejects.toThrow(sentence);
    for (const field of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']) {
      const more = { [field]: `${origin}/x` };
      const web = createWeb(
        wellBehaved({ [`${issuer}/.well-known/oauth-authorization-server`]: metadataOf(issuer, more) }),
      );
      await expect(web.auth.signIn(server)).rejects.toThrow(sentence);
      expect(web.visited).toEqual([]);
      expect(web.asked.every(({ url }) => url.startsWith(issuer) || url.startsWith('https://mcp.example.com'))).toBe(
        true,
      );
    }
    expect(named.asked.map(({ url }) => url)).toEqual([description]);
  });

  test.each(near)('does not include a description at %s', async (origin) => {
    const web = createWeb(wellBehaved());
    const header = `Bearer resource_metadata="${origin}/x"`;
    await web.auth.renew?.({ url: server, status: 401, header, token: '' });
    await expect(web.auth.signIn(server)).rejects.toThrow(/of this machine or network|not a safe address/);
    expect(web.asked).toEqual([]);
  });

  test('includes this machine for a server of this machine', async () => {
    const [here, login] = ['http://127.0.0.1:8080/mcp', 'http://127.0.0.1:9090'];
    const web = createWeb({
      'http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp': {
        resource: here,
        authorization_servers: [login],
      },
      [`${login}/.well-known/oauth-authorization-server`]: metadataOf(login),
      [`${login}/register`]: json({ client_id: 'client-1' }, 201),
      [`${login}/token`]: tokens,
    });
    await web.signIn(undefined, here);
    expect(await web.auth.token('', here)).toBe('access-1');
  });
});

test('every request of a sign-in goes without cookies, and follows no redirect', async () => {
  const web = createWeb(wellBehaved());
  await web.signIn();
  web.clock.now += 7_200_000;
  await web.auth.token('', server);
  expect(web.asked.map(({ url }) => url)).toEqual([
    description,
    `${issuer}/.well-known/oauth-authorization-server`,
    `${issuer}/register`,
    `${issuer}/token`,
    `${issuer}/token`,
  ]);
  for (const { init } of web.asked) expect(init).toMatchObject({ credentials: 'omit', redirect: 'error' });
  expect(web.grants().map((form) => form.get('resource'))).toEqual([server, server]);
});
