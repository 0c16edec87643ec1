import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { en } from '../../demo/src/texts/en/en.ts';
import { roomsEn } from '../../demo/src/texts/en/rooms.ts';
import { startFrugalBrowser } from './support/browser.ts';
import { canary } from './support/canary.ts';
import { connectProtected, unlockBesideField } from './support/encrypting.ts';
import { eventually } from './support/eventually.ts';
import { setStage } from './support/stage.ts';
import {
  ask,
  button,
  composer,
  connectTo,
  conversation,
  dialogClosed,
  hear,
  openSettings,
  sections,
} from './support/studio.ts';

const stage = setStage(new URL('../../demo', import.meta.url), { start: startFrugalBrowser });

/** Opens Studio, and its settings; the service answers. */
async function openStudio(problem?: RegExp): Promise<Page> {
  stage.wire.mock.onMessage('Hi', { content: 'Hi.' });
  stage.wire.mock.onMessage('rivers', { content: 'Rivers begin small.' });
  const tab = await stage.browser.open(stage.site.freshURL());
  if (problem) tab.expectProblem(problem);
  const { page } = tab;
  await composer(page).waitFor();
  return page;
}

const dots = (page: Page): Promise<readonly string[]> =>
  page.locator('.chip .dot, .who .dot').evaluateAll((all) => all.map((dot) => dot.classList.item(1) ?? ''));

describe('the keys of Studio in several tabs', { timeout: 120_000 }, () => {
  it('are unlocked once for all tabs, by a choice beside the field, and locked by any of them', async () => {
    const page = await openStudio();
    await connectProtected(page, stage.wire.baseURL);
    await hear(page, 'Tell me of rivers.', 'Rivers begin small.');

    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.locator('.chat-model').waitFor();
    expect(await second.getByText(en.composer.keysLocked).count()).toBe(0);
    await ask(second, 'And more of rivers?');
    await eventually(() => conversation(second).getByText('Rivers begin small.').count()).toBe(2);
    expect(stage.wire.exchanges.at(-1)?.headers.authorization).toBe(`Bearer ${canary}`);

    await openSettings(second, sections.keys);
    await button(second, roomsEn.keys.lockNow).click();
    await unlockBesideField(page);
    await button(second, roomsEn.keys.lockNow).waitFor();
    await second.close();
  });

  it('are missing in a tab that never had one, and it says so; after a reload it says what the reload did', async () => {
    const page = await openStudio();
    await openSettings(page, sections.model);
    await connectTo(page, { baseURL: stage.wire.baseURL, key: canary });
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.getByText(en.composer.noKeyYet(stage.wire.host)).waitFor();
    await page.reload();
    await page.getByText(en.composer.cleared(stage.wire.host)).waitFor();
    await second.close();
  });
});

describe('the state of the connection', { timeout: 120_000 }, () => {
  it('is tested before it counts, and told by the dots as it is', async () => {
    const page = await openStudio(/Failed to load resource.*401/u);
    expect(await dots(page)).toEqual(['offline', 'offline']);
    await openSettings(page, sections.model);
    await connectTo(page, { baseURL: stage.wire.baseURL, key: canary });
    await eventually(() => dots(page)).toEqual(['works', 'works']);

    stage.wire.mock
      .clearFixtures()
      .onMessage('rivers', { error: { message: 'No.', code: 'invalid_api_key' }, status: 401 });
    await ask(page, 'Tell me of rivers.');
    await eventually(() => dots(page)).toEqual(['refused', 'refused']);
    // As a word, too.
    expect(await page.locator('.who').textContent()).toContain(en.connection.health.refused);
    await page.reload();
    await page.locator('.who').waitFor();
    stage.wire.mock.clearFixtures().onMessage('Hi', { content: 'Hi.' }).onMessage('rivers', { content: 'Small.' });
    await button(page, en.composer.enterKey).click();
    await connectTo(page, { key: canary });
    await eventually(() => dots(page)).toEqual(['works', 'works']);
  });
});

describe('the model of a chat', { timeout: 120_000 }, () => {
  const modelOf = (at: number): string | undefined => stage.wire.exchanges.at(at)?.body.model;

  it('is chosen beside the message field by the keyboard, and for one more answer among its verbs', async () => {
    const page = await openStudio();
    await openSettings(page, sections.model);
    await connectTo(page, { baseURL: stage.wire.baseURL, key: canary });
    await page.locator('.chat-model > button').focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('input[role=combobox]').fill('brook-small');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: en.chatChip.pick('brook-small') }).waitFor();
    await hear(page, 'Tell me of rivers.', 'Rivers begin small.');
    expect(modelOf(-1)).toBe('brook-small');

    await button(page, en.message.answerWith).click();
    await page.locator('input[role=combobox]').fill('brook-large');
    await page.keyboard.press('Enter');
    await eventually(() => modelOf(-1)).toBe('brook-large');
    await page.locator('.bk-versions').first().waitFor();
    // For this once.
    await hear(page, 'More of rivers?', 'Rivers begin small.');
    expect(modelOf(-1)).toBe('brook-small');
  });

  it('answers as the settings of the chat say, else as those for all chats', async () => {
    const page = await openStudio();
    await openSettings(page, sections.model);
    await connectTo(page, { baseURL: stage.wire.baseURL, key: canary });
    const { chatSettings: words } = roomsEn;
    await openSettings(page, sections.answers);
    await page.getByLabel(words.allInstructions).fill('Use metric units.');
    await page.getByLabel(words.temperature).fill('hot');
    await page.keyboard.press('Enter');
    await page.getByText(words.problems.temperature).waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
    await page.getByLabel(words.temperature).fill('0.5');
    await page.getByLabel(words.maxTokens).fill('900');
    await button(page, words.save).click();
    await page.getByText(words.saved).waitFor();
    await page.keyboard.press('Escape');
    await dialogClosed(page);

    await page.keyboard.press('Control+.');
    await page.getByText(words.more).click();
    await page.getByLabel(words.effort).selectOption('high');
    await page.getByLabel(words.temperature).fill('1');
    await button(page, words.save).click();
    await dialogClosed(page);
    await hear(page, 'Tell me of rivers.', 'Rivers begin small.');
    const { body } = stage.wire.exchanges.at(-1) ?? expect.unreachable('a request');
    expect(body).toMatchObject({ temperature: 1, reasoning_effort: 'high' });
    expect(JSON.stringify(body)).toContain('900');
    expect(JSON.stringify(body.messages[0])).toContain('Use metric units.');
  });
});
