import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { issuer, wellBehaved } from '../mcp/support/web.ts';
import { createMailbox, pageEvents } from '../mcp/support/window.ts';

/** What the sign-ins need of a page, whose browser blocks windows. */
const storage = createMailbox();
vi.resetModules();
for (const [name, value] of Object.entries(pageEvents)) vi.stubGlobal(name, value);
vi.stubGlobal('localStorage', storage);
vi.stubGlobal('sessionStorage', storage);
vi.stubGlobal('location', new URL('https://page.example/'));
vi.stubGlobal('window', Object.assign(new EventTarget(), { open: () => null }));
const { signIn } = await import('../../demo/src/mcp/signIns.ts');
const { addServer, changeServer, removeServer, servers } = await import('../../demo/src/mcp/servers.ts');
const { getStates, setState, stateOf } = await import('../../demo/src/mcp/states.ts');

const switchedOff = { is: 'off' } as const;

/** The address at which the user signs in, as the page shows it. */
const addressOf = (name: string): string | undefined => {
  const state = stateOf(name);
  return state.is === 'signing-in' ? state.address : undefined;
};

function cancel(name: string): void {
  const state = stateOf(name);
  if (state.is === 'signing-in') state.cancel();
}

beforeEach(() => {
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.pathname === '/.well-known/oauth-protected-resource/mcp')
      return Response.json({ resource: `${url.origin}/mcp`, authorization_servers: [issuer] });
    const found = wellBehaved()[url.href];
    return typeof found === 'function' ? found() : Response.json(found ?? {}, { status: found ? 200 : 404 });
  });
});

afterEach(() => {
  for (const name of getStates().keys()) cancel(name);
  servers.change(() => []);
  storage.notes.clear();
});

describe('a sign-in whose window the browser has blocked', () => {
  it('shows the link of its own server, while the user signs in at another one', async () => {
    const names = ['https://one.example/mcp', 'https://two.example/mcp'].map(addServer);
    for (const name of names) signIn(name);
    await expect.poll(() => names.map(addressOf).every(Boolean)).toBe(true);
    expect(names.map((name) => new URL(addressOf(name) ?? '').searchParams.get('resource'))).toEqual([
      'https://one.example/mcp',
      'https://two.example/mcp',
    ]);
  });

  it('leaves the state of a server that was removed, or switched off, meanwhile', async () => {
    const names = ['https://one.example/mcp', 'https://two.example/mcp'].map(addServer);
    const [removed = '', off = ''] = names;
    for (const name of names) {
      setState(name, { is: 'connecting' });
      signIn(name);
      await expect.poll(() => addressOf(name)).toBeDefined();
    }
    const cancels = names.map((name) => {
      const state = stateOf(name);
      return state.is === 'signing-in' ? state.cancel : () => {};
    });
    removeServer(removed);
    setState(removed, undefined);
    changeServer(off, { isOn: false });
    setState(off, switchedOff);
    for (const one of cancels) one();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([getStates().has(removed), stateOf(off)]).toEqual([false, switchedOff]);
  });
});
