import { readFile } from 'node:fs/promises';
import { chinese, english } from 'brooklet/ui';
import type { Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { en } from '../../demo/src/texts/en/en.ts';
import { type AllTexts, roomsEn } from '../../demo/src/texts/en/rooms.ts';
import { zh } from '../../demo/src/texts/zh/zh.ts';
import { startFrugalBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { chooseLine, isFocused, pressOn, tabTo } from './support/keyboard.ts';
import { manySessions } from './support/many-sessions.ts';
import { setStage } from './support/stage.ts';
import {
  button,
  composer,
  connectTo,
  conversation,
  dialogClosed,
  hear,
  openSettings,
  palette,
  sections,
} from './support/studio.ts';

const stage = setStage(new URL('../../demo', import.meta.url), { start: startFrugalBrowser });

const rows = (page: Page): Locator => page.locator('.bk-session');
const rowOf = (page: Page, title: string): Locator => rows(page).filter({ hasText: title });
const titles = (page: Page): Promise<readonly string[]> => page.locator('.bk-session-title').allTextContents();
const filters = (page: Page): Locator => page.locator('.bk-filters');

async function open(file?: string): Promise<Page> {
  const { page } = await stage.browser.open(stage.site.freshURL());
  await composer(page).waitFor();
  if (file !== undefined) {
    await chooseFile(page, file);
    await page.locator('dialog .primary').click();
    await dialogClosed(page);
  }
  return page;
}

/** Opens the import, and gives it a file. */
async function chooseFile(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill('Import');
  await page.keyboard.press('Enter');
  const file = { name: 'chats.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(text) };
  await page.locator('dialog input[type=file]').setInputFiles(file);
}

/** Opens the menu of a row, and chooses a line. */
async function choose(page: Page, title: string, line: string): Promise<void> {
  await rowOf(page, title).hover();
  await rowOf(page, title).locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: line, exact: true }).click();
}

describe('the list of conversations', () => {
  it('keeps a conversation in its place when it is renamed, pinned or labelled', async () => {
    const page = await open(manySessions(5));
    await eventually(() => titles(page)).toEqual([0, 1, 2, 3, 4].map((at) => `Conversation ${at}`));
    const dateOf = (title: string) => rowOf(page, title).locator('time').getAttribute('datetime');
    const before = await dateOf('Conversation 3');
    await choose(page, 'Conversation 3', 'Rename');
    await page.keyboard.type('The fourth');
    await page.keyboard.press('Enter');
    const renamed = ['Conversation 0', 'Conversation 1', 'Conversation 2', 'The fourth', 'Conversation 4'];
    await eventually(() => titles(page)).toEqual(renamed);
    expect(await dateOf('The fourth')).toBe(before);
    await choose(page, 'Conversation 4', 'Pin');
    await eventually(() => titles(page)).toEqual(['Conversation 4', ...renamed.slice(0, 4)]);
    await choose(page, 'Conversation 4', 'Unpin');
    await eventually(() => titles(page)).toEqual(renamed);
    await page.reload();
    await eventually(() => titles(page)).toEqual(renamed);
  });

  it('lets the buttons of the page be pressed while it offers to undo a deletion', async () => {
    const page = await open(manySessions(3));
    for (const at of [0, 1, 2]) {
      await choose(page, `Conversation ${at}`, 'Delete');
      await page.getByText(en.toast.deleted(`Conversation ${at}`)).waitFor();
    }
    // Nothing lies on a button outside of the list and of the toasts.
    const covered = await page.evaluate(() => {
      const buttons = [...document.querySelectorAll<HTMLElement>('button, a, textarea')];
      return buttons.flatMap((one) => {
        if (one.closest('.toasts, .bk-session-list') || !one.checkVisibility() || one.closest('.skip-link')) return [];
        const { left, top, width, height } = one.getBoundingClientRect();
        const on = document.elementFromPoint(left + width / 2, top + height / 2);
        return on?.closest('.toasts') ? [one.outerHTML] : [];
      });
    });
    expect(covered).toEqual([]);
    await page.getByRole('button', { name: /^Settings/ }).click();
    await page.getByRole('dialog', { name: roomsEn.settings.title }).waitFor();
  });

  it('has the words of the first message for a title, also after an edit; a fork says where it comes from', async () => {
    const page = await open();
    await hear(page, 'Thanks!', 'You are welcome');
    await eventually(() => titles(page)).toEqual(['Thanks!']);
    const question = conversation(page).locator('.bk-question');
    await question.hover();
    await question.getByRole('button', { name: english.message.edit, exact: true }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Thank you!');
    await page.keyboard.press('Enter');
    await eventually(() => titles(page)).toEqual(['Thank you!']);
    await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });
    await button(page, en.message.fork).last().click();
    await page.getByRole('img', { name: en.sessions.forkedFrom('Thank you!') }).waitFor();
    expect(await rows(page).count()).toBe(2);
    expect(await rows(page).first().locator('.session-fork').count()).toBe(1);
  });

  it(
    'imports 1,000 conversations with progress, stops and goes on, and has all of them',
    { timeout: 240_000 },
    async () => {
      const page = await open();
      await chooseFile(page, manySessions(1_000));
      await button(page, roomsEn.importing.run(1_000)).click();
      await page.locator('dialog progress').waitFor();
      await button(page, roomsEn.importing.stop).click();
      await button(page, roomsEn.importing.goOn).click();
      await page.getByText(/\d+ conversations? imported/).waitFor({ timeout: 120_000 });
      const search = page.getByRole('searchbox', { name: english.sessions.search });
      await page.locator('.bk-session-link').first().focus();
      const end = page.getByText(english.sessions.end(1_000));
      const older = button(page, english.sessions.more);
      // A click while a page is on its way does nothing.
      while (!(await end.isVisible())) {
        await older.or(end).first().waitFor();
        if (await older.isVisible()) await older.click();
      }
      await end.waitFor();
      await search.fill('Question 777.');
      await eventually(() => titles(page)).toEqual(['Conversation 777']);
    },
  );
});

const languages: readonly (readonly [string, AllTexts, typeof english.sessions])[] = [
  ['English', { ...en, ...roomsEn }, english.sessions],
  ['Chinese', zh, chinese.sessions ?? english.sessions],
];

describe.each(languages)('labels and the archive, by keyboard alone, in %s', (_name, texts, words) => {
  it('sort conversations, several at once, with undo, and are in an export', { timeout: 180_000 }, async () => {
    const page = await open(manySessions(5));
    if (texts === zh) {
      await page.keyboard.press('Control+k');
      await palette(page).getByRole('combobox').fill('简体中文');
      await page.keyboard.press('Enter');
    }
    await eventually(() => page.evaluate(() => document.documentElement.lang)).toBe(texts.locale);
    await eventually(() => rows(page).count()).toBe(5);
    const linkOf = (at: number): Locator => rowOf(page, `Conversation ${at}`).locator('a');

    // Three are selected, and labelled.
    await tabTo(page, page.getByRole('searchbox', { name: words.search }));
    await page.keyboard.press('ArrowDown');
    expect(await isFocused(linkOf(0))).toBe(true);
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText(words.selected(3)).waitFor();
    await pressOn(page, button(page, words.setLabels));
    const editor = page.getByRole('dialog', { name: words.labelsOfMany(3) });
    await eventually(() => isFocused(editor.getByRole('textbox'))).toBe(true);
    await page.keyboard.type('work');
    await page.keyboard.press('Enter');
    await page.getByText(words.labelled('work', 3)).waitFor();
    await eventually(() => page.locator('.bk-session-labels').count()).toBe(3);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByText(words.selected(3)).waitFor({ state: 'detached' });

    // One is moved to the archive, and returns with the key of undo.
    expect(await isFocused(linkOf(0))).toBe(true);
    await page.keyboard.press('Shift+F10');
    await chooseLine(page, page.getByRole('menuitem', { name: words.archive, exact: true }));
    await page.getByText(words.archivedNow('Conversation 0')).waitFor();
    await eventually(() => rows(page).count()).toBe(4);
    await page.keyboard.press('Control+z');
    await eventually(() => rows(page).count()).toBe(5);
    await tabTo(page, page.getByRole('searchbox', { name: words.search }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+F10');
    await chooseLine(page, page.getByRole('menuitem', { name: words.archive, exact: true }));
    await eventually(() => rows(page).count()).toBe(4);

    // The filters show the label, and the archive; a search looks in both.
    await pressOn(page, filters(page).getByRole('button', { name: 'work' }));
    await eventually(() => titles(page)).toEqual(['Conversation 1', 'Conversation 2']);
    await pressOn(page, filters(page).getByRole('button', { name: words.inArchive }));
    await eventually(() => titles(page)).toEqual(['Conversation 0']);
    await pressOn(page, filters(page).getByRole('button', { name: words.all, exact: true }));
    await eventually(() => rows(page).count()).toBe(4);
    await tabTo(page, page.getByRole('searchbox', { name: words.search }), 'Shift+Tab');
    await page.keyboard.type('Question 0.');
    await eventually(() => titles(page)).toEqual(['Conversation 0']);
    await page.keyboard.press('Escape');

    // After a reload everything is where it was, and an export carries it.
    await page.reload();
    await eventually(() => rows(page).count()).toBe(4);
    await filters(page).getByRole('button', { name: words.inArchive }).waitFor();
    const downloaded = page.waitForEvent('download');
    await page.keyboard.press('Control+k');
    await palette(page).getByRole('combobox').fill(texts.palette.exportAll);
    await page.keyboard.press('Enter');
    const exported = await readFile(await (await downloaded).path(), 'utf8');
    const other = await open(exported);
    await filters(other).getByRole('button', { name: 'work' }).click();
    await eventually(() => titles(other)).toEqual(['Conversation 1', 'Conversation 2']);
    await filters(other).getByRole('button', { name: english.sessions.inArchive }).click();
    await eventually(() => titles(other)).toEqual(['Conversation 0']);
  });
});

describe('a title that the model writes', () => {
  it('comes after the first answer, is counted, and can be switched off', async () => {
    // The test of the connection.
    stage.wire.mock.onMessage('Hi', { content: 'Hi.' });
    stage.wire.mock.onMessage('assistant: Rivers', { content: '"Rivers and their mills."' });
    stage.wire.mock.onMessage('rivers', { content: 'Rivers begin small.' });
    const page = await open();
    await openSettings(page, sections.model);
    await connectTo(page, { baseURL: stage.wire.baseURL, key: 'sk-test' });
    const question = 'Tell me all that you know of rivers and of the mills along them.';
    await hear(page, question, 'begin small');
    await eventually(() => titles(page)).toEqual(['Rivers and their mills']);
    const [, , request] = stage.wire.exchanges.map(({ body }) => body);
    expect(request).toMatchObject({ max_tokens: 400 });
    expect(request?.tools).toBeUndefined();

    // Switched off, the next one has its first words.
    await page.keyboard.press('Control+,');
    await page.getByRole('tab', { name: roomsEn.settings.usage }).click();
    await page.getByLabel(roomsEn.usage.titles).uncheck();
    await page.keyboard.press('Escape');
    await dialogClosed(page);
    await page.keyboard.press('Control+Shift+O');
    await eventually(() => isFocused(composer(page))).toBe(true);
    await page.getByRole('heading', { name: en.common.newChat }).waitFor();
    await hear(page, question, 'begin small');
    await eventually(() => rows(page).count()).toBe(2);
    expect(await titles(page)).toEqual([question, 'Rivers and their mills']);
    expect(stage.wire.exchanges).toHaveLength(4);
  });
});

describe('the list on a phone', () => {
  it('selects, labels and archives by touch in the drawer', async () => {
    const page = await open(manySessions(4));
    await page.setViewportSize({ width: 390, height: 844 });
    await button(page, en.shell.openSessions).click();
    await choose(page, 'Conversation 1', english.sessions.selectOne);
    await rowOf(page, 'Conversation 2').getByRole('checkbox').click();
    await page.getByText(english.sessions.selected(2)).waitFor();
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBe(0);
    await page.locator('.bk-session-bar').getByRole('button', { name: english.sessions.archive, exact: true }).click();
    await page.getByText(english.sessions.archivedMany(2)).waitFor();
    await eventually(() => titles(page)).toEqual(['Conversation 0', 'Conversation 3']);
    await button(page, en.common.undo).click();
    await eventually(() => rows(page).count()).toBe(4);
    await rowOf(page, 'Conversation 3').locator('a').click();
    await eventually(() => page.locator('#sessions').getAttribute('inert')).not.toBeNull();
    await conversation(page).getByText('Answer 3.').waitFor();
  });

  it('closes the drawer when the person goes back', async () => {
    const page = await open(manySessions(2));
    await page.setViewportSize({ width: 390, height: 844 });
    for (const title of ['Conversation 0', 'Conversation 1']) {
      await button(page, en.shell.openSessions).click();
      await rowOf(page, title).locator('a').click();
      await conversation(page)
        .getByText(`Answer ${title.at(-1)}.`)
        .waitFor();
    }
    await button(page, en.shell.openSessions).click();
    await eventually(() => page.locator('#sessions').getAttribute('inert')).toBeNull();
    await page.goBack();
    await conversation(page).getByText('Answer 0.').waitFor();
    await eventually(() => page.locator('#sessions').getAttribute('inert')).not.toBeNull();
  });
});

it('goes back from a new conversation to what was shown before it', async () => {
  const page = await open(manySessions(2));
  await rowOf(page, 'Conversation 1').locator('a').click();
  await conversation(page).getByText('Answer 1.').waitFor();
  await page.getByRole('link', { name: en.common.newChat }).first().click();
  await eventually(() => page.evaluate(() => location.hash)).toBe('#/');
  const steps = await page.evaluate(() => history.length);
  await composer(page).fill('Hello');
  await composer(page).press('Enter');
  await eventually(() => page.evaluate(() => location.hash)).toMatch(/^#\/s\//u);
  expect(await page.evaluate(() => history.length)).toBe(steps);
  await page.goBack();
  await conversation(page).getByText('Answer 1.').waitFor();
});
