import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { afterEach, expect, it } from 'vitest';
import { startBrowser } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { during } from './support/stage.ts';
import { composer, hear, palette } from './support/studio.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Serves Studio from its sources, as `npm start` does. */
async function startStudio() {
  const cacheDir = await mkdtemp(join(tmpdir(), 'brooklet-vite-'));
  const server = await createServer({
    configFile: at('../../vite.config.ts'),
    root: at('../../demo'),
    cacheDir,
    logLevel: 'warn',
    server: { port: 0, hmr: false },
  });
  await server.listen();
  return {
    url: server.resolvedUrls?.local[0] ?? expect.unreachable('The server has no address.'),
    async stop() {
      await server.close();
      await rm(cacheDir, { recursive: true, force: true });
    },
  };
}

const studio = during(startStudio, (its) => its.stop());
const browser = during(startBrowser, (its) => its.close());
afterEach(() => closeCleanly(browser()));

it('styles the rooms of Studio that are loaded later', async () => {
  const { page } = await browser().open(studio().url);
  await composer(page).waitFor();
  await page.keyboard.press('Control+k');
  const option = palette(page).getByRole('option').first();
  await option.waitFor();
  expect(await option.evaluate((line) => getComputedStyle(line).display)).toBe('flex');
});

it('answers a first message without the network, once the page has been idle', async () => {
  const { page } = await browser().open(studio().url, { loadsAhead: true });
  await composer(page).waitFor();
  await page.waitForLoadState('networkidle');
  await browser().context.setOffline(true);
  try {
    await hear(page, 'What is 6 * 7?', /is 42\./u);
  } finally {
    await browser().context.setOffline(false);
  }
});
