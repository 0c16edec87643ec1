import { describe, expect, it } from 'vitest';
import type { Outcome } from '../e2e/support/nats/outcome.ts';
import { listen } from '../e2e/support/server.ts';
import { during } from '../e2e/support/stage.ts';
import { natsServer, startNatsServer } from '../nats/support/nats-server.ts';
import { addStream, api } from '../nats/support/streams.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

declare global {
  /** What the page has found; missing while the contract runs. */
  var outcome: readonly Outcome[] | string | undefined;
}

const pages = [
  ['nats', 'runContract'],
  ['nats-replica', 'runReplicaContract'],
] as const;

describe.skipIf(natsServer === undefined).each(engines)('stores over NATS in %s', (name) => {
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );
  const server = during(startNatsServer, (its) => its.stop());
  /** Creates and removes the streams of users, which a page has no right to. */
  const streams = during(
    async () => {
      const operator = await server().connect();
      const served = await listen((request, response) => {
        const [, what, user = ''] = (request.url ?? '').split('/');
        const done = what === 'add' ? addStream(operator, { user }) : api(operator, `STREAM.DELETE.BROOKLET_${user}`);
        response.setHeader('access-control-allow-origin', '*');
        done.then(
          () => response.end(),
          (thrown: unknown) => response.writeHead(500).end(String(thrown)),
        );
      });
      return { url: `http://${served.host}`, stop: async () => (await served.stop(), operator.close()) };
    },
    (its) => its.stop(),
  );

  describe.each(pages)('%s', (page, run) => {
    const site = servePage(page);

    it('passes the contract', async () => {
      const tab = await engine().open();
      await tab.goto(site());
      const begin = (url: string, serverName: string, its: typeof run, operator: string): void => {
        const ask = async (path: string): Promise<void> => {
          const response = await fetch(`${operator}/${path}`);
          if (!response.ok) throw new Error(await response.text());
        };
        globalThis.addStream = (user) => ask(`add/${user}`);
        globalThis.removeStream = (user) => ask(`remove/${user}`);
        globalThis[its](url, serverName).then(
          (found) => (globalThis.outcome = found),
          (thrown: unknown) => (globalThis.outcome = String(thrown)),
        );
      };
      // It takes longer than a driver waits for the result of a function.
      await tab.run(begin, server().webSocketUrl, server().name, run, streams().url);
      await expect.poll(() => tab.run(() => globalThis.outcome), { timeout: 100_000 }).toEqual(expect.any(Array));
      const outcomes = (await tab.run(() => globalThis.outcome)) ?? [];
      if (typeof outcomes === 'string') expect.unreachable(outcomes);
      expect(outcomes.filter(({ problem }) => problem !== undefined)).toEqual([]);
      expect(outcomes.filter(({ skipped }) => skipped === undefined).length).toBeGreaterThanOrEqual(100);
      await tab.close();
    });
  });
});
