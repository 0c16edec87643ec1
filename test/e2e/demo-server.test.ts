import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { startFrugalBrowser, type Tab } from './support/browser.ts';
import { canary } from './support/canary.ts';
import { ask, conversation, textOf } from './support/demo.ts';
import { eventually } from './support/eventually.ts';
import { startWire } from './support/server.ts';
import { setStage } from './support/stage.ts';
import { button, dialogClosed, fillService } from './support/studio.ts';

const stage = setStage(new URL('../../demo', import.meta.url), { start: startFrugalBrowser });

/** Fills in the open settings. */
async function fillSettings(page: Page, key: string): Promise<void> {
  await fillService(page, { baseURL: stage.wire.baseURL, model: 'gpt-5-mini', key });
}

/** Connects to what the settings contain, after a test of the key. */
async function connectNow(page: Page): Promise<void> {
  stage.wire.mock.onMessage('Hi', { content: 'Hi.' });
  await button(page, 'Connect').click();
  await dialogClosed(page);
}

describe('the demo, with a key', () => {
  it('talks to a real server, and clears the key on reload', async () => {
    stage.wire.mock.onMessage('rivers', { content: 'Rivers *begin* small.' });
    const { page } = await stage.browser.open(stage.site.freshURL());
    await button(page, 'Connect a model').click();
    await fillSettings(page, canary);
    await connectNow(page);
    await ask(page, 'Tell me of rivers.');
    await eventually(() => textOf(page)).toContain('Rivers begin small.');
    expect(stage.wire.exchanges.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${canary}`,
      `Bearer ${canary}`,
    ]);

    await page.reload();
    await eventually(() => textOf(page)).toContain('Rivers begin small.');
    await page.getByText(`The reload cleared the key for ${stage.wire.host}.`).waitFor();
    expect(await button(page, 'Send').isDisabled()).toBe(true);
  });

  it('states that a key was refused, and links to the settings', async () => {
    stage.wire.mock.onMessage('rivers', {
      error: { message: `Incorrect API key provided: ${canary}.`, code: 'invalid_api_key' },
      status: 401,
    });
    const tab = await stage.browser.open(stage.site.freshURL());
    const { page } = tab;
    tab.expectProblem(/Failed to load resource.*401/);
    await button(page, 'Connect a model').click();
    await fillSettings(page, canary);
    await connectNow(page);
    await ask(page, 'Tell me of rivers.');
    const notice = page.getByRole('alert').filter({ hasText: 'AUTHENTICATION_FAILED' });
    await notice.waitFor();
    expect(await notice.textContent()).toContain(`401 from ${stage.wire.host}: the key was refused`);

    await notice.getByRole('button', { name: 'Open settings' }).click();
    await button(page, 'Change').click();
    await page.getByLabel('API key', { exact: true }).fill('sk-another-key');
    stage.wire.mock.clearFixtures();
    await connectNow(page);
    stage.wire.mock.onMessage('rivers', { content: 'Rivers begin small.' });
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await eventually(() => textOf(page)).toContain('Rivers begin small.');
    expect(await notice.count()).toBe(0);
    expect(stage.wire.exchanges.at(-1)?.headers.authorization).toBe('Bearer sk-another-key');
  });

  it('distinguishes a refused key, a wrong model, a CORS error and an unreachable server', async () => {
    const closed = await startWire({ cors: false });
    stage.wire.mock.onMessage('Hi', { error: { message: 'No.', code: 'invalid_api_key' }, status: 401 });
    const tab = await stage.browser.open(stage.site.freshURL());
    const { page } = tab;
    tab.expectProblem(/Failed to load resource|blocked by CORS policy/);
    const test = async (verdict: string): Promise<void> => {
      await button(page, 'Connect').click();
      await page.getByText(verdict).waitFor();
    };
    try {
      await button(page, 'Connect a model').click();
      await fillSettings(page, canary);
      await test('The key was refused');
      stage.wire.mock
        .clearFixtures()
        .onMessage('Hi', { error: { message: 'The model does not exist.', code: 'model_not_found' }, status: 404 });
      await test('There is no such model');
      await fillService(page, { baseURL: closed.baseURL, key: canary });
      await test('Blocked by CORS');
    } finally {
      await closed.stop();
    }
    await test('Nothing answered');
    // Nothing of it is chosen.
    expect(await page.getByText('Now: Offline demo model').isVisible()).toBe(true);
  });
});

describe('the demo, with answers that are hard to render', () => {
  async function connect(): Promise<Tab> {
    const tab = await stage.browser.open(stage.site.freshURL());
    await button(tab.page, 'Connect a model').click();
    await fillSettings(tab.page, canary);
    await connectNow(tab.page);
    return tab;
  }

  it('shows named character references, during the stream and after a reload', async () => {
    stage.wire.mock.onMessage('cartoon', { content: 'Tom &amp; Jerry, a&nbsp;b, R&D; and &copy 2026.' });
    const { page } = await connect();
    await ask(page, 'Which cartoon?');
    const shown = 'Tom & Jerry, a\u00a0b, R&D; and &copy 2026.';
    await eventually(() => textOf(page)).toContain(shown);
    await page.reload();
    await eventually(() => textOf(page)).toContain(shown);
  });

  it.each([
    ['a list nested 1,500 deep', `${'- '.repeat(1_500)}deep`],
    ['5,300 emphasis marks', '*a_'.repeat(5_300)],
    ['2,000 nested images', `${'!['.repeat(2_000)}x${'](y)'.repeat(2_000)}`],
  ])('shows %s as plain text, and the paragraph after it as Markdown', async (_name, hostile) => {
    stage.wire.mock.onMessage('hard', { content: `${hostile}\n\nThen an *easy* one.` });
    const { page } = await connect();
    await ask(page, 'Something hard');
    await eventually(() => conversation(page).locator('em').allTextContents()).toEqual(['easy']);
    expect(await conversation(page).locator('.bk-plain .bk-source-text').textContent()).toBe(hostile);
  });
});
