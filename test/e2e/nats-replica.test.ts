import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { natsServer, startNatsServer } from '../nats/support/nats-server.ts';
import { addStream, api } from '../nats/support/streams.ts';
import { startBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import type { View } from './support/replica/device.ts';
import { type RunningDevice, startDevice } from './support/replica/start-device.ts';
import { during, setSite } from './support/stage.ts';

const site = setSite(new URL('support/replica', import.meta.url));

describe.skipIf(natsServer === undefined)('a replica of IndexedDB and a store over NATS', { timeout: 300_000 }, () => {
  const server = during(
    () => startNatsServer(),
    (its) => its.stop(),
  );

  it('passes the contract in a page', async () => {
    const operator = await server().connect();
    const browser = await startBrowser();
    try {
      const { page } = await browser.open(site().freshURL());
      await page.exposeFunction('addStream', (user: string) => addStream(operator, { user }));
      await page.exposeFunction('removeStream', (user: string) => api(operator, `STREAM.DELETE.BROOKLET_${user}`));
      const { webSocketUrl, name } = server();
      const outcomes = await page.evaluate(([url, serverName]) => globalThis.runReplicaContract(url, serverName), [
        webSocketUrl,
        name,
      ] as const);
      expect(outcomes.filter(({ problem }) => problem !== undefined)).toEqual([]);
      expect(outcomes.length).toBeGreaterThanOrEqual(115);
    } finally {
      await browser.close();
      await operator.close();
    }
  });

  describe('on two devices', () => {
    let users = 0;
    let started: RunningDevice[] = [];
    afterEach(async () => {
      await Promise.all(started.map((its) => its.close()));
      started = [];
    });

    /** Starts Ann's laptop and her phone, each in a browser of its own. The laptop has a session that both show. */
    async function startPair(textInterval = 1_000) {
      const user = `ann-${users++}`;
      const operator = await server().connect();
      await addStream(operator, { user });
      await operator.close();
      const start = async (device: string): Promise<RunningDevice> => {
        const its = await startDevice(site().freshURL(), server(), { user, device, textInterval });
        started.push(its);
        return its;
      };
      const [laptop, phone] = await Promise.all([start('laptop'), start('phone')]);
      const id = await laptop.page.evaluate(async () => {
        const created = device.create();
        await device.open(created);
        await device.send(created, 'Hello');
        return created;
      });
      await eventually(() => viewOf(laptop, id)).toMatchObject({ status: 'idle', messages: { length: 2 } });
      await eventually(() => idsOf(phone)).toEqual([id]);
      await phone.page.evaluate((its) => device.open(its), id);
      await agree([laptop, phone], (its) => viewOf(its, id));
      return { laptop, phone, id };
    }

    const viewOf = ({ page }: RunningDevice, id: string): Promise<View> => page.evaluate((its) => device.view(its), id);
    const listOf = ({ page }: RunningDevice) => page.evaluate(() => device.list());
    const idsOf = async (its: RunningDevice) => (await listOf(its)).map(([id]) => id);
    /** The status, followed by what explains another one than the expected. */
    const stateOf = ({ page }: RunningDevice, id: string): Promise<string> =>
      page.evaluate(async (its) => {
        const sync = await device.syncOf(its);
        return [device.view(its).status, JSON.stringify(sync), JSON.stringify(device.getStatus())].join(' ');
      }, id);
    /** Waits until both devices show the same. Each look reads both: what one of them shows may still change while the other is read. */
    const agree = (devices: readonly [RunningDevice, RunningDevice], read: (its: RunningDevice) => Promise<unknown>) =>
      eventually(async () => {
        const [one, other] = [await read(devices[0]), await read(devices[1])];
        return isDeepStrictEqual(one, other) ? 'the same' : JSON.stringify([one, other]);
      }).toBe('the same');
    const send = ({ page }: RunningDevice, id: string, text: string): Promise<void> =>
      page.evaluate(([its, what]) => device.send(its, what), [id, text] as const);

    it('shows on one the text that streams on the other', async () => {
      const { laptop, phone, id } = await startPair(100);
      await send(laptop, id, 'Write');
      await eventually(() => viewOf(phone, id)).toMatchObject({ status: 'running', messages: { length: 4 } });
      const before = (await viewOf(phone, id)).messages.at(-1)?.length ?? 0;
      await eventually(async () => (await viewOf(phone, id)).messages.at(-1)?.length).toBeGreaterThan(before);
      await expect(phone.page.evaluate((its) => device.syncOf(its), id)).resolves.toMatchObject({
        state: 'elsewhere',
        device: 'laptop',
      });
      await eventually(async () => (await viewOf(phone, id)).status).toBe('idle');
      expect(await viewOf(phone, id)).toEqual(await viewOf(laptop, id));
    });

    it('runs a call once that was approved on the other device', async () => {
      const { laptop, phone, id } = await startPair();
      await send(laptop, id, 'Pay');
      await eventually(async () => (await viewOf(phone, id)).pending).toBeDefined();
      await phone.page.evaluate((its) => device.approve(its), id);
      for (const its of [laptop, phone]) await eventually(() => stateOf(its, id)).toMatch(/^idle/);
      const ran = await Promise.all([laptop, phone].map(({ page }) => page.evaluate(() => device.ran)));
      expect(ran.flat()).toHaveLength(1);
      expect(await viewOf(phone, id)).toEqual(await viewOf(laptop, id));
      expect((await viewOf(phone, id)).messages.at(-1)).toBe('assistant: Paid.');
    });

    it('asks on one what to do with a run when the browser of the other is gone', async () => {
      const { laptop, phone, id } = await startPair();
      await send(laptop, id, 'Write on');
      await eventually(async () => (await viewOf(phone, id)).messages.at(-1)).toContain('assistant: word');
      const shown = (await viewOf(phone, id)).messages.at(-1) ?? '';
      await laptop.kill();
      await eventually(() => stateOf(phone, id)).toMatch(/^interrupted/);
      expect((await viewOf(phone, id)).messages.at(-1)).toContain(shown);
      await phone.page.evaluate((its) => device.resume(its), id);
      await eventually(() => stateOf(phone, id)).toMatch(/^idle/);
    });

    it('loses nothing when both write while the server does not answer, and names what is kept apart', async () => {
      const { laptop, phone, id } = await startPair();
      const { process } = server();
      process.kill('SIGSTOP');
      try {
        await send(laptop, id, 'From the laptop');
        await send(phone, id, 'From the phone');
        for (const its of [laptop, phone]) {
          await eventually(() => viewOf(its, id)).toMatchObject({ status: 'idle', messages: { length: 4 } });
          await eventually(() => its.page.evaluate(() => device.getStatus().state)).toBe('offline');
        }
      } finally {
        process.kill('SIGCONT');
      }
      for (const its of [laptop, phone]) await eventually(async () => (await listOf(its)).length).toBe(2);
      await agree([laptop, phone], listOf);
      const forks = (await Promise.all([laptop, phone].map(({ page }) => page.evaluate(() => device.forks)))).flat();
      expect(forks).toEqual([{ sessionId: id, keptAs: expect.any(String), device: expect.any(String) }]);
      const [fork] = forks;
      const title = new Map(await listOf(laptop)).get(fork?.keptAs ?? '');
      expect(title).toBe(`Hello (kept from ${fork?.device})`);
      await laptop.page.evaluate((its) => device.open(its), fork?.keptAs ?? '');
      const texts = [await viewOf(laptop, id), await viewOf(laptop, fork?.keptAs ?? '')].map(({ messages }) =>
        messages.join(),
      );
      expect(texts.filter((text) => text.includes('From the laptop'))).toHaveLength(1);
      expect(texts.filter((text) => text.includes('From the phone'))).toHaveLength(1);
      await agree([laptop, phone], (its) => viewOf(its, id));
    });
  });
});
