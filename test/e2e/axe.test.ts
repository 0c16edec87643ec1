import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/axe.ts';
import { startFrugalBrowser } from './support/browser.ts';
import { during, setSite } from './support/stage.ts';
import { inEachTheme, setWidth, viewsOf } from './support/views.ts';
import {
  ask,
  begin,
  button,
  composer,
  conversation,
  dialogClosed,
  hear,
  openSettings,
  palette,
  sections,
  setPace,
  fillService,
} from './support/studio.ts';

const site = setSite(new URL('../../demo', import.meta.url));
const browser = during(startFrugalBrowser, (its) => its.close());

const fresh = (page: Page): Promise<unknown> => page.evaluate(() => (location.hash = '#/'));

const file = (text: string) => ({ name: 'chats.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(text) });

/** What a person does to reach each state, one after the other, on one page. */
const walk: readonly (readonly [state: string, reach: (page: Page) => Promise<unknown>])[] = [
  ['the welcome', (page) => composer(page).waitFor()],
  [
    'hidden conversations, or an open drawer',
    async (page) => {
      const isShown = await page.locator('#sessions').isVisible();
      await page.keyboard.press('Control+b');
      await page.locator('#sessions').waitFor({ state: isShown ? 'hidden' : 'visible' });
    },
  ],
  ['the welcome again', (page) => page.keyboard.press('Control+b')],
  ['a conversation with tools', (page) => hear(page, 'What time is it in Tokyo, and what is 17.5% of 240?', 'is 42')],
  [
    'an open tool',
    async (page) => {
      await conversation(page).locator('.bk-tool-call > summary').last().click();
      await conversation(page).locator('details summary').first().click();
    },
  ],
  [
    'an approval with a difference',
    async (page) => {
      await fresh(page);
      await begin(page, 'Fix the typo in poem.txt', page.getByRole('group', { name: /Edit a file/ }));
    },
  ],
  ['an edited input', (page) => button(page, 'Edit input').click()],
  [
    'questions of the agent',
    async (page) => {
      await fresh(page);
      await begin(page, 'Plan a walk with me', page.getByRole('group', { name: 'Which way shall we go?' }));
      await page.keyboard.press('Tab');
    },
  ],
  [
    'a streaming answer and a waiting message',
    async (page) => {
      await fresh(page);
      await begin(page, 'Tell me a long story about a brook', 'High up, under a stone');
      await ask(page, 'Thanks!');
      await page.getByRole('list', { name: 'Waiting messages' }).waitFor();
      await composer(page).fill('And then?');
    },
  ],
  [
    'a stopped answer',
    async (page) => {
      await fresh(page);
      await begin(page, 'Tell me a long story about a brook', 'High up, under a stone');
      await button(page, 'Stop').click();
      await button(page, 'Stop').waitFor({ state: 'detached' });
    },
  ],
  [
    'a failure',
    async (page) => {
      await fresh(page);
      await setPace(page, 0);
      await ask(page, 'Fail midway through a story');
      await page.getByRole('alert').first().waitFor();
    },
  ],
  [
    'Markdown',
    async (page) => {
      await fresh(page);
      await ask(page, 'Show me some Markdown');
      await button(page, 'Stop').waitFor({ state: 'detached' });
    },
  ],
  [
    'no such conversation',
    async (page) => {
      await page.evaluate(() => (location.hash = '#/s/nope'));
      await page.getByRole('alert').first().waitFor();
    },
  ],
  [
    'the palette',
    async (page) => {
      await fresh(page);
      await page.keyboard.press('Control+k');
      await palette(page).getByRole('option').first().waitFor();
    },
  ],
  [
    'the palette without a result',
    async (page) => {
      await palette(page).getByRole('combobox').fill('qqqq');
      await palette(page).getByText('Nothing found.').first().waitFor();
    },
  ],
  [
    'the help',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('#main').focus();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  ],
  [
    'the connection',
    async (page) => {
      await page.keyboard.press('Escape');
      await openSettings(page, sections.model);
    },
  ],
  [
    'the result of a test',
    async (page) => {
      await fillService(page, { baseURL: 'http://127.0.0.1:9/v1', key: 'sk-0123456789-0123456789' });
      await button(page, 'Connect').click();
      await page.getByText('Nothing answered').waitFor();
    },
  ],
  [
    'the open list of models',
    async (page) => {
      await page.locator('.bk-key-field .bk-model-picker > button').click();
      await page.locator('input[role=combobox]').waitFor();
    },
  ],
  [
    'a number of the answers that is none',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('tab').nth(sections.answers).click();
      await page.getByLabel('Temperature').fill('hot');
      await button(page, 'Save').click();
      await page.getByText('The temperature is a number').waitFor();
      await page.getByRole('tab').nth(sections.model).click();
      await fillService(page, { baseURL: 'http://127.0.0.1:9/v1', key: 'sk-0123456789-0123456789' });
      await button(page, 'Connect').click();
      await page.getByText('Nothing answered').waitFor();
    },
  ],
  [
    'a passphrase to be chosen',
    async (page) => {
      await button(page, 'Connect anyway').click();
      await dialogClosed(page);
      await openSettings(page, sections.keys);
      await page.getByRole('radio', { name: 'This device', exact: true }).check();
      await page.getByLabel('New passphrase').fill('correct horse battery');
    },
  ],
  [
    'encrypted keys',
    async (page) => {
      await page.getByLabel('Repeat the passphrase').fill('correct horse battery');
      await button(page, 'Encrypt and store').click();
      await button(page, 'Lock keys now').waitFor();
      await page.getByText('Change the passphrase').first().click();
    },
  ],
  ['locked keys', (page) => button(page, 'Lock keys now').click()],
  [
    'a message that waits for its key',
    async (page) => {
      await page.keyboard.press('Escape');
      await ask(page, 'Thanks!');
      await page.locator('.unlock-card form').waitFor();
    },
  ],
  [
    'a wrong passphrase',
    async (page) => {
      await page.locator('.unlock-card').getByLabel('Passphrase').fill('a wrong passphrase');
      await button(page, 'Unlock and send').click();
      await page.getByText('This passphrase is wrong.').waitFor();
    },
  ],
  [
    'a connection with locked keys',
    async (page) => {
      await openSettings(page, sections.model);
      await page.getByRole('dialog').getByText('They are stored encrypted on this device.').waitFor();
    },
  ],
  [
    'a question before keys are erased',
    async (page) => {
      await page.getByRole('dialog').getByText('Forgot the passphrase?').click();
      await button(page, 'Erase the keys').waitFor();
    },
  ],
  [
    'the browser’s model',
    async (page) => {
      await button(page, 'Erase the keys').click();
      await page.getByLabel('Provider').selectOption('browser');
    },
  ],
  ...[1, 2, 3, 4, 5, 6, 7, 8].map(
    (section) =>
      [
        `section ${section} of the settings`,
        async (page: Page) => {
          await page.getByRole('tab').nth(section).click();
          await page.getByRole('tabpanel').waitFor();
        },
      ] as const,
  ),
  [
    'the settings of a chat',
    async (page) => {
      await button(page, 'Close settings').click();
      await page.getByTitle('Settings of this chat').click();
      await page.getByLabel('Instructions').waitFor();
    },
  ],
  [
    'the import',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await palette(page).getByRole('combobox').fill('import');
      await page.keyboard.press('Enter');
      await page.getByText('Choose a file').waitFor();
    },
  ],
  [
    'a damaged file',
    async (page) => {
      await page.locator('dialog input[type=file]').setInputFiles(file('{"format":"brooklet"}\nnonsense'));
      await page.getByText('This file cannot be imported').waitFor();
    },
  ],
  [
    'a search without a result',
    async (page) => {
      await page.keyboard.press('Escape');
      await openDrawer(page);
      await page.getByRole('searchbox').fill('qqqq');
      await page.getByText('No conversation contains').waitFor();
    },
  ],
  ['the list of conversations', (page) => page.getByRole('searchbox').fill('')],
  [
    'the menu of a conversation',
    async (page) => {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menu').waitFor();
    },
  ],
  [
    'a new title',
    async (page) => {
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await page.getByRole('textbox', { name: 'Title' }).waitFor();
    },
  ],
  [
    'the labels of a conversation',
    async (page) => {
      await page.keyboard.press('Escape');
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .press('Enter');
      await page.getByRole('menuitem', { name: 'Labels…' }).click();
      await page.keyboard.type('work');
      await page.keyboard.press('Enter');
      await page.getByRole('checkbox', { name: 'work' }).waitFor();
    },
  ],
  [
    'several conversations, and the filters',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+a');
      await page.getByText(/\d+ selected/).waitFor();
      await page.getByRole('group', { name: 'Which conversations' }).waitFor();
    },
  ],
  [
    'an empty archive',
    async (page) => {
      await page.keyboard.press('Escape');
      await button(page, 'Archive').click();
      await page.getByText('There is no conversation here.').waitFor();
    },
  ],
  [
    'a deletion',
    async (page) => {
      await button(page, 'All').click();
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .press('Enter');
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await button(page, 'Undo').last().waitFor();
    },
  ],
  [
    'the start of a review',
    async (page) => {
      await page.evaluate(() => (location.hash = '#/review/'));
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  ],
  [
    'conversations that can be encrypted',
    async (page) => {
      await fresh(page);
      await openSettings(page, sections.keys);
      await page.getByRole('radio', { name: 'This device', exact: true }).check();
      await page.getByLabel('New passphrase').fill('correct horse battery');
      await page.getByLabel('Repeat the passphrase').fill('correct horse battery');
      await button(page, 'Encrypt and store').click();
      await button(page, 'Lock keys now').waitFor();
      await page.getByRole('tab').nth(sections.storage).click();
      await button(page, 'Encrypt conversations').waitFor();
    },
  ],
  [
    'locked conversations',
    async (page) => {
      await button(page, 'Encrypt conversations').click();
      await page.getByRole('heading', { name: 'Your conversations are locked' }).waitFor();
    },
  ],
  [
    'a question before the encryption is turned off',
    async (page) => {
      await page.getByLabel('Passphrase').fill('correct horse battery');
      await page.keyboard.press('Enter');
      await composer(page).waitFor();
      await openSettings(page, sections.storage);
      await button(page, 'Turn off encryption').click();
      await page.locator('dialog .danger', { hasText: 'Turn off encryption' }).waitFor();
    },
  ],
];

/** In a narrow window the list is in a drawer. */
async function openDrawer(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Sessions', exact: true });
  if (await menu.isVisible()) await menu.click();
}

/** `VIEWS=1` plays the first of four views alone. */
const views = viewsOf(Number(process.env.VIEWS ?? 4));

describe('axe', () => {
  it.each(views)('finds nothing to mend in any state, %s, %j', { timeout: 480_000 }, async (width, themes) => {
    const { page } = await browser().open('about:blank');
    await page.emulateMedia({ colorScheme: themes[0] ?? null, reducedMotion: 'reduce' });
    await setWidth(page, width);
    await page.goto(site().freshURL());
    /** The states in which something was found, by what was found. */
    const found: Record<string, string[]> = {};
    for (const [state, reach] of walk) {
      await reach(page).catch((cause: unknown) => {
        throw new Error(`Not reached: ${state}. Found so far: ${JSON.stringify(found, undefined, 2)}`, { cause });
      });
      if ((await page.locator('.broken').count()) > 0) throw new Error(`The page has failed: ${state}.`);
      for (const violation of new Set(await inEachTheme(page, themes, violationsOf)))
        (found[violation] ??= []).push(state);
    }
    await page.close();
    expect(found).toEqual({});
  });
});
