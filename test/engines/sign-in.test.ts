import { describe, expect, it } from 'vitest';
import { serve } from '../../scripts/serve-folder.mjs';
import { eventually } from '../e2e/support/eventually.ts';
import { setMCPServers } from '../e2e/support/mcp-servers.ts';
import { during } from '../e2e/support/stage.ts';
import { serveOAuth } from '../mcp/support/oauth.ts';
import { serveStateless } from '../mcp/support/servers.ts';
import { buildSite, servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = servePage('sign-in');
const { oauth, notes } = setMCPServers();
/** A page that isolates itself, and allows no text as code; the empty window inherits both. */
const strict = during(
  async () =>
    serve(await buildSite('sign-in'), {
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; connect-src *; require-trusted-types-for 'script'; trusted-types 'none'",
    }),
  (its) => its.stop(),
);
const isolated = during(
  () => serveOAuth({ headers: { 'cross-origin-opener-policy': 'same-origin' } }),
  (its) => its.close(),
);
const guarded = during(
  () => serveStateless((...request) => isolated().guards(...request)),
  (its) => its.close(),
);
/** An engine that hands the answer over too early does so in some sign-ins only. */
const times = 12;

describe.each(engines)('a sign-in that another tab ends, in %s', (name) => {
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );

  it('reaches the page that waits for it, each time', async () => {
    const tab = await engine().open();
    await tab.goto(site());
    const before = oauth().grants.length;
    const ends: string[] = [];
    while (ends.length < times) {
      const address = await tab.run((server) => globalThis.begin(server), notes().url);
      // The window of the driver has another process than the page, as one without an opener has. It may close itself.
      const other = await engine().open();
      await other.goto(address).catch(() => {});
      ends.push('signed in');
      await eventually(() => tab.run(() => globalThis.ends)).toEqual(ends);
      await other.close().catch(() => {});
    }
    expect(oauth().grants).toHaveLength(before + times);
    await eventually(() => tab.run(() => globalThis.leftovers())).toEqual([]);
    await tab.close();
  });

  it('reaches the page from a window that the page has opened, and that closes itself, each time', async () => {
    const tab = await engine().open();
    await tab.goto(site());
    await tab.run((server) => void (globalThis.server = server), notes().url);
    for (let count = 1; count <= times; count++) {
      await tab.click('button');
      await eventually(() => tab.run(() => globalThis.ends)).toEqual(Array.from({ length: count }, () => 'signed in'));
    }
    await eventually(() => tab.run(() => globalThis.leftovers())).toEqual([]);
    expect(await tab.run(() => localStorage.getItem('opener'))).toBe(null);
    await tab.close();
  });

  it('ends two sign-ins at once at one server, of two tabs', async () => {
    const tabs = [await engine().open(), await engine().open()];
    for (const tab of tabs) {
      await tab.goto(site());
      await tab.run((server) => void (globalThis.server = server), notes().url);
    }
    for (let count = 1; count <= 3; count++) {
      for (const tab of tabs) await tab.click('button');
      for (const tab of tabs)
        await eventually(() => tab.run(() => globalThis.ends)).toEqual(
          Array.from({ length: count }, () => 'signed in'),
        );
    }
    for (const tab of tabs) await tab.close();
  });

  it('reaches a page that isolates itself, and has a strict policy, from a server that isolates itself', async () => {
    const tab = await engine().open();
    await tab.goto(strict().url);
    await tab.run((server) => void (globalThis.server = server), guarded().url);
    for (let count = 1; count <= 3; count++) {
      await tab.click('button');
      await eventually(() => tab.run(() => globalThis.ends)).toEqual(Array.from({ length: count }, () => 'signed in'));
    }
    await eventually(() => tab.run(() => globalThis.leftovers())).toEqual([]);
    expect(await tab.run(() => localStorage.getItem('opener'))).toBe(null);
    await tab.close();
  });
});
