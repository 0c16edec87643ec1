import 'fake-indexeddb/auto';
import { extractTextContent } from 'brooklet';
import type { Vault, VaultOptions } from 'brooklet/keys';
import { expect, test } from 'vitest';
import { Observable } from 'rxjs';
import { say } from '../support/manual-client.ts';
import { until } from '../support/until.ts';
import { setVaults } from '../support/vaults.ts';
import { browserPorts } from '../../src/core/ports.ts';
import { createConnectedAgent } from '../../src/worker/create-connected-agent.ts';
import { createWorkerWorld } from '../support/worker-world.ts';

const passphrase = 'correct horse battery';
const origin = 'https://api.example.com';
const key = 'sk-of-the-vault-0123456789abcdef';
/** ms without a page after which a worker looks whether it may drop its keys. */
const grace = 5_000;

const { openVault } = setVaults({ shared: true });

const statusOf = (vault: Vault): string => vault.getState().status;
const reach = (vault: Vault, status: string) => until(() => expect(statusOf(vault)).toBe(status));

/** Timers of `grace`, which the test ends; all others are those of the platform. */
function createTimers() {
  const waiting = new Set<() => void>();
  return {
    waiting,
    ports: {
      delay: (callback: () => void, ms: number, housekeeping?: boolean) => {
        if (ms !== grace) return browserPorts.delay(callback, ms, housekeeping);
        waiting.add(callback);
        return () => void waiting.delete(callback);
      },
    },
    /** Lets the time pass once. */
    async pass(): Promise<void> {
      await until(() => expect(waiting.size).toBeGreaterThan(0));
      const due = [...waiting];
      waiting.clear();
      for (const one of due) one();
    },
  };
}

/** A worker and a page with an unlocked vault each. */
async function stage(ofPage: VaultOptions = {}, pageTimeout?: number) {
  const timers = createTimers();
  const pageVault = openVault(ofPage);
  const workerVault = openVault();
  await pageVault.add('example', key, { baseURL: origin });
  await pageVault.protect(passphrase);
  await reach(workerVault, 'open');
  let released: string | undefined;
  const world = createWorkerWorld({
    vaultOf: ({ where }) => (where === 'page' ? pageVault : workerVault),
    ports: timers.ports,
    ...(pageTimeout !== undefined && { pageTimeout }),
    clientOf: ({ keyOf }) => ({
      sendRequest: (request) =>
        new Observable((subscriber) => {
          keyOf('example')(origin).then(
            (its) => {
              released = its;
              world.client.sendRequest(request).subscribe(subscriber);
            },
            (error: unknown) => subscriber.error(error),
          );
        }),
    }),
  });
  const openPage = () => world.openPage({ keys: { example: pageVault.keyFor('example') } });
  return { timers, pageVault, workerVault, world, openPage, released: () => released };
}

const isConnected = ({ agent }: { readonly agent: { getHost(): { readonly state: string } } }): Promise<void> =>
  until(() => expect(agent.getHost().state).toBe('worker'));

type Staged = Awaited<ReturnType<typeof stage>>;

/** Sends a prompt from a new page. Resolves when the worker asks the model, with the key of the page. */
async function sendHello({ world, openPage, released }: Pick<Staged, 'world' | 'openPage' | 'released'>) {
  const page = openPage();
  await isConnected(page);
  const session = await page.agent.openSession(page.agent.createSession());
  session.send('Hello').catch(() => {});
  await until(() => expect(world.client.asked).toHaveLength(1));
  expect(released()).toBe(key);
  return { page, session };
}

test('the worker drops its keys when no page is open, and the pages of other windows keep theirs', async () => {
  const { timers, pageVault, workerVault, openPage } = await stage();
  const page = openPage();
  await isConnected(page);
  page.kill();
  await timers.pass();
  await reach(workerVault, 'locked');
  expect(statusOf(pageVault)).toBe('open');
});

test('a page that comes back in time finds the worker unlocked', async () => {
  const { timers, workerVault, openPage } = await stage();
  const page = openPage();
  await isConnected(page);
  page.kill();
  await until(() => expect(timers.waiting.size).toBeGreaterThan(0));
  const next = openPage();
  await isConnected(next);
  await timers.pass();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(statusOf(workerVault)).toBe('open');
  next.kill();
});

test('the worker keeps its keys for a run under way, and drops them and those of the pages after its end', async () => {
  const staged = await stage();
  const { timers, workerVault, world } = staged;
  const { page, session } = await sendHello(staged);
  page.kill();
  await timers.pass();
  // It looks again later.
  await until(() => expect(timers.waiting.size).toBeGreaterThan(0));
  expect(statusOf(workerVault)).toBe('open');
  const [asked] = world.client.asked;
  if (asked) say(asked, 'Good day.');
  await until(async () => expect((await world.store.read(session.id))?.summary.status).toBe('idle'));
  await timers.pass();
  await reach(workerVault, 'locked');
  const after = await world.openPage().agent.openSession(session.id);
  expect(after.getMessages().map((message) => extractTextContent(message))).toEqual(['Hello', 'Good day.']);
});

test('the worker forgets the key of a page when the vault is locked', async () => {
  const staged = await stage({}, 10);
  const { pageVault, workerVault, world } = staged;
  const { page, session } = await sendHello(staged);
  pageVault.lock();
  await reach(workerVault, 'locked');
  const [asked] = world.client.asked;
  if (asked) say(asked, 'Good day.');
  await until(() => expect(session.getStatus()).toBe('idle'));
  // A page that has no key: what the first one has answered would serve.
  const other = world.openPage();
  await isConnected(other);
  page.kill();
  await new Promise((resolve) => setTimeout(resolve, 0));
  const { error } = await (await other.agent.openSession(session.id)).send('And now?');
  expect(error).toMatchObject({ code: 'AUTHENTICATION_LOCKED' });
  expect(world.client.asked).toHaveLength(1);
  other.kill();
});

test('a locked worker asks the person in a page, and takes the key from there', async () => {
  let asked = 0;
  const { pageVault, workerVault, openPage } = await stage({
    onLocked: async () => {
      asked++;
      await pageVault.unlock(passphrase);
    },
  });
  const page = openPage();
  await isConnected(page);
  pageVault.lock();
  await reach(workerVault, 'locked');
  await expect(workerVault.keyFor('example')(origin)).resolves.toBe(key);
  expect(asked).toBe(1);
  page.kill();
});

test('a locked worker refuses as a locked page does: where the person declines, and where no page comes', async () => {
  const { pageVault, workerVault, openPage } = await stage({ onLocked: () => {} }, 10);
  const page = openPage();
  await isConnected(page);
  pageVault.lock();
  await reach(workerVault, 'locked');
  const refused = { code: 'AUTHENTICATION_LOCKED' };
  await expect(workerVault.keyFor('example')(origin)).rejects.toMatchObject(refused);
  page.kill();
  await expect(workerVault.keyFor('example')(origin)).rejects.toMatchObject(refused);
});

test('the worker locks some time after the last use, by the time of the pages', async () => {
  let now = 1_000_000;
  const ports: NonNullable<VaultOptions['ports']> = {
    now: () => now,
    delay: (callback, ms) => (ms > 1_000 ? () => {} : browserPorts.delay(callback, ms)),
  };
  const pageVault = openVault({ autoLock: 60_000, ports });
  const workerVault = openVault({ autoLock: Infinity, ports });
  await pageVault.protect(passphrase);
  await reach(workerVault, 'open');
  const world = createWorkerWorld({ vaultOf: ({ where }) => (where === 'page' ? pageVault : workerVault) });
  const page = world.openPage();
  await isConnected(page);
  pageVault.setAutoLock(30_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  now += 30_001;
  await expect(workerVault.keyFor('example')(origin)).rejects.toMatchObject({ code: 'AUTHENTICATION_LOCKED' });
  page.kill();
});

test('the vault of an agent in a worker is one that tabs share', () => {
  const alone = openVault({ shared: false });
  const connect = () => new MessageChannel().port1;
  expect(() =>
    createConnectedAgent(
      connect,
      { create: () => ({ vault: alone }) },
      { presence: undefined, isExtended: false, ports: {} },
    ),
  ).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining('shared: true') }));
});
