import { readFile } from 'node:fs/promises';
import { chinese, english } from 'brooklet/ui';
import type { Locator, Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { type AllTexts, roomsEn } from '../../demo/src/texts/en/rooms.ts';
import { en } from '../../demo/src/texts/en/en.ts';
import { zh } from '../../demo/src/texts/zh/zh.ts';
import { startFrugalBrowser } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { chooseLine, isFocused, pressOn, tabTo } from './support/keyboard.ts';
import { during, setSite } from './support/stage.ts';
import { composer, conversation, palette, setPace, textOf } from './support/studio.ts';

const site = setSite(new URL('../../demo', import.meta.url));
const browser = during(startFrugalBrowser, (its) => its.close());
afterEach(() => closeCleanly(browser()));

/** Finds a command or a conversation in the palette, and chooses it. */
async function command(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  await page.keyboard.type(text);
  await palette(page).getByRole('option', { name: text }).first().waitFor();
  await page.keyboard.press('Enter');
  await palette(page).waitFor({ state: 'detached' });
}

async function goToSearch(page: Page, name: string): Promise<void> {
  await command(page, name);
  await eventually(() => isFocused(page.getByRole('searchbox'))).toBe(true);
}

/** Goes from the search field down to the row of a conversation. */
async function goToRow(page: Page, texts: AllTexts, title: string): Promise<void> {
  await goToSearch(page, texts.palette.goToSearch);
  const row = rowOf(page, title).locator('a');
  for (let step = 0; step < 9 && !(await isFocused(row)); step++) await page.keyboard.press('ArrowDown');
  expect(await isFocused(row)).toBe(true);
}

const rows = (page: Page) => page.locator('.bk-session');
const rowOf = (page: Page, title: string) => rows(page).filter({ hasText: title });

/** Opens the menu of a conversation in the list, and chooses a line. */
async function chooseFor(page: Page, texts: AllTexts, title: string, line: string): Promise<void> {
  await goToRow(page, texts, title);
  await page.keyboard.press('Shift+F10');
  await chooseLine(page, page.getByRole('menuitem', { name: line }));
}

/** `LANGUAGES=1` plays the first of them alone. */
const languages: readonly (readonly [string, AllTexts, string, string])[] = [
  ['Chinese', zh, '给蕨类植物浇水', '谢谢！'],
  ['English', { ...en, ...roomsEn }, 'water the ferns', 'Thanks!'],
];

describe.each(languages.slice(0, Number(process.env.LANGUAGES ?? 2)))(
  'Studio by keyboard alone, in %s',
  (_name, texts, edited, thanks) => {
    it('leads from the first message to its review', { timeout: 180_000 }, async () => {
      const { page } = await browser().open(site().freshURL());
      const { sessions: words, importing, toast, welcome } = texts;
      const { approval, message: verbs, versions, sessions: list } = texts === zh ? chinese : english;
      const note = welcome.prompts.note.text;
      await eventually(() => isFocused(composer(page))).toBe(true);
      if (texts === zh) await command(page, '简体中文');
      await eventually(() => page.evaluate(() => document.documentElement.lang)).toBe(texts.locale);
      await tabTo(page, composer(page));

      // A message, its reasoning, and an approval with an edited input.
      await page.keyboard.type(note);
      await page.keyboard.press('Enter');
      const form = conversation(page).locator('.bk-approval');
      await form.waitFor();
      await pressOn(page, conversation(page).locator('details summary').first());
      await pressOn(page, form.getByRole('button', { name: approval.edit, exact: true }));
      const input = form.getByRole('textbox', { name: 'text' });
      // The form has the focus when it is shown.
      await eventually(() => isFocused(input)).toBe(true);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(edited);
      await pressOn(page, form.getByRole('button', { name: approval.approveEdited, exact: true }));
      await eventually(() => textOf(page)).toContain(edited);
      await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });

      // Another chat, stopped.
      await page.keyboard.press('Control+Shift+O');
      await eventually(() => isFocused(composer(page))).toBe(true);
      await page.keyboard.type(welcome.morePrompts.story);
      await setPace(page, 1);
      await page.keyboard.press('Enter');
      await eventually(() => conversation(page).locator('.bk-markdown').count()).toBeGreaterThan(0);
      await page.keyboard.press('Escape');
      await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });
      await setPace(page, 0);

      // Edited and answered again; both versions are there.
      const question = conversation(page).locator('.bk-question');
      const versionOf = (of: Locator) => of.getByRole('group', { name: versions.label }).textContent();
      await pressOn(page, question.getByRole('button', { name: verbs.edit, exact: true }));
      await eventually(() => isFocused(page.getByRole('textbox', { name: verbs.editField }))).toBe(true);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(thanks);
      await page.keyboard.press('Enter');
      await eventually(() => textOf(page)).toMatch(/You are welcome\.|不客气。/u);
      await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });
      expect(await versionOf(question)).toBe('2 / 2');
      const answer = conversation(page).locator('.bk-answer');
      await pressOn(page, answer.getByRole('button', { name: verbs.regenerate, exact: true }));
      await eventually(() => versionOf(answer)).toBe('2 / 2');
      await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });
      await pressOn(page, answer.getByRole('button', { name: versions.previous }));
      await eventually(() => versionOf(answer)).toBe('1 / 2');
      expect(await isFocused(answer.getByRole('button', { name: versions.previous }))).toBe(true);
      await pressOn(page, question.getByRole('button', { name: versions.previous }));
      await eventually(() => versionOf(question)).toBe('1 / 2');
      expect(await question.textContent()).toContain(welcome.morePrompts.story);
      const next = question.getByRole('button', { name: versions.next });
      await pressOn(page, next);
      await eventually(() => textOf(page)).toMatch(/You are welcome\.|不客气。/u);
      // The focus has moved with the versions.
      expect(await isFocused(next)).toBe(true);

      // Forked: the copy goes on by itself.
      const original = page.url();
      await pressOn(page, answer.getByRole('button', { name: texts.message.fork }));
      await eventually(() => page.url()).not.toBe(original);
      await eventually(() => rows(page).count()).toBe(3);
      await eventually(() => textOf(page)).toMatch(/You are welcome\.|不客气。/u);

      // Found by a word of a message.
      await goToSearch(page, texts.palette.goToSearch);
      await page.keyboard.type(edited.slice(-5));
      await eventually(() => rows(page).count()).toBe(1);
      await page.keyboard.press('ArrowDown');
      expect(await isFocused(rowOf(page, note).locator('a'))).toBe(true);
      await page.keyboard.press('Enter');
      await eventually(() => textOf(page)).toContain(edited);
      await tabTo(page, page.getByRole('searchbox'), 'Shift+Tab');
      await page.keyboard.press('Escape');
      await eventually(() => rows(page).count()).toBe(3);

      // Exported, deleted, restored, deleted again.
      const downloaded = page.waitForEvent('download');
      await chooseFor(page, texts, note, words.exportOne);
      const download = await downloaded;
      expect(download.suggestedFilename()).toMatch(
        /^brooklet-(Remember-to-water-the-plants|记住给植物浇水)-[\d-]+\.jsonl$/u,
      );
      const exported = await readFile(await download.path(), 'utf8');
      await chooseFor(page, texts, note, list.remove);
      await eventually(() => rows(page).count()).toBe(2);
      await page.getByText(toast.deleted(note)).waitFor();
      await page.keyboard.press('Control+z');
      await eventually(() => rows(page).count()).toBe(3);
      await eventually(() => textOf(page)).toContain(edited);
      await chooseFor(page, texts, note, list.remove);
      await eventually(() => rows(page).count()).toBe(2);

      // Imported, after a look at what the file contains.
      await command(page, texts.palette.importFile);
      const chosen = page.waitForEvent('filechooser');
      await pressOn(page, page.locator('dialog input[type=file]'));
      const chooser = await chosen;
      await chooser.setFiles({ name: 'chats.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(exported) });
      await page.getByText(importing.added, { exact: true }).waitFor();
      expect(await rows(page).count()).toBe(2);
      await pressOn(page, page.getByRole('button', { name: importing.run(1) }));
      await eventually(() => rows(page).count()).toBe(3);

      // Reviewed, step by step.
      await chooseFor(page, texts, note, words.review);
      await page.waitForURL(/#\/review\//);
      await page.getByRole('slider').first().waitFor();
      const position = () => page.getByRole('slider').first().getAttribute('aria-valuetext');
      const end = await position();
      await tabTo(page, page.getByRole('slider').first());
      await page.keyboard.press('ArrowLeft');
      await eventually(position).not.toBe(end);
    });
  },
);

describe.each(languages.slice(0, Number(process.env.LANGUAGES ?? 2)))(
  'the keys of Studio, in %s',
  (_name, texts, _edited, thanks) => {
    it('answer again, open the settings of the chat, and hide the conversations', { timeout: 120_000 }, async () => {
      const { page } = await browser().open(site().freshURL());
      const { help, chatSettings: words } = texts;
      const { versions: versionWords } = texts === zh ? chinese : english;
      await eventually(() => isFocused(composer(page))).toBe(true);
      if (texts === zh) await command(page, '简体中文');
      await tabTo(page, composer(page));
      await page.keyboard.type(thanks);
      await page.keyboard.press('Enter');
      await eventually(() => textOf(page)).toMatch(/You are welcome\.|不客气。/u);
      await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });

      // Not while something is typed, which the key could be meant for.
      const versions = conversation(page).locator('.bk-answer').getByRole('group', { name: versionWords.label });
      await page.keyboard.type('-');
      await page.keyboard.press('Control+Shift+Enter');
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      expect(await versions.count()).toBe(0);
      await page.keyboard.press('Control+Shift+Enter');
      await eventually(() => versions.textContent()).toBe('2 / 2');
      await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });

      // What was typed is there again after Escape, and Save is in reach.
      const dialog = page.getByRole('dialog', { name: words.title });
      const instructions = dialog.getByRole('textbox', { name: words.instructions });
      for (const text of [thanks, '']) {
        await page.keyboard.press('Control+.');
        await tabTo(page, instructions);
        await page.keyboard.type(text);
        expect(await instructions.inputValue()).toBe(thanks);
        if (text !== '') await page.keyboard.press('Escape');
        else await pressOn(page, dialog.getByRole('button', { name: words.save }));
        await dialog.waitFor({ state: 'detached' });
      }
      await page.getByRole('img', { name: texts.chatChip.isSet }).waitFor();

      // The settings of the page say first that something is not saved.
      await page.keyboard.press('Control+,');
      const settings = page.getByRole('dialog', { name: texts.settings.title });
      const address = settings.getByRole('textbox', { name: texts.settings.baseURL });
      await tabTo(page, address);
      await page.keyboard.type(thanks);
      await page.keyboard.press('Escape');
      await settings.getByText(texts.settings.unsaved).waitFor();
      expect(await address.inputValue()).toContain(thanks);
      await page.keyboard.press('Escape');
      await settings.waitFor({ state: 'detached' });

      // The focus is never lost: it goes to the button that shows the list, and back into the list.
      const list = page.locator('#sessions');
      const menu = page.getByRole('button', { name: texts.shell.openSessions, exact: true });
      await goToSearch(page, texts.palette.goToSearch);
      await page.keyboard.press('Control+b');
      await list.waitFor({ state: 'hidden' });
      expect(await isFocused(menu)).toBe(true);
      await page.reload();
      await conversation(page).locator('.bk-answer').waitFor();
      expect(await list.isVisible()).toBe(false);
      await pressOn(page, menu);
      await list.waitFor();
      expect(await list.evaluate((element) => element.contains(document.activeElement))).toBe(true);
      await page.keyboard.press('Control+b');
      await list.waitFor({ state: 'hidden' });
      // A search needs the list.
      await page.keyboard.press('/');
      await eventually(() => isFocused(page.getByRole('searchbox'))).toBe(true);

      // Each of them is in the help.
      await tabTo(page, conversation(page));
      await page.keyboard.press('?');
      for (const sentence of [help.answerAgain, help.chatSettings, help.sidebar])
        await page.getByRole('dialog', { name: help.title }).getByText(sentence).waitFor();
    });
  },
);

describe('Studio at high zoom', () => {
  it.each([
    ['200 %', 640, 400],
    ['400 %', 320, 256],
  ])('stays usable at %s', async (_name, width, height) => {
    const { page } = await browser().open('about:blank');
    await page.setViewportSize({ width, height });
    await page.goto(site().freshURL());
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await composer(page).fill('What is 6 * 7?');
    await page.keyboard.press('Enter');
    await eventually(() => textOf(page)).toMatch(/is 42\./);
    expect(await overflow()).toBe(0);

    // The fields and the verbs of the settings can be reached.
    await page.keyboard.press('Control+,');
    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    await connect.scrollIntoViewIfNeeded();
    expect(await page.getByLabel('API key', { exact: true }).isVisible()).toBe(true);
    await page.getByLabel('API key', { exact: true }).fill('sk-a');
    await connect.click({ trial: true });
    expect(await overflow()).toBe(0);
    // The key is not saved: the first time the dialog says so.
    await page.keyboard.press('Escape');
    await page.getByText(roomsEn.settings.unsaved).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Sessions', exact: true }).click();
    await page.getByRole('link', { name: 'What is 6 * 7?' }).click();
    expect(await overflow()).toBe(0);
    // At least a line of the conversation is left beside the header and the field.
    const box = await conversation(page).boundingBox();
    expect(box?.height).toBeGreaterThan(60);
  });
});
