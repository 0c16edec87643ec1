import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { startFrugalBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { settled } from './support/settled.ts';
import { setStage } from './support/stage.ts';

const stage = setStage(new URL('../../demo', import.meta.url), { start: startFrugalBrowser });

const pane = (page: Page, name: RegExp) => page.getByRole('region', { name });
const log = (page: Page) => pane(page, /What the log has/);
const position = (page: Page) => page.getByRole('slider', { name: 'Position' });

/** A conversation with an approved call. */
async function converse(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill('Remember to water the plants');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page
    .getByRole('group', { name: 'Decide on Add a note' })
    .getByRole('button', { name: 'Approve', exact: true })
    .click();
  await page.getByRole('region', { name: 'Conversation' }).getByText('Saved: “water the plants”.').waitFor();
}

async function openReview(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('heading', { name: /What the model was sent in step/ }).waitFor();
}

let offline: Page | undefined;
afterEach(async () => {
  await offline?.context().setOffline(false);
  offline = undefined;
});

describe('the review of a conversation', () => {
  it('is walked through with the keyboard alone, without the network', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL(), { loadsAhead: true });
    await converse(page);
    await openReview(page);
    await settled(page);
    offline = page;
    await page.context().setOffline(true);
    const seen = pane(page, /What the person saw/);
    await eventually(async () => (await seen.textContent()) ?? '').toContain('Saved: “water the plants”.');

    await page.keyboard.press('Home');
    await eventually(async () => (await seen.textContent()) ?? '').toContain('Nothing yet.');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByRole('heading', { name: 'What the model was sent in step 1' }).waitFor();
    await eventually(async () => (await log(page).textContent()) ?? '').toContain('"type": "reply.started"');
    await page.keyboard.press('ArrowRight');
    await eventually(async () => (await log(page).textContent()) ?? '').not.toContain('"type": "reply.started"');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByRole('heading', { name: 'What the model was sent in step 2' }).waitFor();
    expect(await pane(page, /step 2/).textContent()).toContain('New in this request');

    await page.keyboard.press('/');
    await page.keyboard.type('remember to');
    await page.getByText('1 found').waitFor();
    await page.keyboard.press('Enter');
    await eventually(async () => (await log(page).textContent()) ?? '').toContain('"type": "message.added"');
    await page.keyboard.press('End');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play' }).waitFor();
  });

  it('opens at the moment of a link, and follows a session that runs in another tab', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await converse(page);
    const session = page.url();
    await openReview(page);
    await page.goto(page.url().replace(/@.*|$/u, '@3'));
    await eventually(async () => (await log(page).textContent()) ?? '').toContain('"seq": 3');
    await page.keyboard.press('End');
    const before = Number(await position(page).getAttribute('max'));

    const { page: other } = await stage.browser.open(session);
    await other.getByRole('textbox', { name: 'Message' }).fill('Thanks!');
    await other.getByRole('button', { name: 'Send', exact: true }).click();
    await eventually(async () => (await pane(page, /What the person saw/).textContent()) ?? '').toContain(
      'You are welcome',
    );
    expect(Number(await position(page).getAttribute('max'))).toBeGreaterThan(before);
  });

  it('of a damaged and hostile file shows what is before the damage, and loads nothing', async () => {
    const golden = new URL('../storage/golden/', import.meta.url);
    const text = await readFile(new URL('v2.jsonl', golden), 'utf8');
    const { page } = await stage.browser.open(`${stage.site.freshURL()}#/review`);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const [header = '', started = ''] = text.split('\n');
    const hostile = {
      type: 'message.added',
      message: {
        id: 'm1',
        role: 'assistant',
        content: [{ type: 'text', text: 'Tom &amp; Jerry [a](https://evil.example) ![b](https://evil.example/b.png)' }],
        timestamp: 1,
      },
      seq: 2,
      at: 1,
      v: 2,
    };
    const file = [header, started, JSON.stringify(hostile), '{"type":"mess'].join('\n');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 's.jsonl', mimeType: 'text/plain', buffer: Buffer.from(file) });
    const seen = pane(page, /What the person saw/);
    await eventually(async () => (await seen.textContent()) ?? '').toContain('Tom & Jerry');
    await page.getByText('Shown up to a line that cannot be read. Line 4').waitFor();
    expect(await seen.getByRole('link').count()).toBe(0);
    expect(await seen.getByRole('button').count()).toBe(0);
    expect(requests.filter((url) => url.includes('evil'))).toEqual([]);
  });
});
