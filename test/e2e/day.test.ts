import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterEach, expect, it } from 'vitest';
import { serveStudio } from '../../scripts/serve-studio.mjs';
import { manyConversations } from '../history/samples/chatgpt.ts';
import { roomsEn } from '../../demo/src/texts/en/rooms.ts';
import { startBrowser } from './support/browser.ts';
import { startWire } from './support/server.ts';
import { closeCleanly } from './support/clean.ts';
import { connectProtected, unlockBesideField } from './support/encrypting.ts';
import { eventually } from './support/eventually.ts';
import { during } from './support/stage.ts';
import {
  ask,
  begin,
  button,
  composer,
  conversation,
  dialogClosed,
  hear,
  openSettings,
  sections,
  setPace,
  textOf,
} from './support/studio.ts';

// A day of one person in Studio, with the demo model: what each step left is compared at the end.

const browser = during(startBrowser, (its) => its.close());
const studio = during(serveStudio, ({ stop }) => stop());
const wire = during(startWire, (its) => its.stop());
afterEach(() => closeCleanly(browser()));

/** What is asked, and what the answer has. */
const questions: readonly (readonly [question: string, answer: RegExp])[] = [
  ['What is 6 * 7?', /is 42/],
  ['What time is it in Tokyo?', /Tokyo/],
  ['Thanks!', /You are welcome/],
  ['Show me some Markdown', /block by block/],
  ['What is 17.5% of 240?', /42/],
  ['Which notes do I have?', /note/i],
];

const form = (page: Page): Locator => page.locator('.bk-approval');
const idle = (page: Page): Promise<void> => page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });
/** Text of the conversation, without what is folded away within the rows of calls. */
const wordsOf = (page: Page): Promise<string> =>
  conversation(page).evaluate((section) => {
    const copy = section.cloneNode(true);
    if (!(copy instanceof Element)) return '';
    for (const folded of copy.querySelectorAll('details > :not(summary)')) folded.remove();
    return copy.textContent ?? '';
  });
const goTo = (page: Page, hash: string): Promise<unknown> => page.evaluate((next) => (location.hash = next), hash);
const hashOf = (page: Page): Promise<string> => page.evaluate(() => location.hash);

it('a day: thirty conversations, files, decisions, a lost network, a new version, a second tab, a locked vault, a thousand imported chats', async () => {
  const { page } = await browser().open(studio().url, { pace: 0 });
  await composer(page).waitFor();
  /** The text that each conversation showed when it was left. */
  const left = new Map<string, string>();

  async function leave(): Promise<void> {
    await idle(page);
    left.set(await hashOf(page), await wordsOf(page));
    await goTo(page, '#/');
    await eventually(() => hashOf(page)).toBe('#/');
  }

  // The morning: questions.
  for (let nth = 0; nth < 24; nth += 1) {
    const [question, answer] = questions[nth % questions.length] ?? expect.unreachable();
    await hear(page, question, answer);
    if (nth % 4 === 0) await hear(page, 'Thanks!', /You are welcome/);
    await leave();
  }

  // Decisions: one approved, one rejected, one edited away by Esc, which decides nothing.
  for (const verb of ['Approve', 'Reject']) {
    await ask(page, `Remember to water plant ${verb}`);
    await form(page).waitFor();
    await page.keyboard.press('Escape');
    await form(page).waitFor();
    await form(page).getByRole('button', { name: verb, exact: true }).click();
    // The reason may stay empty.
    if (verb === 'Reject') await form(page).getByRole('button', { name: 'Reject call', exact: true }).click();
    await form(page).waitFor({ state: 'detached' });
    await leave();
  }

  // Files.
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('The brook rises in May.') },
      { name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from('a;b\n1;2\n') },
    ]);
  await page.getByText('table.csv').first().waitFor();
  await hear(page, 'Thanks!', /You are welcome/);
  await leave();

  // The network goes in the middle of a story, and the page is loaded anew.
  await eventually(() => page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)).toBe(
    'activated',
  );
  await setPace(page, 1);
  await begin(page, 'Tell me a long story about a brook', 'High up, under a stone');
  const cut = await hashOf(page);
  await browser().context.setOffline(true);
  await page.reload();
  await eventually(() => textOf(page)).toContain('High up, under a stone');
  await setPace(page, 0);
  await button(page, 'Resume').click();
  await eventually(() => textOf(page)).toContain('the spring has just begun');
  await idle(page);
  expect((await textOf(page)).split('High up, under a stone')).toHaveLength(2);
  await browser().context.setOffline(false);
  expect(await hashOf(page)).toBe(cut);
  await leave();

  // A new version is deployed while a call waits for its decision.
  await ask(page, 'Remember to feed the trout');
  await form(page).waitFor();
  await appendFile(join(studio().folder, 'sw.js'), '\n// The next version.\n');
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await page.getByText('A new version is ready.').waitFor();
  await page.evaluate(() => Object.assign(globalThis, { isOld: true }));
  await button(page, 'Update now').click();
  await eventually(() => page.evaluate(() => 'isOld' in globalThis)).toBe(false);
  await form(page).waitFor();

  // A second tab decides.
  const second = await browser().open(`${studio().url}${await hashOf(page)}`, { pace: 0 });
  await form(second.page).waitFor();
  await form(second.page).getByRole('button', { name: 'Approve', exact: true }).click();
  await form(page).waitFor({ state: 'detached' });
  await idle(second.page);
  for (const tab of [page, second.page]) await eventually(() => textOf(tab)).toMatch(/feed the trout.*feed the trout/s);
  await second.page.close();
  await leave();

  // A model of the person's own, whose key is encrypted: it is locked, and unlocked by what waits for it.
  wire().mock.onMessage('Hi', { content: 'Hi.' }).onMessage('trout', { content: 'Three trout live there.' });
  await connectProtected(page, wire().baseURL);
  await openSettings(page, sections.keys);
  await button(page, roomsEn.keys.lockNow).click();
  await page.keyboard.press('Escape');
  await dialogClosed(page);
  await unlockBesideField(page);
  await hear(page, 'How many trout?', 'Three trout live there.');
  await leave();

  // A thousand chats of another service.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('Import');
  await page
    .getByRole('option', { name: /Import/ })
    .first()
    .click();
  const buffer = Buffer.from(JSON.stringify(manyConversations(1_000)));
  await page
    .locator('dialog input[type=file]')
    .setInputFiles({ name: 'conversations.json', mimeType: 'application/json', buffer });
  await page.getByRole('button', { name: /^Import 1,?000 conversations/ }).click();
  await page.getByText(/1,?000 conversations imported/).waitFor({ timeout: 120_000 });

  // The evening: everything is there.
  expect(left.size).toBe(30);
  await page.reload();
  await composer(page).waitFor();
  for (const [hash, text] of left) {
    await goTo(page, hash);
    await conversation(page).waitFor();
    await eventually(() => wordsOf(page)).toBe(text);
  }
  const search = page.getByRole('searchbox', { name: 'Search conversations' });
  await search.fill('axolotls');
  await page.getByRole('link', { name: /Conversation 0+321/ }).waitFor();
  await search.fill('water plant');
  for (const verb of ['Approve', 'Reject'])
    await page.getByRole('link', { name: `Remember to water plant ${verb}` }).waitFor();
}, 600_000);
