import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { violationsOf } from './support/axe.ts';
import { type BrowserOnDisk, startBrowser } from './support/browser.ts';
import { canary } from './support/canary.ts';
import { readStored } from './support/clean.ts';
import { encrypt, unlock } from './support/encrypting.ts';
import { eventually } from './support/eventually.ts';
import { startWords, wordsOf } from './support/outliving/words.ts';
import { during, setSite } from './support/stage.ts';
import { ask, button, composer, dialogClosed, fillService, openSettings, sections, textOf } from './support/studio.ts';

const words = during(startWords, (its) => its.stop());
const site = setSite(new URL('../../demo', import.meta.url));
const browser = during<BrowserOnDisk>(startBrowser, (its) => its.close());

/** Studio with a service of its own, whose answers a worker drives if the person has switched that on. */
function stage() {
  const { baseURL, heard } = words().converse();
  const url = site().freshURL();
  const visit = async (path = ''): Promise<Page> => (await browser().open(`${url}${path}`)).page;
  return {
    heard,
    address: `${baseURL}/v1`,
    visit,
    /** Connects the service, whose model needs no key. */
    async connect(): Promise<Page> {
      const page = await visit();
      await page.evaluate((address) => {
        const endpoint = { providerId: 'custom', baseURL: address, model: 'words', needsKey: false };
        localStorage.setItem('brooklet-studio:endpoint', JSON.stringify(endpoint));
        localStorage.setItem('brooklet-studio:titles', 'off');
      }, `${baseURL}/v1`);
      await page.reload();
      return page;
    },
  };
}

/** Opens the section of the settings, once the page listens to its keys. */
async function openStorage(page: Page): Promise<void> {
  await composer(page).waitFor();
  await openSettings(page, sections.storage);
}

const setting = (page: Page) => page.getByRole('checkbox', { name: 'Answers go on when this page is closed' });
const settingText = async (page: Page): Promise<string> =>
  (await page.locator('.setting-group', { has: setting(page) }).textContent()) ?? '';

/** Turns the setting, and loads the page again by the button beside it. */
async function turn(page: Page): Promise<void> {
  await openStorage(page);
  const isHere = !(await setting(page).isChecked());
  await setting(page).click();
  await expect.poll(() => settingText(page)).toContain('Changes when the page is loaded again.');
  // What a worker drives goes on.
  expect((await settingText(page)).includes('An answer under way is interrupted')).toBe(isHere);
  await Promise.all([page.waitForEvent('load'), button(page, 'Reload now').click()]);
}

/** Shows where the answers are driven now. */
async function showHost(page: Page): Promise<string> {
  await openStorage(page);
  await eventually(() => settingText(page)).not.toContain('being started');
  const text = await settingText(page);
  await setting(page).scrollIntoViewIfNeeded();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  return text;
}

/** The path of the conversation that a page shows, once it has one. */
async function pathOf(page: Page): Promise<string> {
  await eventually(() => new URL(page.url()).hash).not.toBe('');
  return new URL(page.url()).hash;
}

describe('Studio, whose answers go on when its page is closed', () => {
  test('answers to the end with one request, and lets the page drive again when that is switched off', async () => {
    const its = stage();
    const page = await its.connect();
    expect(await showHost(page)).toContain('Now this page drives its answers. They end when it is closed.');
    await turn(page);
    expect(await showHost(page)).toContain('Now a worker drives the answers. They go on for up to five minutes');
    await ask(page, 'count 40');
    await eventually(() => textOf(page)).toContain('word3 ');
    const path = await pathOf(page);
    await page.close();
    await eventually(() => its.heard.said).toBe(40);
    const next = await its.visit(path);
    await eventually(() => textOf(next)).toContain(wordsOf(40).trim());
    expect(its.heard.requests).toEqual(['count 40']);

    await turn(next);
    expect(await showHost(next)).toContain('Now this page drives its answers.');
    await ask(next, 'count 5');
    await eventually(() => textOf(next)).toContain('count 5');
    await eventually(() => its.heard.requests).toEqual(['count 40', 'count 5']);
    await next.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });
    await next.close();
  });

  test('goes on with an answer under way when it is switched off', async () => {
    const its = stage();
    const page = await its.connect();
    await turn(page);
    await ask(page, 'count 80');
    await eventually(() => textOf(page)).toContain('word3 ');
    await turn(page);
    expect(its.heard.said).toBeLessThan(80);
    await eventually(() => textOf(page)).toContain(wordsOf(80).trim());
    expect(its.heard.requests).toEqual(['count 80']);
    await page.close();
  });

  test('waits for an approval without a page, and runs the tool once it is given', async () => {
    const its = stage();
    const page = await its.connect();
    await turn(page);
    await ask(page, 'call add_note {"text":"The heron is back."}');
    await eventually(() => textOf(page)).toContain('word3 ');
    const path = await pathOf(page);
    await page.close();
    await eventually(() => its.heard.said).toBe(10);
    const next = await its.visit(path);
    await button(next, 'Approve').click();
    await eventually(() => textOf(next)).toContain('That is all.');
    expect(its.heard.requests).toEqual(['call add_note {"text":"The heron is back."}', 'tool']);
    expect(await readStored(next)).toContain('The heron is back.');
    await next.close();
  });

  test('runs tools that need the document in the page', async () => {
    const its = stage();
    const page = await its.connect();
    await turn(page);
    await ask(page, 'call read_file {"path":"poem.txt"}');
    await eventually(() => its.heard.requests).toEqual(['call read_file {"path":"poem.txt"}', 'tool']);
    await ask(page, 'call run_javascript {"code":"return 6 * 7"}');
    await eventually(() => its.heard.requests.length).toBe(4);
    await eventually(() => textOf(page)).toMatch(/That is all\..*That is all\./su);
    expect(await showHost(page)).toContain('Now a worker drives the answers.');
    await page.close();
  });

  test('has the key of the page, and writes it nowhere', async () => {
    const its = stage();
    const page = await its.visit();
    await turn(page);
    await button(page, 'Connect a model').click();
    await fillService(page, { baseURL: its.address, model: 'words', key: canary });
    await button(page, 'Connect').click();
    await dialogClosed(page);
    await ask(page, 'count 30');
    await eventually(() => textOf(page)).toContain('word3 ');
    const path = await pathOf(page);
    await page.close();
    await eventually(() => its.heard.said).toBe(30);
    expect(its.heard.requests.at(-1)).toBe('count 30');
    expect(new Set(its.heard.keys)).toEqual(new Set([`Bearer ${canary}`]));
    const next = await its.visit(path);
    await eventually(() => textOf(next)).toContain(wordsOf(30).trim());
    const stored = await readStored(next);
    expect(stored).toContain('studio:chosen');
    expect(stored).not.toContain(canary);
    await next.close();
  });

  test('answers to the end where the conversations are encrypted, and is unlocked once', async () => {
    const its = stage();
    const page = await its.connect();
    await encrypt(page);
    await turn(page);
    await unlock(page);
    expect(await showHost(page)).toContain('Now a worker drives the answers.');
    await ask(page, 'count 40');
    await eventually(() => textOf(page)).toContain('word3 ');
    const path = await pathOf(page);
    await page.close();
    const next = await its.visit(path);
    // The worker has the key for its run: this page asks for no passphrase.
    await eventually(() => textOf(next)).toContain(wordsOf(40).trim());
    expect(its.heard.requests).toEqual(['count 40']);
    expect(await readStored(next)).not.toContain('word5');
    await next.close();
  });
});
