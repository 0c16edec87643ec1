// Takes pictures of Studio in more than twenty states: themes, sizes, languages. Builds Studio first. Needs a Chromium (CHROMIUM_PATH).
//
//   node scripts/screenshots.mjs docs/pictures
//   node scripts/screenshots.mjs /tmp/pictures palette    only the states whose name contains the word

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { launchArgs } from './find-browser.mjs';
import { serveStudio } from './serve-studio.mjs';

/**
 * @typedef {import('playwright').Page} Page
 * @typedef {object} State
 * @property {string} name of the file
 * @property {'light' | 'dark'} [theme]
 * @property {[width: number, height: number]} [size]
 * @property {'en' | 'zh'} [language]
 * @property {(page: Page) => Promise<unknown>} [play] what a person does before the picture is taken
 */

/** @param {Page} page @param {string} text */
async function ask(page, text) {
  await page.locator('.bk-composer textarea').fill(text);
  // Enter breaks the line on a touch screen.
  await page.locator('.bk-round[data-state=send]').click();
}

/** @param {Page} page */
const idle = (page) => page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });

/** @param {Page} page @param {string} text */
async function answered(page, text) {
  await ask(page, text);
  await page.locator('.bk-answer').first().waitFor();
  await idle(page);
}

/** @param {Page} page */
async function someChats(page) {
  for (const text of [
    'What is 6 * 7?',
    'Thanks!',
    'Draw the brook',
    'What time is it in Tokyo, and what is 17.5% of 240?',
  ]) {
    await page.evaluate(() => (location.hash = '#/'));
    await answered(page, text);
  }
}

/** Places of sections in the list of the settings. */
const sections = { model: 0, keys: 1, mcp: 3, workspace: 5, usage: 7, storage: 8 };

/** @param {Page} page @param {number} section */
async function openSettings(page, section) {
  await page.keyboard.press('Control+,');
  await page.locator('[role=tab]').nth(section).click();
  await page.locator('[role=tabpanel] > *').first().waitFor();
}

/** Stores a key, encrypted. The settings stay open. @param {Page} page */
async function protectKeys(page) {
  await openSettings(page, sections.model);
  await page.locator('dialog input[type=url]').fill('http://127.0.0.1:9/v1');
  await page.locator('dialog input[type=password]').fill('sk-0123456789-0123456789-WXYZ');
  await page.locator('dialog button[type=submit]').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await openSettings(page, sections.keys);
  await page.locator('dialog input[type=radio]').last().check();
  for (const field of await page.locator('dialog input[type=password]').all())
    await field.fill('correct horse battery');
  await page.locator('dialog button[type=submit]').click();
  await page.locator('dialog .keys select').waitFor();
}

/** Scrolls to the formulas of an answer. @param {Page} page */
async function showFormulas(page) {
  await answered(page, 'Show me some Markdown');
  await page.locator('.formula.display').scrollIntoViewIfNeeded();
}

/** Encrypts the conversations. The page is locked then. @param {Page} page */
async function encryptChats(page) {
  await someChats(page);
  await protectKeys(page);
  await page.locator('[role=tab]').nth(sections.storage).click();
  await page.locator('[role=tabpanel] .buttons').last().locator('button').click();
  await page.locator('.gate form').waitFor();
}

/** Encrypts the conversations, and asks whether to turn that off. @param {Page} page */
async function turnOffEncryption(page) {
  await encryptChats(page);
  await page.locator('.gate input').fill('correct horse battery');
  await page.keyboard.press('Enter');
  await page.locator('.bk-composer textarea').waitFor();
  await openSettings(page, sections.storage);
  await page.locator('[role=tabpanel] .buttons').last().locator('button').click();
  await page.locator('dialog .danger').first().waitFor();
}

/** Sends a message that waits for its key. @param {Page} page */
async function needKey(page) {
  await protectKeys(page);
  await page.reload();
  await ask(page, 'What is the longest river of Europe?');
  await page.locator('.unlock-card form').waitFor();
}

/** Reviews a conversation with calls. @param {Page} page */
async function review(page) {
  await answered(page, 'What time is it in Tokyo, and what is 17.5% of 240?');
  await page.evaluate(() => (location.hash = location.hash.replace('#/s/', '#/review/')));
  await page.getByRole('slider').first().waitFor();
}

/** @param {Page} page */
async function openDrawer(page) {
  await page.locator('.menu-button').click();
}

/** @type {[number, number]} */
const wide = [1280, 800];
/** @type {[number, number]} */
const phone = [390, 844];
/** @type {[number, number]} */
const zoomed = [320, 256];

/** @type {readonly State[]} */
const states = [
  { name: 'welcome-light' },
  { name: 'welcome-dark', theme: 'dark' },
  { name: 'welcome-zh', language: 'zh' },
  { name: 'welcome-phone', size: phone },
  { name: 'welcome-zoomed', size: zoomed },
  { name: 'chat-light', play: someChats },
  { name: 'chat-dark', theme: 'dark', play: someChats },
  {
    name: 'chat-phone',
    size: phone,
    play: (page) => answered(page, 'What time is it in Tokyo, and what is 17.5% of 240?'),
  },
  {
    name: 'approval-light',
    async play(page) {
      await ask(page, 'Fix the typo in poem.txt');
      await page.locator('.bk-diff-line').first().waitFor();
    },
  },
  {
    name: 'researchers-light',
    async play(page) {
      await ask(page, 'Ask two researchers');
      await page.locator('.bk-child-session form').first().waitFor();
    },
  },
  {
    name: 'researchers-phone-dark',
    theme: 'dark',
    size: phone,
    async play(page) {
      await ask(page, 'Ask two researchers');
      await page.locator('.bk-child-session form').first().waitFor();
    },
  },
  {
    name: 'approval-phone-dark',
    theme: 'dark',
    size: phone,
    async play(page) {
      await ask(page, 'Remember to water the plants');
      await page.locator('.bk-column form').first().waitFor();
    },
  },
  {
    name: 'streaming-dark',
    theme: 'dark',
    async play(page) {
      await ask(page, 'Tell me a long story about a brook');
      await page.getByRole('article', { name: 'Agent' }).getByText('High up, under a stone').waitFor();
    },
  },
  {
    name: 'undo-light',
    async play(page) {
      await someChats(page);
      await page.locator('.session').first().hover();
      await page.locator('.session [aria-haspopup=menu]').first().click();
      await page.locator('[role=menuitem]').last().click();
      await page.locator('.toast').waitFor();
    },
  },
  {
    name: 'menu-light',
    async play(page) {
      await someChats(page);
      await page.locator('.session').nth(1).hover();
      await page.locator('.session [aria-haspopup=menu]').nth(1).click();
    },
  },
  {
    name: 'palette-light',
    async play(page) {
      await someChats(page);
      await page.keyboard.press('Control+k');
      await page.locator('.palette-entry').first().waitFor();
    },
  },
  {
    name: 'palette-zh-dark',
    theme: 'dark',
    language: 'zh',
    async play(page) {
      await someChats(page);
      await page.keyboard.press('Control+k');
      await page.locator('.palette-entry').first().waitFor();
    },
  },
  { name: 'settings-model-light', play: (page) => openSettings(page, sections.model) },
  { name: 'settings-model-phone', size: phone, play: (page) => openSettings(page, sections.model) },
  {
    name: 'settings-usage-zh',
    language: 'zh',
    async play(page) {
      await someChats(page);
      await openSettings(page, sections.usage);
    },
  },
  { name: 'keys-settings-light', play: protectKeys },
  { name: 'keys-settings-phone-zh-dark', theme: 'dark', size: phone, language: 'zh', play: protectKeys },
  { name: 'keys-locked-light', play: needKey },
  { name: 'keys-locked-phone-zh-dark', theme: 'dark', size: phone, language: 'zh', play: needKey },
  {
    name: 'keys-locked-settings-light',
    async play(page) {
      await needKey(page);
      await openSettings(page, sections.model);
    },
  },
  {
    name: 'markdown-light',
    play: (page) => answered(page, 'Show me some Markdown'),
  },
  {
    name: 'failure-phone-dark',
    theme: 'dark',
    size: phone,
    async play(page) {
      await ask(page, 'Fail midway through a story');
      await page.locator('.bk-run-notice[data-state=bad]').waitFor();
    },
  },
  { name: 'markdown-formulas-dark', theme: 'dark', play: showFormulas },
  { name: 'markdown-formulas-phone', size: phone, play: showFormulas },
  { name: 'settings-storage-dark', theme: 'dark', play: (page) => openSettings(page, sections.storage) },
  {
    name: 'encryption-offered-light',
    async play(page) {
      await protectKeys(page);
      await page.locator('[role=tab]').nth(sections.storage).click();
    },
  },
  { name: 'encryption-locked-light', play: encryptChats },
  { name: 'encryption-locked-phone-zh-dark', theme: 'dark', size: phone, language: 'zh', play: encryptChats },
  { name: 'encryption-turn-off-light', play: turnOffEncryption },
  {
    name: 'encryption-turn-off-phone-zh-dark',
    theme: 'dark',
    size: phone,
    language: 'zh',
    play: turnOffEncryption,
  },
  { name: 'settings-servers-light', play: (page) => openSettings(page, sections.mcp) },
  {
    name: 'settings-workspace-zh-dark',
    theme: 'dark',
    language: 'zh',
    play: (page) => openSettings(page, sections.workspace),
  },
  { name: 'review-light', play: review },
  { name: 'review-phone-zh-dark', theme: 'dark', size: phone, language: 'zh', play: review },
  {
    name: 'sidebar-phone',
    size: phone,
    async play(page) {
      await someChats(page);
      await openDrawer(page);
    },
  },
  {
    name: 'right-to-left',
    async play(page) {
      await page.evaluate(() => (document.documentElement.dir = 'rtl'));
      await someChats(page);
    },
  },
  {
    name: 'right-to-left-phone-dark',
    theme: 'dark',
    size: phone,
    async play(page) {
      await page.evaluate(() => (document.documentElement.dir = 'rtl'));
      await ask(page, 'Remember to water the plants');
      await page.locator('.bk-column form').first().waitFor();
    },
  },
  {
    name: 'help-light',
    async play(page) {
      await page.locator('#main').focus();
      await page.keyboard.press('?');
      await page.locator('.help-modal').waitFor();
    },
  },
];

const [folder = 'screenshots', only = ''] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const studio = await serveStudio();
const executablePath = process.env.CHROMIUM_PATH;
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: [...launchArgs] });
try {
  for (const { name, theme = 'light', size: [width, height] = wide, language = 'en', play } of states) {
    if (!name.includes(only)) continue;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: language === 'zh' ? 'zh-CN' : 'en-US',
      reducedMotion: 'reduce',
      deviceScaleFactor: width < 600 ? 2 : 1,
      hasTouch: width < 600,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(studio.url);
    await page.locator('.bk-composer textarea').waitFor();
    await play?.(page);
    // A frame for what has just been rendered.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await page.screenshot({ path: join(folder, `${name}.png`) });
    console.log(`${name}.png`);
    await context.close();
  }
} finally {
  await browser.close();
  await studio.stop();
}
