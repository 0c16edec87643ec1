import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { ask, conversation, textOf } from './support/demo.ts';
import { eventually } from './support/eventually.ts';
import { setStage } from './support/stage.ts';
import { button } from './support/studio.ts';

const stage = setStage(new URL('../../demo', import.meta.url));

/** Whether the page has stored notes: the database is created with the first note. */
const hasNotes = (page: Page): Promise<boolean> =>
  page.evaluate(async () => (await indexedDB.databases()).some(({ name }) => name === 'brooklet-notes'));

describe('the demo, without a key', () => {
  it('works at once, states that it is a script, and sends no request to another server', async () => {
    const url = stage.site.freshURL();
    const tab = await stage.browser.open('about:blank');
    const origins: string[] = [];
    tab.page.on('request', (request) => origins.push(new URL(request.url()).origin));
    await tab.page.goto(url);
    expect(await tab.page.getByText('Offline demo model — scripted, not a real AI').isVisible()).toBe(true);
    await ask(tab.page, 'Thanks!');
    await eventually(() => textOf(tab.page)).toContain('You are welcome');
    expect(new Set(origins)).toEqual(new Set([new URL(url).origin]));
  });

  it('returns the time and calculates with real tools', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'What time is it in Tokyo, and what is 17.5% of 240?');
    await eventually(() => textOf(page)).toMatch(/It is \d\d:\d\d on \w+, [\d-]+ \(Asia\/Tokyo\)/);
    await eventually(() => textOf(page)).toMatch(/is 42\./);
    const cards = conversation(page).locator('.bk-tool-call > summary');
    expect(await cards.count()).toBe(2);
    expect(await cards.first().textContent()).toMatch(/^Check the time.*Done$/);
    expect(await cards.last().textContent()).toMatch(/^Calculate17\.5 \/ 100 \* 240 = 42.*Done$/);
  });

  it('saves a note after the approval, and keeps note and conversation across a reload', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'Remember to water the plants');
    const form = page.getByRole('group', { name: 'Decide on Add a note' });
    await form.waitFor();
    expect(await hasNotes(page)).toBe(false);

    await page.reload();
    await form.waitFor();
    await form.getByRole('button', { name: 'Approve', exact: true }).click();
    await eventually(() => textOf(page)).toContain('Saved: “water the plants”.');
    await page.reload();
    await eventually(() => textOf(page)).toContain('Saved: “water the plants”.');
    await ask(page, 'Which notes do I have?');
    await eventually(() => textOf(page)).toContain('water the plants (note 1)');
  });

  it('saves nothing after a rejection', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'Remember to water the plants');
    await button(page, 'Reject').click();
    await page.getByLabel('Why not?').fill('They drown.');
    await button(page, 'Reject call').click();
    await eventually(() => textOf(page)).toContain('You declined add_note (“They drown.”), so nothing was done.');
    expect(await hasNotes(page)).toBe(false);
  });

  it('validates an edited input, and runs the tool with it', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'Remember to water the plants');
    await button(page, 'Edit input').click();
    const input = page.getByRole('textbox', { name: 'text', exact: true });
    await input.fill('');
    await button(page, 'Approve with changes').click();
    await page.getByText('Fill in this field.').waitFor();
    await input.fill(' ');
    await button(page, 'Approve with changes').click();
    await page.getByRole('alert').filter({ hasText: 'input.text' }).waitFor();
    expect(await hasNotes(page)).toBe(false);
    await input.fill('water the ferns');
    await button(page, 'Approve with changes').click();
    await eventually(() => textOf(page)).toContain('Saved, with your change: “water the ferns”.');
  });

  it('applies an approval rule until the user revokes the rule', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'Remember milk');
    await page.getByRole('radio', { name: 'Always' }).check();
    await button(page, 'Approve').click();
    await eventually(() => textOf(page)).toContain('Saved: “milk”.');

    await page.getByRole('link', { name: 'New chat' }).click();
    await ask(page, 'Remember bread');
    await eventually(() => textOf(page)).toContain('Saved: “bread”.');
    await page.getByRole('button', { name: /^Settings/ }).click();
    await page.getByRole('tab', { name: 'Approvals' }).click();
    const rules = page.getByRole('list', { name: 'Remembered permissions' });
    await eventually(() => rules.textContent()).toContain('add_note may run');
    await rules.getByRole('button', { name: 'Revoke: add_note everywhere' }).click();
    await page.getByText('None. When the agent asks for your approval').waitFor();
    await button(page, 'Close settings').click();
    await ask(page, 'Remember eggs');
    await page.getByRole('group', { name: 'Decide on Add a note' }).waitFor();
    await button(page, 'Stop').click();
  });

  it('decides several calls in any order, and shows in which tab a call was decided', async () => {
    const first = await stage.browser.open(stage.site.freshURL());
    await ask(first.page, 'Save three notes: bread, milk, eggs');
    const forms = (page: Page) => page.getByRole('group', { name: 'Decide on Add a note' });
    await eventually(() => forms(first.page).count()).toBe(3);
    const second = await stage.browser.open(first.page.url());
    await eventually(() => forms(second.page).count()).toBe(3);

    await forms(second.page).filter({ hasText: 'eggs' }).getByRole('button', { name: 'Approve', exact: true }).click();
    await eventually(() => forms(first.page).count()).toBe(2);
    const card = first.page.locator('.bk-tool-call').filter({ hasText: 'Note 1 added' });
    await card.locator('summary').click();
    await eventually(() => card.textContent()).toMatch(/Approved in another tab \(\w+ \d\d\)/);
    await forms(first.page).filter({ hasText: 'bread' }).getByRole('button', { name: 'Reject' }).click();
    await button(first.page, 'Reject call').click();
    await eventually(() => forms(first.page).count()).toBe(1);
    await forms(first.page).getByRole('button', { name: 'Approve', exact: true }).click();
    for (const { page } of [first, second]) {
      await eventually(() => textOf(page)).toContain('Saved: “milk”.');
      await eventually(() => textOf(page)).toContain('Saved: “eggs”.');
      expect(await textOf(page)).toContain('You declined add_note, so nothing was done.');
    }
  });

  it('asks the user for details, and accepts answers by keyboard', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'Plan a walk with me');
    await page.getByRole('group', { name: 'Which way shall we go?' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await eventually(focused).toBe('Upstream, to the spring');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const form = page.getByRole('group', { name: 'What do I need to know for the walk?' });
    await form.getByLabel('Which day?').selectOption('Saturday');
    await form.getByLabel('How many are coming?').fill('2');
    await form.getByLabel('Bring a picnic').focus();
    await page.keyboard.press('Space');
    await form.getByLabel('Anything else?').focus();
    await page.keyboard.type('a map');
    await page.keyboard.press('Enter');
    await eventually(() => textOf(page)).toContain('Then it is settled: downstream, to the river, on Saturday.');
    await eventually(() => textOf(page)).toContain('2 of us');
    await eventually(() => textOf(page)).toContain('And: a map');
  });

  it('shows a change before the approval, and its result', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'Fix the typo in poem.txt');
    const form = page.getByRole('group', { name: 'Decide on Edit a file' });
    await form.waitFor();
    expect(await form.locator('.bk-diff-line[data-state=removed]').textContent()).toContain('it leaves the stoen,');
    expect(await form.locator('.bk-diff-line[data-state=added]').textContent()).toContain('it leaves the stone,');
    expect(await form.getByRole('timer').textContent()).toMatch(/^\d:\d\d left$/);
    await form.getByRole('button', { name: 'Approve', exact: true }).click();
    await eventually(() => textOf(page)).toContain('I have fixed poem.txt.');
    await ask(page, 'Fix the typo in poem.txt');
    await eventually(() => textOf(page)).toContain('I find no mistake in poem.txt.');
  });

  it('shows the progress of a tool, a picture, and the result of a script', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'How many primes are below 90 million?');
    await page.getByRole('progressbar', { name: 'Progress of Count primes' }).waitFor();
    await eventually(() => textOf(page)).toContain('There are 5,216,954 primes below 90,000,000.');
    expect(await page.getByRole('progressbar').count()).toBe(0);
    await ask(page, 'Draw the brook');
    const picture = conversation(page).locator('img');
    await eventually(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(720);
    await ask(page, 'Run some JavaScript');
    await eventually(() => textOf(page)).toContain('It ran and returned {"seen":14}.');
  });
});
