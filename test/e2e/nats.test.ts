import { describe, expect, it } from 'vitest';
import { natsServer, startNatsServer } from '../nats/support/nats-server.ts';
import { addStream, api } from '../nats/support/streams.ts';
import { startBrowser } from './support/browser.ts';
import { during, setSite } from './support/stage.ts';

const site = setSite(new URL('support/nats', import.meta.url));

describe.skipIf(natsServer === undefined)('the store over NATS in a page', () => {
  const browser = during(
    () => startBrowser(),
    (its) => its.close(),
  );
  const server = during(
    () => startNatsServer(),
    (its) => its.stop(),
  );

  it('passes the contract over WebSocket', { timeout: 240_000 }, async () => {
    const operator = await server().connect();
    const { page } = await browser().open(site().freshURL());
    await page.exposeFunction('addStream', (user: string) => addStream(operator, { user }));
    await page.exposeFunction('removeStream', (user: string) => api(operator, `STREAM.DELETE.BROOKLET_${user}`));
    const { webSocketUrl, name } = server();
    const outcomes = await page.evaluate(([url, serverName]) => globalThis.runContract(url, serverName), [
      webSocketUrl,
      name,
    ] as const);
    expect(outcomes.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(outcomes.filter(({ skipped }) => skipped === undefined).length).toBeGreaterThanOrEqual(100);
    await operator.close();
  });
});
