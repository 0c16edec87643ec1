import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { en } from '../../demo/src/texts/en/en.ts';
import { roomsEn } from '../../demo/src/texts/en/rooms.ts';
import { violationsOf } from './support/axe.ts';
import { startFrugalBrowser } from './support/browser.ts';
import { closeCleanly, readStored } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { listen } from './support/server.ts';
import { during, setSite } from './support/stage.ts';
import { ask, button, composer, textOf } from './support/studio.ts';

const { sharing: words } = roomsEn;
const site = setSite(new URL('../../demo', import.meta.url));

/** What the server of files has. */
const files = new Map<string, Buffer>();
const asked: string[] = [];
const host = during(
  () =>
    listen((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('access-control-allow-origin', '*');
      const file = files.get(request.url ?? '');
      response.writeHead(file ? 200 : 404).end(file);
    }),
  (its) => its.stop(),
);
const writer = during(startFrugalBrowser, (its) => its.close());
const reader = during(startFrugalBrowser, (its) => its.close());
afterEach(async () => {
  for (const browser of [writer(), reader()]) await closeCleanly(browser);
});

const openRoom = (page: Page) => page.getByRole('slider').first();

describe('a read-only link', () => {
  it(
    'shows a conversation to who has the file and the key, until the file is removed',
    { timeout: 180_000 },
    async () => {
      const secret = `c${randomBytes(12).toString('hex')}`;
      const { page } = await writer().open(site().freshURL());
      await composer(page).waitFor();
      await ask(page, `What is ${secret}?`);
      await page.locator('.bk-answer').last().waitFor();
      await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });
      await eventually(() => textOf(page)).toContain(secret);

      await page.evaluate(() => {
        navigator.clipboard.writeText = async (text) => void (document.body.dataset.copied = text);
      });
      await page.locator('.bk-session').hover();
      await page.locator('.bk-session [aria-haspopup=menu]').click();
      await page.getByRole('menuitem', { name: en.sessions.share }).click();
      const downloading = page.waitForEvent('download');
      await button(page, words.saveFile).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toMatch(/\.brooklet$/u);
      const path = await download.path();
      const file = await readFile(path);
      expect(file.includes(secret)).toBe(false);
      await page.getByLabel(words.address).fill('ftp://example.com/a');
      await page.getByText(words.badAddress).waitFor();
      await page.getByLabel(words.address).fill(`http://${host().host}/talk.brooklet`);
      expect(await violationsOf(page)).toEqual([]);
      await button(page, words.copyLink).click();
      const link = (await page.evaluate(() => document.body.dataset.copied)) ?? '';
      const [, key = ''] = /#\/shared\/([\w-]{43})\//u.exec(link) ?? [];
      expect(key).not.toBe('');

      // A person without the file.
      files.clear();
      const tab = await reader().open('about:blank');
      tab.expectProblem(/404/u);
      const { page: other } = tab;
      const requested: string[] = [];
      other.on('request', (request) => requested.push(request.url()));
      await other.goto(link);
      await other.getByText(words.problems.NETWORK_ERROR).waitFor();
      expect(await violationsOf(other)).toEqual([]);

      // With the file at its address.
      files.set('/talk.brooklet', file);
      await other.reload();
      await openRoom(other).waitFor();
      await eventually(() => other.locator('body').textContent()).toContain(secret);
      expect(await other.locator('.bk-composer').count()).toBe(0);
      expect([...requested, ...asked].filter((address) => address.includes(key))).toEqual([]);
      expect(await readStored(other)).not.toContain(secret);

      // With a changed key, and with an incomplete link.
      await other.goto(link.replace(key, `${key.startsWith('A') ? 'B' : 'A'}${key.slice(1)}`));
      await other.getByText(words.problems.AUTHENTICATION_FAILED).waitFor();
      await other.goto(link.replace(/shared\/.*/u, 'shared/AAAA'));
      await other.getByText(words.badLink).waitFor();

      // Revoked. Who has kept the file can choose it.
      files.clear();
      await other.goto(link);
      await other.getByText(words.problems.NETWORK_ERROR).waitFor();
      await other.locator('input[type=file]').setInputFiles(path);
      await openRoom(other).waitFor();
      await eventually(() => other.locator('body').textContent()).toContain(secret);
    },
  );
});
