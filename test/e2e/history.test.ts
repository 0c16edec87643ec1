import { describe, expect, it } from 'vitest';
import { manyConversations } from '../history/samples/chatgpt.ts';
import { startFrugalBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { setStage } from './support/stage.ts';

const stage = setStage(new URL('../../demo', import.meta.url), { start: startFrugalBrowser });

describe('an export of ChatGPT with 500 conversations', () => {
  it('is imported in Studio with progress, searched and reviewed, and adds nothing again', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    const buffer = Buffer.from(JSON.stringify(manyConversations(500)));
    const choose = async (): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('Import');
      await page
        .getByRole('option', { name: /Import/ })
        .first()
        .click();
      const file = { name: 'conversations.json', mimeType: 'application/json', buffer };
      await page.locator('dialog input[type=file]').setInputFiles(file);
    };

    await choose();
    await page.getByText('ChatGPT: 500 conversations, 1600 messages.').waitFor();
    await page.getByText('Nothing is left out.').waitFor();
    await page.evaluate(() => {
      const seen: string[] = [];
      Reflect.set(globalThis, 'seen', seen);
      new MutationObserver(() => {
        const text = document.querySelector('dialog output')?.textContent ?? '';
        if (text.startsWith('Importing') && seen.at(-1) !== text) seen.push(text);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await page.getByRole('button', { name: 'Import 500 conversations' }).click();
    await page.getByText('500 conversations imported').waitFor();
    const seen = await page.evaluate((): unknown => Reflect.get(globalThis, 'seen'));
    expect(Array.isArray(seen) && seen.length).toBeGreaterThan(10);

    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('axolotls');
    const row = page.getByRole('link', { name: /Conversation 0+321/ });
    await row.click();
    await page.getByText('Another answer 321.').waitFor();
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('Question 320');
    await page.getByRole('link', { name: /Conversation 0+320/ }).click();
    await page.getByText('Another answer 320.').waitFor();
    await page.getByRole('link', { name: 'Review' }).first().click();
    await page.getByRole('button', { name: /^Tool calls/u }).click();
    await page.getByText('from another log').first().waitFor();
    await eventually(() => page.getByText('python').count()).toBeGreaterThan(0);

    await page.goBack();
    await choose();
    await page.getByRole('button', { name: 'Nothing to import' }).waitFor();
  });
});
