import { type MCPSignInOptions, receiveMCPSignIn } from 'brooklet/mcp';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { untyped } from '../support/untyped.ts';
import { actAsPage } from './support/act-as-page.ts';
import { createWeb, description, issuer, json, metadataOf, server, tokens, wellBehaved } from './support/web.ts';
import { createMailbox } from './support/window.ts';

actAsPage();

const { host, origin } = new URL(server);
const page = 'https://page.example/back';

describe('the description of a server', () => {
  const describing = (resource: unknown) =>
    createWeb(wellBehaved({ [description]: { resource, authorization_servers: [issuer] } }));

  test.each([
    'https://evil.example/mcp',
    `https://${host}.evil.example/mcp`,
    `https://evil.example/${host}/mcp`,
    'http://mcp.example.com/mcp',
    `https://${host}:8443/mcp`,
    `${origin}/other`,
    `${server}/deeper`,
    // The beginning of the name, and not a folder.
    `${origin}/mc`,
    'no address',
    '',
    null,
    7,
    [server],
  ])('of the server %j is refused: no token is asked for', async (resource) => {
    const web = describing(resource);
    await expect(web.auth.signIn(server)).rejects.toMatchObject({
      problem: 'sign-in',
      message: expect.stringContaining(`${host} describes another server`),
    });
    expect(web.asked.map(({ url }) => url)).toEqual([description]);
    expect(web.visited).toEqual([]);
  });

  test('of a folder of the same name elsewhere is refused', async () => {
    const deep = `${origin}/a/mcp`;
    const place = `${origin}/.well-known/oauth-protected-resource/a/mcp`;
    const web = createWeb(wellBehaved({ [place]: { resource: server, authorization_servers: [issuer] } }));
    await expect(web.auth.signIn(deep)).rejects.toThrow('describes another server');
  });

  test.each([server, `${server}/`, origin, `${origin}/`])('of the folder %s is taken, and named', async (resource) => {
    const web = describing(resource);
    await web.signIn();
    expect(web.visited[0]?.searchParams.get('resource')).toBe(resource);
    expect(web.grants().map((form) => form.get('resource'))).toEqual([resource]);
  });

  test('without a server stands for the address that was asked', async () => {
    const web = describing(undefined);
    await web.signIn();
    expect(web.grants().map((form) => form.get('resource'))).toEqual([server]);
  });

  test('names the first authorization server that is a text', async () => {
    const servers = [7, '', issuer, 'https://evil.example'];
    const web = createWeb(wellBehaved({ [description]: { resource: server, authorization_servers: servers } }));
    await web.signIn();
    expect(web.visited[0]?.origin).toBe(issuer);
  });
});

describe('an address of a sign-in on this machine', () => {
  const here = 'http://127.0.0.1:8080/mcp';
  const login = 'http://127.0.0.1:9090';
  const signIn = (servers: readonly unknown[], more: object = {}) => {
    const web = createWeb({
      'http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp': {
        resource: here,
        authorization_servers: servers,
      },
      [`${login}/.well-known/oauth-authorization-server`]: metadataOf(login, more),
      [`${login}/register`]: json({ client_id: 'client-1' }, 201),
    });
    return { web, done: web.auth.signIn(here) };
  };
  const unsafe = [
    'http://localhost.evil.example/x',
    'http://127.0.0.1.evil.example/x',
    'http://not-localhost/x',
    'http://evil.example/localhost',
    'http://192.168.1.1/x',
    'ftp://127.0.0.1/x',
    'ws://localhost/x',
    'file:///etc/passwd',
    'data:text/html,x',
    'localhost/x',
  ];

  test.each(unsafe)('is not %s', async (address) => {
    const named = signIn([address]);
    await expect(named.done).rejects.toThrow('is not a safe address');
    expect(named.web.asked).toHaveLength(1);
    for (const field of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']) {
      const { web, done } = signIn([login], { [field]: address });
      await expect(done).rejects.toThrow('is not a safe address');
      expect(web.visited).toEqual([]);
      expect(web.asked.map(({ url }) => url)).not.toContain(address);
    }
  });

  test.each([7, null, {}, ['http://127.0.0.1:9090/x'], ''])('is not the value %j', async (value) => {
    for (const field of ['authorization_endpoint', 'registration_endpoint']) {
      const { web, done } = signIn([login], { [field]: value });
      await expect(done).rejects.toMatchObject({ problem: 'sign-in' });
      expect(web.visited).toEqual([]);
    }
  });
});

describe('a client at an authorization server', () => {
  const clientMetadataUrl = 'https://page.example/client.json';

  test.each<readonly [supported: unknown, url: string | undefined, id: string]>([
    [true, clientMetadataUrl, clientMetadataUrl],
    [true, undefined, 'client-1'],
    [false, clientMetadataUrl, 'client-1'],
    ['true', clientMetadataUrl, 'client-1'],
    [1, clientMetadataUrl, 'client-1'],
    [undefined, clientMetadataUrl, 'client-1'],
  ])('that reads the documents of pages (%j), with the document %s, is %s', async (supported, url, id) => {
    const metadata = metadataOf(issuer, { client_id_metadata_document_supported: supported });
    const pages = wellBehaved({ [`${issuer}/.well-known/oauth-authorization-server`]: metadata });
    const web = createWeb(pages, url === undefined ? {} : { clientMetadataUrl: url });
    await web.signIn();
    expect(web.visited[0]?.searchParams.get('client_id')).toBe(id);
    expect(web.asked.some((one) => one.url === `${issuer}/register`)).toBe(id === 'client-1');
  });

  test('registers for codes and refreshed tokens, as a page without a secret', async () => {
    const web = createWeb(wellBehaved());
    await web.signIn();
    const { init } = web.asked.find(({ url }) => url === `${issuer}/register`) ?? expect.unreachable();
    expect(JSON.parse(typeof init.body === 'string' ? init.body : '')).toEqual({
      client_name: 'A page',
      redirect_uris: [page],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
    });
  });
});

describe('what is stored, and damaged,', () => {
  const good = {
    access: 'access-0',
    refresh: 'refresh-0',
    expiresAt: 4_600_000,
    scope: 'read',
    endpoint: `${issuer}/token`,
    resource: server,
    client: { id: 'client-0' },
  };
  const toWord = (value: unknown) => btoa(encodeURIComponent(JSON.stringify(value)));

  test.each<readonly [what: string, word: string]>([
    ['a list', toWord([good])],
    ['null', toWord(null)],
    ['no access token', toWord({ ...good, access: undefined })],
    ['an access token that is no text', toWord({ ...good, access: 7 })],
    ['no client', toWord({ ...good, client: undefined })],
    ['a client that is no object', toWord({ ...good, client: 'client-0' })],
    ['a client without an id', toWord({ ...good, client: { id: '' } })],
    ['a client whose id is no text', toWord({ ...good, client: { id: 7 } })],
    ['text that is not JSON', btoa('%7B')],
    ['text that is not base64', '\u0000'],
    ['an escape that is none', btoa('%')],
  ])('as tokens is none: %s', async (_what, word) => {
    const web = createWeb(wellBehaved());
    await web.words.save(server, word);
    expect(await web.auth.token('', server)).toBeUndefined();
    const challenge = { url: server, status: 401, header: '', token: undefined } as const;
    expect(await web.auth.renew?.(challenge)).toBe(false);
    expect(web.asked).toEqual([]);
  });

  test.each([7, {}, null])('as a refresh token is none: %j', async (refresh) => {
    const web = createWeb(wellBehaved());
    await web.words.save(server, toWord({ ...good, refresh }));
    web.clock.now = 5_000_000;
    expect(await web.auth.token('', server)).toBe('access-0');
    expect(web.grants()).toEqual([]);
  });

  test.each(['0', null, {}])('as the end of a token is none: %j', async (expiresAt) => {
    const web = createWeb(wellBehaved());
    await web.words.save(server, toWord({ ...good, expiresAt }));
    web.clock.now = 5_000_000;
    expect(await web.auth.token('', server)).toBe('access-0');
    expect(web.grants()).toEqual([]);
  });

  test.each([
    { id: 'client-0', secret: 7, method: 'client_secret_post' },
    { id: 'client-0', secret: 'a secret', method: 7 },
  ])('as a proof of the client is none: %j', async (client) => {
    const web = createWeb(wellBehaved());
    await web.words.save(server, toWord({ ...good, client }));
    web.clock.now = 5_000_000;
    expect(await web.auth.token('', server)).toBe('access-1');
    expect(web.grants()[0]?.get('client_secret')).toBeNull();
    const [asked] = web.asked;
    expect(new Headers(asked?.init.headers).has('authorization')).toBe(client.secret === 'a secret');
    expect(decodeURIComponent(atob(await web.word()))).not.toContain('7');
  });

  test('as a registration is none, and the page registers again', async () => {
    for (const note of ['{"id":""}', '{"id":7}', '{}', '[]', 'x']) {
      const web = createWeb(wellBehaved());
      web.mailbox.setItem(`brooklet-mcp/client/${issuer} ${page}`, note);
      await web.signIn();
      expect(web.visited[0]?.searchParams.get('client_id')).toBe('client-1');
    }
  });

  const pending = {
    state: 'a state',
    verifier: 'v'.repeat(43),
    server: { issuer, metadata: metadataOf(issuer), resource: server, scope: '' },
    client: { id: 'client-0' },
  };

  test.each([
    ['no state', { ...pending, state: undefined }],
    ['a state that is no text', { ...pending, state: 7 }],
    ['no client', { ...pending, client: undefined }],
    ['a client without an id', { ...pending, client: { id: '' } }],
    ['null', null],
    ['a list', [pending]],
  ])('as a sign-in that waits is none, and takes no answer: %s', async (_what, note) => {
    const web = createWeb(wellBehaved());
    web.mailbox.setItem(`brooklet-mcp/pending/${server}`, JSON.stringify(note));
    for (const state of ['a state', '7', 'undefined'])
      web.mailbox.setItem(`brooklet-mcp/answer/${state}`, `?code=a-code&state=${state}`);
    expect(await web.auth.token('', server)).toBeUndefined();
    expect(web.asked).toEqual([]);
    expect(web.mailbox.notes.size).toBe(4);
  });

  test('as a sign-in that waits, and is whole, takes its answer', async () => {
    const web = createWeb(wellBehaved());
    web.mailbox.setItem(`brooklet-mcp/pending/${server}`, JSON.stringify(pending));
    web.mailbox.setItem('brooklet-mcp/answer/a state', '?code=a-code&state=a+state');
    // Without a window: the person has signed in already.
    await web.auth.signIn(server);
    expect(web.visited).toEqual([]);
    expect(await web.auth.token('', server)).toBe('access-1');
  });
});

describe('a server that refuses a token', () => {
  const refusing = async (more: object = {}) => {
    const web = createWeb(wellBehaved({ [`${issuer}/token`]: { ...tokens, ...more } }));
    await web.signIn();
    return web;
  };
  const challenge = (status: 401 | 403, token: string | undefined, header = '') => ({
    url: server,
    status,
    header,
    token,
  });

  test('is asked again without a refresh where there is another token by now', async () => {
    const web = await refusing();
    expect(await web.auth.renew?.(challenge(401, 'an older one'))).toBe(true);
    expect(await web.auth.renew?.(challenge(403, 'an older one'))).toBe(true);
    expect(web.grants()).toHaveLength(1);
  });

  test('is asked again with a fresh token, and not where the refresh is refused', async () => {
    const web = await refusing();
    web.pages[`${issuer}/token`] = { ...tokens, access_token: 'access-2' };
    expect(await web.auth.renew?.(challenge(401, 'access-1'))).toBe(true);
    expect(await web.auth.token('', server)).toBe('access-2');
    web.pages[`${issuer}/token`] = json({ error: 'invalid_grant' }, 400);
    expect(await web.auth.renew?.(challenge(401, 'access-2'))).toBe(false);
  });

  test('for want of rights gets no refresh: the person signs in for more, beside what was granted', async () => {
    const web = await refusing({ scope: 'read' });
    const header = 'Bearer error="insufficient_scope", scope="write read"';
    expect(await web.auth.renew?.(challenge(403, 'access-1', header))).toBe(false);
    expect(web.grants()).toHaveLength(1);
    await web.signIn();
    expect(web.visited.map(({ searchParams }) => searchParams.get('scope'))).toEqual([null, 'read write']);
  });

  test('for its time gets no rights of earlier tokens', async () => {
    const web = await refusing({ scope: 'read admin', refresh_token: undefined });
    expect(await web.auth.renew?.(challenge(401, 'access-1', 'Bearer scope="read"'))).toBe(false);
    await web.signIn();
    expect(web.visited.at(-1)?.searchParams.get('scope')).toBe('read');
  });

  test('keeps the rights that were asked for where the answer names none', async () => {
    const web = await refusing();
    await web.auth.renew?.(challenge(401, undefined, 'Bearer scope="read"'));
    await web.signIn();
    await web.auth.renew?.(challenge(403, 'access-1', 'Bearer scope="write"'));
    await web.signIn();
    expect(web.visited.at(-1)?.searchParams.get('scope')).toBe('read write');
  });
});

test.each<readonly [own: readonly string[], theirs: readonly string[], scope: string | null]>([
  [['read'], ['offline_access'], 'read offline_access'],
  [['read', 'offline_access'], ['offline_access'], 'read offline_access'],
  [['read'], ['read'], 'read'],
  [[], ['offline_access'], null],
])('a server of the rights %j, at one of the rights %j, asks for %s', async (own, theirs, scope) => {
  const web = createWeb(
    wellBehaved({
      [description]: { resource: server, authorization_servers: [issuer], scopes_supported: own },
      [`${issuer}/.well-known/oauth-authorization-server`]: metadataOf(issuer, { scopes_supported: theirs }),
    }),
  );
  await web.signIn();
  expect(web.visited[0]?.searchParams.get('scope')).toBe(scope);
});

describe('the window of a sign-in', () => {
  afterEach(() => void vi.unstubAllGlobals());

  test.each([
    ['?code=a&state=s', true],
    ['?error=access_denied&state=', true],
    ['?code=a', false],
    ['', false],
  ])('at the address %j leaves an answer: %s', (search, isAnswer) => {
    const close = vi.fn();
    vi.stubGlobal('location', { search });
    vi.stubGlobal('close', close);
    const mailbox = createMailbox();
    expect(receiveMCPSignIn(mailbox)).toBe(isAnswer);
    expect([...mailbox.notes.values()]).toEqual(isAnswer ? [search] : []);
    expect(close).toHaveBeenCalledTimes(isAnswer ? 1 : 0);
  });

  /** What `window.open` returns. */
  function createOpened() {
    const visited: string[] = [];
    const opened = {
      opener: 'the page',
      closed: false,
      document: { title: '', body: { textContent: '' } },
      location: { replace: (url: string) => void visited.push(url) },
      close: vi.fn(() => void (opened.closed = true)),
    };
    return { opened, visited };
  }

  /** A page whose windows are those of the browser. */
  function createPage(opened: unknown, more: Partial<MCPSignInOptions> = {}, pages = wellBehaved()) {
    // As WebKit does: a window that is opened after an await is blocked.
    let isClick = true;
    void Promise.resolve().then(() => (isClick = false));
    const open = vi.fn(() => (isClick ? opened : null));
    vi.stubGlobal('window', { open });
    const web = createWeb(pages, untyped({ open: undefined, ...more }));
    return { ...web, open };
  }

  const address = expect.stringContaining(`${issuer}/authorize`);

  test.each([true, false])(
    'has no opener, and a link stands for it where the browser blocks it: open %s',
    async (isOpen) => {
      const { opened, visited } = createOpened();
      const links: string[] = [];
      const gone = new AbortController();
      const page = createPage(isOpen ? opened : null, { onBlocked: (url) => void links.push(url) });
      const signingIn = page.auth.signIn(server, { signal: gone.signal });
      // The page in the window could navigate this one by its opener.
      expect(opened.opener).toBe(isOpen ? null : 'the page');
      await expect.poll(() => visited.length + links.length).toBe(1);
      gone.abort();
      await expect(signingIn).rejects.toMatchObject({ code: 'ABORTED' });
      expect(visited).toEqual(isOpen ? [address] : []);
      expect(links).toEqual(isOpen ? [] : [address]);
      expect(page.open).toHaveBeenCalledWith('', '_blank', expect.any(String));
      // The authorization server has it now.
      expect(opened.close).not.toHaveBeenCalled();
    },
  );

  test('names the server until the address is known', () => {
    const { opened } = createOpened();
    const page = createPage(opened);
    page.auth.signIn(server).catch(() => {});
    expect(opened.document).toEqual({ title: 'mcp.example.com', body: { textContent: 'mcp.example.com …' } });
  });

  test('gives way to a link where the person has closed it meanwhile', async () => {
    const { opened, visited } = createOpened();
    const links: string[] = [];
    const gone = new AbortController();
    const page = createPage(opened, { onBlocked: (url) => void links.push(url) });
    const signingIn = page.auth.signIn(server, { signal: gone.signal });
    opened.closed = true;
    await expect.poll(() => links).toEqual([address]);
    gone.abort();
    await expect(signingIn).rejects.toMatchObject({ code: 'ABORTED' });
    expect(visited).toEqual([]);
  });

  test('is refused where the browser blocks it, and the page shows no link', async () => {
    const page = createPage(null);
    await expect(page.auth.signIn(server)).rejects.toMatchObject({
      problem: 'sign-in',
      message: expect.stringContaining('in the handler of a click'),
    });
  });

  test('closes where the sign-in ends before the person is asked', async () => {
    const failing = createOpened();
    const page = createPage(failing.opened, {}, { [description]: json({}, 500) });
    await expect(page.auth.signIn(server)).rejects.toMatchObject({ problem: 'sign-in' });
    expect(failing.opened.close).toHaveBeenCalledTimes(1);

    const ended = createOpened();
    const gone = new AbortController();
    const signingIn = createPage(ended.opened).auth.signIn(server, { signal: gone.signal });
    gone.abort();
    await expect(signingIn).rejects.toMatchObject({ code: 'ABORTED' });
    expect(ended.opened.close).toHaveBeenCalledTimes(1);
    expect(ended.visited).toEqual([]);
  });

  test('is not opened for an answer that has arrived', async () => {
    const first = createWeb(wellBehaved());
    const gone = new AbortController();
    const signingIn = first.auth.signIn(server, { signal: gone.signal });
    await expect.poll(() => first.visited.length).toBe(1);
    gone.abort();
    await expect(signingIn).rejects.toMatchObject({ code: 'ABORTED' });
    first.mailbox.setItem(`brooklet-mcp/answer/${first.state()}`, `?code=a-code&state=${first.state()}`);
    const reloaded = createPage(createOpened().opened, { mailbox: first.mailbox });
    await reloaded.auth.signIn(server);
    expect(reloaded.open).not.toHaveBeenCalled();
    expect(await reloaded.auth.token('', server)).toBe('access-1');
  });
});

test('an answer that came without a message is taken as soon as the window is open', async () => {
  const web = createWeb(wellBehaved(), {
    open(address) {
      const state = new URL(address).searchParams.get('state') ?? '';
      web.mailbox.setItem(`brooklet-mcp/answer/${state}`, `?code=a-code&state=${state}`);
      return true;
    },
  });
  await web.auth.signIn(server);
  expect(await web.auth.token('', server)).toBe('access-1');
});
