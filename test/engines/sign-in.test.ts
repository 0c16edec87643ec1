import { describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/eventually.ts';
import { setMCPServers } from '../e2e/support/mcp-servers.ts';
import { during } from '../e2e/support/stage.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = servePage('sign-in');
const { oauth, notes } = setMCPServers();
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
});
