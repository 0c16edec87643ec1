import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { startFrugalBrowser } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { faultsOfStates, type Walk } from './support/faultsOfStates.ts';
import { during, setSite } from './support/stage.ts';
import { ask, begin, button, composer, conversation, hear, textOf } from './support/studio.ts';

const site = setSite(new URL('../../demo', import.meta.url));
const browser = during(startFrugalBrowser, (its) => its.close());
afterEach(() => closeCleanly(browser()));

const open = async (): Promise<Page> => {
  const { page } = await browser().open(site().freshURL());
  await composer(page).waitFor();
  // What a policy refuses is said in the console, which `closeCleanly` reads.
  await page.evaluate(() => void (globalThis.refused = []));
  return page;
};
const pane = (page: Page) => page.locator('.side-pane');
const lines = (count: number): string => Array.from({ length: count }, (_, line) => `line ${line}`).join('\n');
const attach = (page: Page, name: string, text: string): Promise<void> =>
  page
    .locator('.bk-composer input[type=file]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

/** Chooses from the menu above a conversation by keyboard alone, and returns the file that is saved. */
async function saved(page: Page, downs: number): Promise<string> {
  await button(page, 'Copy, save or print').focus();
  await page.keyboard.press('Enter');
  for (let down = 0; down < downs; down += 1) await page.keyboard.press('ArrowDown');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  return readFile(await download.path(), 'utf8');
}

describe('a conversation', () => {
  it('is saved as Markdown and as a page by keyboard, as the person saw it', async () => {
    const page = await open();
    await hear(page, 'Show me some formatting', 'Raw HTML stays text');
    await hear(page, 'What time is it in Tokyo, and what is 17.5% of 240?', 'is 42');
    const markdown = await saved(page, 1);
    expect(markdown).toMatch(/^# Show me some formatting\n\n## You\n/u);
    expect(markdown).toContain('\n**Calculate** — Done — 17.5 / 100 \\* 240 = 42\n');
    expect(markdown).not.toContain('The user wants');

    const html = await saved(page, 2);
    const opened = await browser().context.newPage();
    const said: string[] = [];
    opened.on('console', (message) => said.push(message.text()));
    await opened.setContent(html);
    expect(await opened.locator('main h2').allTextContents()).toEqual(['What replies may look like']);
    expect(
      await opened.locator('main li', { hasText: '17.5 / 100 * 240' }).last().locator('strong').textContent(),
    ).toBe('42');
    const tableWidth = await opened.locator('main table').evaluate((table) => table.getBoundingClientRect().width);
    expect(tableWidth).toBeGreaterThan(200);
    await opened.close();
    // Neither a font nor a picture is asked for, which the policy of the page would refuse.
    expect(said).toEqual([]);
    expect(html).toContain('<strong>strong</strong>');
    expect(html).toContain('<math');
    expect(html).not.toMatch(/<(?:button|script|link)\b/u);
  });

  it('is printed whole: the messages alone, black on white', async () => {
    const page = await open();
    await page.emulateMedia({ colorScheme: 'dark' });
    await hear(page, 'Show me some formatting', 'Raw HTML stays text');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const shown = [];
    for (const part of ['.sidebar', '.bk-composer', '.bk-verbs', '.bk-code-block button', '.top .quiet'])
      if (await page.locator(part).first().isVisible()) shown.push(part);
    expect(shown).toEqual([]);
    const look = await page
      .locator('.bk-markdown p')
      .first()
      .evaluate((element) => {
        const { color } = getComputedStyle(element);
        return [color, getComputedStyle(document.body).backgroundColor];
      });
    expect(look).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    const wrap = page.locator('.bk-code-block pre').first();
    expect(await wrap.evaluate((element) => getComputedStyle(element).whiteSpace)).toBe('pre-wrap');
    // Nothing is cut off by a box that scrolls.
    const heights = await page.evaluate(() => {
      const scroller = document.querySelector('.bk-scroller');
      return [scroller?.scrollHeight, scroller?.clientHeight];
    });
    expect(heights[0]).toBe(heights[1]);
  });

  it('has an answer that is printed by itself', async () => {
    const page = await open();
    await hear(page, 'Hello', 'I am a small script');
    await hear(page, 'What is 6 * 7?', 'is 42');
    await page.evaluate(() => (globalThis.print = () => {}));
    await button(page, 'Save or print this answer').last().click();
    await page.getByRole('menuitem', { name: 'Print…' }).click();
    await page.locator('.printout').waitFor({ state: 'attached' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.printout').innerText()).toContain('42');
    expect(await page.locator('.printout').innerText()).not.toContain('I am a small script');
    expect(await page.locator('.studio').isVisible()).toBe(false);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await page.locator('.printout').count()).toBe(0);
  });
});

describe('a file', () => {
  it('that the model cannot take is cut to its first part, and the question is kept where it was too long', async () => {
    const page = await open();
    await composer(page).fill('Thanks for reading');
    await attach(page, 'big.log', lines(60_000));
    await page.getByRole('alert').filter({ hasText: 'This model takes' }).waitFor();
    await composer(page).press('Enter');
    await page.getByRole('alert').filter({ hasText: 'too long for this model' }).waitFor();
    // A new chat would begin with the same message.
    expect(await conversation(page).getByRole('button', { name: 'New chat' }).count()).toBe(0);
    await button(page, 'Send the first part of big.log').click();
    await eventually(() => textOf(page)).toContain('You are welcome.');
    expect(await textOf(page)).toContain('Thanks for reading');
    await conversation(page).getByRole('button', { name: 'big.log' }).click();
    const dialog = page.getByRole('dialog', { name: 'big.log' });
    expect(await dialog.innerText()).toContain('line 0');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('is made of a long paste, and made a text again', async () => {
    const page = await open();
    await composer(page).focus();
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, lines(1_000));
    await button(page, 'Pasted text.txt').waitFor();
    expect(await composer(page).inputValue()).toBe('');
    await button(page, 'Paste as text').click();
    expect(await composer(page).inputValue()).toBe(lines(1_000));
  });
});

describe('the pane at the side', () => {
  it('runs a page apart, without a network, and closes by Escape', async () => {
    const page = await open();
    const refused = /connect-src 'none'|violates the document's Content Security Policy/u;
    for (const tab of browser().tabs()) tab.expectProblem(refused);
    await hear(page, 'Write a small page', 'Here is a page that counts');
    const opener = button(page, 'Open at the side').first();
    await opener.click();
    const frame = page.frameLocator('.side-pane iframe').frameLocator('iframe');
    await frame.getByRole('button').click();
    await eventually(() => frame.locator('output').textContent()).toBe('1');
    const apart = await frame.locator('body').evaluate(async () => {
      const storage = (() => {
        try {
          return localStorage.length;
        } catch {
          return 'none';
        }
      })();
      return [self.origin, storage, await fetch('https://example.com').catch(() => 'no network')];
    });
    expect(apart).toEqual(['null', 'none', 'no network']);
    await pane(page).getByRole('radio', { name: 'Source' }).check();
    await pane(page).locator('.bk-code-block').waitFor();
    expect(await pane(page).locator('pre').textContent()).toContain('<output>0</output>');
    await page.keyboard.press('Escape');
    await pane(page).waitFor({ state: 'detached' });
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('is as wide as the person makes it, and fills a phone', async () => {
    const page = await open();
    await hear(page, 'Hello', 'I am a small script');
    await button(page, 'Save or print this answer').click();
    await page.getByRole('menuitem', { name: 'Open at the side' }).click();
    await pane(page).locator('.bk-markdown').waitFor();
    const width = async (): Promise<number> => (await pane(page).boundingBox())?.width ?? 0;
    const before = await width();
    await page.getByRole('separator').focus();
    await page.keyboard.press('ArrowLeft');
    await eventually(width).toBeGreaterThan(before);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await button(page, 'Save or print this answer').click();
    await page.getByRole('menuitem', { name: 'Open at the side' }).click();
    await eventually(width).toBe(390);
    await page.keyboard.press('Escape');
    await pane(page).waitFor({ state: 'detached' });
  });

  it('draws diagrams, which the first load does not have, and shows the source of what is wrong', async () => {
    const page = await open();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await hear(page, 'Show me some formatting', 'Raw HTML stays text');
    expect(loaded.filter((url) => url.includes('mermaid'))).toEqual([]);
    await hear(page, 'Show me a diagram', 'from the spring to the river');
    const picture = page.getByRole('img', { name: 'Diagram' });
    await picture.waitFor({ timeout: 45_000 });
    expect(loaded.filter((url) => url.includes('mermaid'))).toHaveLength(1);
    expect(await picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 100)).toBe(true);
    expect(await conversation(page).getByText('flowchart LR').count()).toBe(1);
  });
});

it('Escape stops nothing where a decision or a question waits', async () => {
  const page = await open();
  const approval = page.getByRole('group', { name: /Add a note/ });
  await begin(page, 'Remember to water the plants', approval);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await approval.isVisible()).toBe(true);
  await button(page, 'Approve').click();
  await eventually(() => textOf(page)).toContain('Saved: “water the plants”');
  const question = page.getByRole('group', { name: 'Which way shall we go?' });
  await begin(page, 'Plan a walk with me', question);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await question.isVisible()).toBe(true);
});

it('a fork says from which conversation it comes, and leads there', async () => {
  const page = await open();
  await hear(page, 'What is 6 * 7?', 'is 42');
  const original = page.url();
  await button(page, 'Fork from here').last().click();
  await eventually(() => textOf(page)).toContain('Forked from What is 6 * 7?');
  expect(page.url()).not.toBe(original);
  await conversation(page).getByRole('link', { name: 'What is 6 * 7?' }).click();
  await eventually(() => page.url()).toBe(original);
  await eventually(() => textOf(page)).not.toContain('Forked from');
});

it('the demo speaks Chinese where the interface does', async () => {
  const page = await open();
  await page.evaluate(() => localStorage.setItem('brooklet-studio:language', 'zh'));
  await page.reload();
  await page.locator('html[lang=zh-CN]').waitFor();
  await composer(page).waitFor();
  await hear(page, '东京现在几点？240 的 17.5% 是多少？', '等于 42');
  const text = await textOf(page);
  expect(text).toContain('我一起查。');
  expect(text).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d，星期.（Asia\/Tokyo 时区）/u);
  expect(text).not.toMatch(/It is|The user|day, /u);
  await ask(page, '和我一起计划散步');
  const question = page.getByRole('group', { name: '我们走哪条路？' });
  await question.waitFor();
  await question.getByRole('button', { name: '沿着草地走' }).click();
  await page.getByText('哪一天？').waitFor();
});

describe('the new states', () => {
  const walk: Walk = [
    [
      'a menu above the conversation',
      async (page) => {
        await hear(page, 'Write a small page', 'Here is a page that counts');
        await button(page, 'Copy, save or print').click();
      },
    ],
    [
      'a page at the side',
      async (page) => {
        await page.keyboard.press('Escape');
        await button(page, 'Open at the side').first().click();
        await pane(page).locator('iframe').waitFor();
      },
    ],
    ['its source', (page) => pane(page).getByRole('radio', { name: 'Source' }).check()],
    [
      'files that are too long',
      async (page) => {
        await page.keyboard.press('Escape');
        await attach(page, 'big.log', lines(60_000));
        await page.getByRole('alert').filter({ hasText: 'This model takes' }).waitFor();
      },
    ],
    [
      'a file that is looked at',
      async (page) => {
        await page.locator('.bk-attachments').getByRole('button', { name: 'big.log', exact: true }).click();
        await page.getByRole('dialog').waitFor();
      },
    ],
    [
      'a fork',
      async (page) => {
        await page.keyboard.press('Escape');
        await button(page, 'Fork from here').last().click();
        await eventually(() => textOf(page)).toContain('Forked from');
      },
    ],
  ];
  it('have no fault that axe finds, in either theme and width', async () => {
    expect(await faultsOfStates(walk, open, () => browser().closeTabs())).toEqual([]);
  }, 300_000);
});
