import { afterEach, describe, expect, test, vi } from 'vitest';
import { receiveMCPSignIn } from 'brooklet/mcp';
import { actAsPage } from './support/act-as-page.ts';
import { createWeb, description, issuer, json, server, tokens, wellBehaved } from './support/web.ts';
import { createMailbox } from './support/window.ts';

actAsPage();

type Web = ReturnType<typeof createWeb>;

const other = 'https://other.example.com/mcp';
const withOther = () =>
  wellBehaved({
    'https://other.example.com/.well-known/oauth-protected-resource/mcp': {
      resource: other,
      authorization_servers: [issuer],
    },
  });

/** Begins sign-ins, and resolves with their states once each has a window. */
async function begin(web: Web, ...urls: readonly string[]) {
  const ends: Promise<void>[] = [];
  for (const url of urls) {
    ends.push(web.auth.signIn(url));
    await expect.poll(() => web.visited.length).toBe(ends.length);
  }
  const settled = ends.map((end) => end.then(() => 'signed in', String));
  const states = web.visited.map(({ searchParams }) => searchParams.get('state') ?? '');
  return { ends, settled, states };
}

const answerOf = (state = ''): [state: string, query: string] => [state, `?code=a-code&state=${state}`];
const leftovers = ({ mailbox }: Web): string[] => [...mailbox.notes.keys()].filter((key) => !key.includes('/client/'));

/** A promise, and what resolves it. */
function createGate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

describe('two sign-ins at once', () => {
  test.each([
    [0, 1],
    [1, 0],
  ])('at two servers each take their own answer, the one of window %i first', async (first, second) => {
    const web = createWeb(withOther());
    const { settled, states } = await begin(web, server, other);
    await web.mailbox.leave(...answerOf(states[first]));
    expect(await settled[first]).toBe('signed in');
    await web.mailbox.leave(...answerOf(states[second]));
    expect(await Promise.all(settled)).toEqual(['signed in', 'signed in']);
    expect(leftovers(web)).toEqual([]);
  });

  test.each([0, 1])('at one server both end with the answer of one window, window %i', async (answered) => {
    const web = createWeb(wellBehaved());
    const { settled, states } = await begin(web, server, server);
    await web.mailbox.leave(...answerOf(states[answered]));
    expect(await Promise.all(settled)).toEqual(['signed in', 'signed in']);
    expect(web.grants()).toHaveLength(1);
  });

  test('at one server: a window in which the person is refused ends its own sign-in alone', async () => {
    const web = createWeb(wellBehaved());
    const { settled, states } = await begin(web, server, server);
    await web.mailbox.leave(states[0] ?? '', `?error=access_denied&state=${states[0]}`);
    expect(await settled[0]).toContain('did not let the person in');
    await web.mailbox.leave(...answerOf(states[1]));
    expect(await settled[1]).toBe('signed in');
    expect(leftovers(web)).toEqual([]);
  });

  test.each([
    [0, 1],
    [1, 0],
  ])('of two tabs each take the answer of their own window, the one of tab %i first', async (first, second) => {
    const one = createWeb(wellBehaved());
    // Each tab keeps its tokens for itself, as a vault does that is not protected.
    const tabs = [one, createWeb(wellBehaved(), { mailbox: one.mailbox })];
    const begun: Awaited<ReturnType<typeof begin>>[] = [];
    for (const tab of tabs) begun.push(await begin(tab, server));
    for (const index of [first, second]) {
      await one.mailbox.leave(...answerOf(begun[index]?.states[0]));
      expect(await begun[index]?.settled[0]).toBe('signed in');
      expect(await tabs[index]?.auth.token('', server)).toBe('access-1');
    }
    expect(leftovers(one)).toEqual([]);
  });

  test('leave no link for the one that ends while its server is asked', async () => {
    const gate = createGate();
    const links: string[] = [];
    let asked = 0;
    const web = createWeb(wellBehaved(), {
      open: (address) => (links.push(address), links.length === 1),
      onBlocked: (address) => void links.push(`blocked: ${address}`),
      fetch: async (input) => {
        const url = `${input instanceof Request ? input.url : input}`;
        if (url === description && ++asked === 2) await gate.opened;
        const found = wellBehaved()[url];
        return typeof found === 'function' ? found() : Response.json(found);
      },
    });
    const ends = [web.auth.signIn(server), web.auth.signIn(server)];
    await expect.poll(() => links.length).toBe(1);
    const state = new URL(links[0] ?? '').searchParams.get('state') ?? '';
    await web.mailbox.leave(...answerOf(state));
    await Promise.all(ends);
    gate.open();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(links).toHaveLength(1);
    expect(leftovers(web)).toEqual([]);
  });
});

describe('an answer that another request of the page takes', () => {
  test('ends the sign-in that waits for it', async () => {
    const web = createWeb(wellBehaved());
    const { settled, states } = await begin(web, server);
    web.mailbox.notes.set(`brooklet-mcp/answer/${states[0]}`, answerOf(states[0])[1]);
    // The message has not come yet.
    expect(await web.auth.token('', server)).toBe('access-1');
    expect(await settled[0]).toBe('signed in');
  });

  test('ends the sign-in that waits for it, also where it is refused', async () => {
    const web = createWeb(wellBehaved({ [`${issuer}/token`]: json({ error: 'invalid_grant' }, 400) }));
    const { settled, states } = await begin(web, server);
    web.mailbox.notes.set(`brooklet-mcp/answer/${states[0]}`, answerOf(states[0])[1]);
    await expect(web.auth.token('', server)).rejects.toMatchObject({ problem: 'sign-in' });
    expect(await settled[0]).toContain('gave no token');
  });
});

describe('a sign-out', () => {
  test('ends a sign-in that waits, and its answer is not used', async () => {
    const web = createWeb(withOther());
    const { ends, settled, states } = await begin(web, server, other);
    await web.auth.signOut(server);
    await expect(ends[0]).rejects.toMatchObject({ code: 'ABORTED' });
    await web.mailbox.leave(...answerOf(states[0]));
    expect(await web.auth.token('', server)).toBeUndefined();
    // The sign-in at another server goes on.
    await web.mailbox.leave(...answerOf(states[1]));
    expect(await settled[1]).toBe('signed in');
  });

  test('while the server is asked opens no window later', async () => {
    const web = createWeb(wellBehaved());
    const signingIn = web.auth.signIn(server);
    await web.auth.signOut(server);
    await expect(signingIn).rejects.toMatchObject({ code: 'ABORTED' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([web.visited, leftovers(web)]).toEqual([[], []]);
  });

  /** A page whose token endpoint answers once the gate is open. */
  function createSlow(pages = wellBehaved()) {
    const gate = createGate();
    const requests: string[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      const url = `${input instanceof Request ? input.url : input}`;
      requests.push(url);
      const found = pages[url];
      if (url.endsWith('/token')) await gate.opened;
      return typeof found === 'function' ? found() : Response.json(found);
    };
    const grants = () => requests.filter((url) => url.endsWith('/token')).length;
    return { web: createWeb(pages, { fetch }), gate, grants };
  }

  test('while tokens are on their way keeps none of them', async () => {
    const { web, gate, grants } = createSlow();
    const { ends, settled, states } = await begin(web, server);
    await web.mailbox.leave(...answerOf(states[0]));
    expect(grants()).toBe(1);
    await web.auth.signOut(server);
    await expect(ends[0]).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await settled[0]).toContain('has signed out');
    gate.open();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await web.word()).toBe('');
  });

  test('while a token is refreshed keeps no fresh one', async () => {
    const before = createWeb(wellBehaved({ [`${issuer}/token`]: { ...tokens, expires_in: 1 } }));
    await before.signIn();
    const { web, gate, grants } = createSlow();
    await web.words.save(server, await before.word());
    const asking = web.auth.token('', server);
    await expect.poll(grants).toBe(1);
    await web.auth.signOut(server);
    gate.open();
    expect(await asking).toBeUndefined();
    expect(await web.word()).toBe('');
    // A sign-in after it is as any other.
    await web.signIn();
    expect(await web.word()).not.toBe('');
  });
});

describe('a mailbox that is full', () => {
  afterEach(() => void vi.unstubAllGlobals());

  const createFull = () =>
    Object.assign(createMailbox(), {
      setItem() {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
    });
  const refusal = { problem: 'sign-in', message: expect.stringContaining('mailbox') };

  test('refuses a sign-in before the person is asked', async () => {
    const web = createWeb(wellBehaved(), { mailbox: createFull() });
    await expect(web.auth.signIn(server)).rejects.toMatchObject(refusal);
    expect(web.visited).toEqual([]);
  });

  test('refuses the answer, in a window that stays open', () => {
    const close = vi.fn();
    vi.stubGlobal('location', { search: '?code=a&state=s' });
    vi.stubGlobal('close', close);
    expect(() => receiveMCPSignIn(createFull())).toThrow(expect.objectContaining(refusal));
    expect(close).not.toHaveBeenCalled();
  });
});

describe('the window of a sign-in', () => {
  afterEach(() => void vi.unstubAllGlobals());

  /** A sign-in that waits, and its window with the answer of the authorization server. */
  async function beginAnswered() {
    const web = createWeb(wellBehaved());
    const { settled, states } = await begin(web, server);
    const close = vi.fn();
    vi.stubGlobal('location', { search: answerOf(states[0])[1] });
    vi.stubGlobal('close', close);
    return { web, close, settled, state: states[0] };
  }

  test('reaches a page by its message alone, where the mailbox is not that of the browser', async () => {
    const { web, close, settled } = await beginAnswered();
    expect(receiveMCPSignIn(web.mailbox)).toBe(true);
    expect(await settled[0]).toBe('signed in');
    expect(close).toHaveBeenCalledTimes(1);
  });

  test('reaches a page by the event of `localStorage` alone, in a browser without channels', async () => {
    vi.stubGlobal('BroadcastChannel', undefined);
    const { web, close, settled, state } = await beginAnswered();
    expect(receiveMCPSignIn(web.mailbox)).toBe(true);
    expect(close).toHaveBeenCalledTimes(1);
    dispatchEvent(Object.assign(new Event('storage'), { key: `brooklet-mcp/answer/${state}` }));
    expect(await settled[0]).toBe('signed in');
  });

  test('of another page that posts and writes without the state ends nothing', async () => {
    const { web, settled, state } = await beginAnswered();
    const others = ['brooklet-mcp/answer/', 'brooklet-mcp/answer/guessed', `brooklet-mcp/answer/${state}x`];
    for (const key of others) {
      web.mailbox.notes.set(key, '?code=theirs&state=guessed');
      dispatchEvent(Object.assign(new Event('storage'), { key }));
      await web.mailbox.leave('guessed', '?code=theirs&state=guessed');
    }
    dispatchEvent(Object.assign(new Event('storage'), { key: null }));
    expect(web.grants()).toEqual([]);
    await web.mailbox.leave(...answerOf(state));
    expect(await settled[0]).toBe('signed in');
  });
});
