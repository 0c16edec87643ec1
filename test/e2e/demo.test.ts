import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, startBrowser, type Tab } from './support/browser.ts';
import { canary } from './support/canary.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { startWire, type Wire } from './support/server.ts';
import { type Site, startSite } from './support/site.ts';

const long = 'Tell me a long story about a brook';

let wire: Wire;
let site: Site;
let browser: Browser;

beforeAll(async () => {
  const root = fileURLToPath(new URL('../../demo', import.meta.url));
  wire = await startWire();
  site = await startSite(root, 'production');
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await site?.stop();
  await wire?.stop();
});

afterEach(async () => {
  wire.reset();
  await closeCleanly(browser);
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });
const textOf = async (page: Page): Promise<string> => (await conversation(page).textContent()) ?? '';

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await button(page, 'Send').click();
}

/** Asks for the long story, and waits for its first words. */
async function openStory(): Promise<Tab> {
  const tab = await browser.open(site.freshURL());
  await ask(tab.page, long);
  await eventually(() => textOf(tab.page)).toContain('High up, under a stone');
  return tab;
}

/** Fills in the settings, which are open. */
async function fillSettings(page: Page, key: string): Promise<void> {
  await page.getByLabel('Base URL').fill(wire.baseURL);
  await page.getByLabel('Model', { exact: true }).fill('gpt-5-mini');
  await page.getByLabel('API key').fill(key);
}

describe('the demo, without a key', () => {
  it('works at once, says that it is a script, and asks no other server for anything', async () => {
    const url = site.freshURL();
    const tab = await browser.open('about:blank');
    const asked: string[] = [];
    tab.page.on('request', (request) => asked.push(new URL(request.url()).origin));
    await tab.page.goto(url);
    expect(await tab.page.getByText('Offline demo model — scripted, not a real AI').isVisible()).toBe(true);
    await ask(tab.page, 'Thanks!');
    await eventually(() => textOf(tab.page)).toContain('You are welcome');
    expect(new Set(asked)).toEqual(new Set([new URL(url).origin]));
  });

  it('looks at the clock and does sums with real tools', async () => {
    const { page } = await browser.open(site.freshURL());
    await ask(page, 'What time is it in Tokyo, and what is 17.5% of 240?');
    await eventually(() => textOf(page)).toMatch(/It is \d\d:\d\d on .*Asia\/Tokyo/);
    await eventually(() => textOf(page)).toMatch(/makes 42\./);
    const cards = conversation(page).locator('details.tool summary');
    expect(await cards.count()).toBe(2);
    expect(await cards.first().textContent()).toMatch(/^current_time.*Done$/);
    expect(await cards.last().textContent()).toMatch(/^calculate17\.5% \* 240 = 42.*Done$/);
  });

  it('saves a note once a person approves, and both note and conversation survive a reload', async () => {
    const { page } = await browser.open(site.freshURL());
    await ask(page, 'Remember to water the plants');
    const form = page.getByRole('form', { name: 'Decide on save_note' });
    await form.waitFor();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);

    await page.reload();
    await form.waitFor();
    await form.getByRole('button', { name: 'Approve', exact: true }).click();
    await eventually(() => textOf(page)).toContain('Saved: “water the plants”.');
    await page.reload();
    await eventually(() => textOf(page)).toContain('Saved: “water the plants”.');
    await ask(page, 'Which notes do I have?');
    await eventually(() => textOf(page)).toContain('water the plants (note-1)');
  });

  it('saves nothing when a person rejects', async () => {
    const { page } = await browser.open(site.freshURL());
    await ask(page, 'Remember to water the plants');
    await button(page, 'Reject').click();
    await page.getByLabel('Why not?').fill('They drown.');
    await button(page, 'Reject call').click();
    await eventually(() => textOf(page)).toContain('You declined save_note (“They drown.”), so nothing was changed.');
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  it('stops, keeps what was said, and does not send what one is still writing', async () => {
    const { page } = await openStory();
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('By the way');
    await button(page, 'Stop').click();
    await eventually(() => textOf(page)).toContain('You stopped this reply');
    await button(page, 'Send').waitFor();
    expect(await textOf(page)).toContain('High up, under a stone');
    expect(await message.inputValue()).toBe('By the way');
  });

  it('offers to go on with a reply that a reload interrupted', async () => {
    const { page } = await openStory();
    await page.reload();
    await eventually(() => textOf(page)).toContain('The reply was interrupted');
    const before = await textOf(page);
    expect(before).toContain('Where the brook goes');
    expect(before).not.toContain('The first hundred metres');
    await page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: long }).waitFor();
    await button(page, 'Resume').click();
    await eventually(() => textOf(page)).toContain('The first hundred metres');
    expect((await textOf(page)).match(/Where the brook goes/g)).toHaveLength(1);
    await button(page, 'Stop').click();
    await eventually(() => textOf(page)).toContain('You stopped this reply');
  });

  it('needs no mouse: the field has the focus, Enter sends, Escape stops', async () => {
    const { page } = await browser.open(site.freshURL());
    const message = page.getByRole('textbox', { name: 'Message' });
    await eventually(() => message.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type(long);
    await page.keyboard.press('Enter');
    await eventually(() => textOf(page)).toContain('High up, under a stone');
    await page.keyboard.press('Escape');
    await eventually(() => textOf(page)).toContain('You stopped this reply');
    await page.keyboard.type('Thanks!');
    await page.keyboard.press('Enter');
    await eventually(() => textOf(page)).toContain('You are welcome');
  });

  it('shows the same in two tabs, whichever of them one talks to', async () => {
    const first = await browser.open(site.freshURL());
    await ask(first.page, 'What is 6 * 7?');
    await eventually(() => textOf(first.page)).toMatch(/makes 42\./);
    const second = await browser.open(first.page.url());
    await eventually(() => textOf(second.page)).toMatch(/makes 42\./);

    await ask(second.page, 'What is 5 * 5?');
    await eventually(() => textOf(first.page)).toMatch(/makes 25\./);
    await ask(first.page, 'Thanks!');
    for (const { page } of [first, second]) await eventually(() => textOf(page)).toContain('You are welcome');
    for (const { page } of [first, second]) await button(page, 'Send').waitFor();
    // How long a thought took is told where it was watched.
    const read = async (page: Page): Promise<string> =>
      (await textOf(page)).replaceAll(/Thought for \d+ s|Thoughts/g, 'Thought');
    const text = await read(first.page);
    expect(text.match(/makes/g)).toHaveLength(2);
    expect(await read(second.page)).toBe(text);
    await second.page.reload();
    await eventually(() => read(second.page)).toBe(text);
  });
});

describe('the demo, with a key', () => {
  it('talks to a real wire, and forgets the key with the page', async () => {
    wire.mock.onMessage('rivers', { content: 'Rivers *begin* small.' });
    wire.mock.onMessage('Hi', { content: 'Hi.' });
    const { page } = await browser.open(site.freshURL());
    await button(page, 'Connect a model').click();
    await fillSettings(page, canary);
    await button(page, 'Test connection').click();
    await page.getByText('The model answered.').waitFor();
    await button(page, 'Connect').click();
    await ask(page, 'Tell me of rivers.');
    await eventually(() => textOf(page)).toContain('Rivers begin small.');
    expect(wire.exchanges.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${canary}`,
      `Bearer ${canary}`,
    ]);

    await page.reload();
    await eventually(() => textOf(page)).toContain('Rivers begin small.');
    await page.getByText(`Answers need the key for ${wire.host} again`).waitFor();
    expect(await button(page, 'Send').isDisabled()).toBe(true);
  });

  it('says that a key was refused, and leads to where one can mend it', async () => {
    wire.mock.onMessage('rivers', {
      error: { message: `Incorrect API key provided: ${canary}.`, code: 'invalid_api_key' },
      status: 401,
    });
    const tab = await browser.open(site.freshURL());
    const { page } = tab;
    tab.expectProblem(/Failed to load resource.*401/);
    await button(page, 'Connect a model').click();
    await fillSettings(page, canary);
    await button(page, 'Connect').click();
    await ask(page, 'Tell me of rivers.');
    const notice = page.getByRole('alert').filter({ hasText: 'AUTHENTICATION_FAILED' });
    await notice.waitFor();
    expect(await notice.textContent()).toContain(`401 from ${wire.host}: the key was refused`);

    await notice.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('API key').fill('sk-another-key');
    await button(page, 'Connect').click();
    wire.mock.clearFixtures().onMessage('rivers', { content: 'Rivers begin small.' });
    await button(page, 'Retry').click();
    await eventually(() => textOf(page)).toContain('Rivers begin small.');
    expect(await notice.count()).toBe(0);
    expect(wire.exchanges.at(-1)?.headers.authorization).toBe('Bearer sk-another-key');
  });

  it('tells a refused key, a wrong model, a server that refuses pages and one that is not there apart', async () => {
    const closed = await startWire({ cors: false });
    wire.mock.onMessage('Hi', { error: { message: 'No.', code: 'invalid_api_key' }, status: 401 });
    const tab = await browser.open(site.freshURL());
    const { page } = tab;
    tab.expectProblem(/Failed to load resource|blocked by CORS policy/);
    const test = async (verdict: string): Promise<void> => {
      await button(page, 'Test connection').click();
      await page.getByText(verdict).waitFor();
    };
    try {
      await button(page, 'Connect a model').click();
      await fillSettings(page, canary);
      await test('The key was refused');
      wire.mock
        .clearFixtures()
        .onMessage('Hi', { error: { message: 'The model does not exist.', code: 'model_not_found' }, status: 404 });
      await test('There is no such model');
      await page.getByLabel('Base URL').fill(closed.baseURL);
      await test('Blocked by CORS');
    } finally {
      await closed.stop();
    }
    await test('Nothing answered');
  });
});
