import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type * as Keys from '../../src/keys/index.ts';
import { startBrowser } from './support/browser.ts';
import { listen } from './support/server.ts';
import { during } from './support/stage.ts';

declare global {
  /** `brooklet/keys`, in the page of the test. */
  var keys: typeof Keys;
}

const passphrase = 'correct horse battery';

const site = during(
  async () => {
    const { outputFiles } = await esbuild.build({
      stdin: {
        contents: "import * as keys from './src/keys/index.ts'; globalThis.keys = keys;",
        resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
      },
      bundle: true,
      write: false,
      format: 'esm',
    });
    const script = outputFiles[0]?.text ?? expect.unreachable();
    const html = '<!doctype html><script type="module" src="/keys.js"></script>';
    return listen((request, response) => {
      const isScript = request.url === '/keys.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : html);
    });
  },
  ({ stop }) => stop(),
);
const browser = during(startBrowser, (its) => its.close());

/** Opens the page. A passkey belongs to a domain, which an IP address is not. */
async function openPage(host = site().host.replace('127.0.0.1', 'localhost')): Promise<Page> {
  const { page } = await browser().open(`http://${host}/`);
  await page.waitForFunction(() => globalThis.keys);
  return page;
}

/** Adds a device with passkeys whose user always agrees, or never. */
async function addDevice(
  page: Page,
  { hasPrf = true, isUserVerified = true }: { readonly hasPrf?: boolean; readonly isUserVerified?: boolean },
): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
      hasPrf,
    },
  });
}

/** Stores a key, adds a passkey, and returns the locks of the vault, or the code of the error. */
function protect(page: Page, name: string): Promise<unknown> {
  return page.evaluate(
    async ([database = '', phrase = '']) => {
      const vault = globalThis.keys.createVault({ name: database });
      await vault.add('example', 'sk-canary-0123456789', { baseURL: 'https://api.example.com/v1' });
      await vault.protect(phrase);
      const thrown: unknown = await vault.addPasskey(phrase, { userName: 'Ada' }).catch((error: unknown) => error);
      return thrown instanceof Error && 'code' in thrown ? thrown.code : vault.getState().locks;
    },
    [name, passphrase],
  );
}

test('a passkey unlocks the keys after a reload, and the passphrase still does', async () => {
  const page = await openPage();
  await addDevice(page, {});
  expect(await protect(page, 'with-passkey')).toEqual(['passphrase', 'passkey']);
  await page.reload();
  await page.waitForFunction(() => globalThis.keys);
  const released = await page.evaluate(async (phrase) => {
    const origin = 'https://api.example.com';
    const vault = globalThis.keys.createVault({ name: 'with-passkey' });
    await vault.unlockWithPasskey();
    const byPasskey = await vault.keyFor('example')(origin);
    vault.lock();
    await vault.unlock(phrase);
    return [byPasskey, await vault.keyFor('example')(origin)];
  }, passphrase);
  expect(released).toEqual(['sk-canary-0123456789', 'sk-canary-0123456789']);
});

test.each([
  ['a device that cannot encrypt', { hasPrf: false }, 'INVALID_CONFIG'],
  ['a person who does not agree', { isUserVerified: false }, 'ABORTED'],
])('%s leaves the keys as they are', async (_who, device, code) => {
  const page = await openPage();
  await addDevice(page, device);
  expect(await protect(page, code)).toBe(code);
  const locks = await page.evaluate(
    async ([name = '', phrase = '']) => {
      const vault = globalThis.keys.createVault({ name });
      await vault.unlock(phrase);
      return vault.getState().locks;
    },
    [code, passphrase],
  );
  expect(locks).toEqual(['passphrase']);
});

test('a page whose address is no domain has no passkeys', async () => {
  expect(await protect(await openPage(site().host), 'no-domain')).toBe('INVALID_CONFIG');
});
