import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { Tab } from './support/browser.ts';
import { readStored } from './support/clean.ts';
import { ask, textOf } from './support/demo.ts';
import { eventually } from './support/eventually.ts';
import { setStage } from './support/stage.ts';
import { button } from './support/studio.ts';

const long = 'Tell me a long story about a brook';

const stage = setStage(new URL('../../demo', import.meta.url));

/** Asks for the long story, and waits for its first words. */
async function openStory(): Promise<Tab> {
  const tab = await stage.browser.open(stage.site.freshURL(), { pace: 1 });
  await ask(tab.page, long);
  await eventually(() => textOf(tab.page)).toContain('High up, under a stone');
  return tab;
}

describe('the runs of the demo, without a key', () => {
  it('queues messages during a run, and lets the user remove and send them', async () => {
    const { page } = await openStory();
    const message = page.getByRole('textbox', { name: 'Message' });
    for (const text of ['Thanks!', 'What is 6 * 7?']) {
      await message.fill(text);
      await message.press('Enter');
    }
    const queue = page.getByRole('list', { name: 'Waiting messages' });
    await eventually(() => queue.getByRole('listitem').count()).toBe(2);
    await queue.getByRole('button', { name: 'Do not send “Thanks!”' }).click();
    await eventually(() => queue.getByRole('listitem').count()).toBe(1);
    await eventually(() => readStored(page)).toContain('message.unqueued');
    await page.reload();
    await eventually(() => queue.textContent()).toContain('What is 6 * 7?');
    await queue.getByRole('button', { name: 'Send now' }).click();
    await eventually(() => textOf(page)).toMatch(/is 42\./);
    expect(await queue.count()).toBe(0);
    expect(await textOf(page)).not.toContain('You are welcome');
  });

  it('queues a message of another tab without interrupting the run', async () => {
    const first = await openStory();
    const second = await stage.browser.open(first.page.url());
    await eventually(() => textOf(second.page)).toContain('High up, under a stone');
    await ask(second.page, 'What is 6 * 7?');
    const queue = (page: Page) => page.getByRole('list', { name: 'Waiting messages' });
    await eventually(() => queue(first.page).textContent()).toContain('What is 6 * 7?');
    expect(await textOf(first.page)).not.toContain('Interrupted here');
    await button(second.page, 'Stop').click();
    await queue(second.page).getByRole('button', { name: 'Send now' }).click();
    for (const { page } of [first, second]) {
      await eventually(() => textOf(page)).toMatch(/is 42\./);
      expect(await queue(page).count()).toBe(0);
    }
    expect((await textOf(first.page)).match(/What is 6 \* 7\?/g)).toHaveLength(1);
  });

  it('interrupts the run with a message', async () => {
    const { page } = await openStory();
    await page.getByRole('textbox', { name: 'Message' }).fill('Thanks!');
    await page.getByRole('radio', { name: 'Interrupt' }).check();
    await button(page, 'Send').click();
    await eventually(() => textOf(page)).toContain('You are welcome');
    expect(await textOf(page)).toContain('Interrupted here');
    expect(await textOf(page)).not.toContain('Up under the stone');
  });

  it('shows automatic retries, and stops them on a click', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'Fail with a rate limit');
    await eventually(() => textOf(page)).toMatch(/Trying again.*\(2 of 4\)/);
    await button(page, 'Stop trying').click();
    await eventually(() => textOf(page)).toContain('You stopped this reply');
    expect(await button(page, 'Stop trying').count()).toBe(0);
  });

  it('answers with the fallback model if the chosen model fails, and states so', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await button(page, 'Connect a model').first().click();
    await page.getByLabel('Answer with').selectOption('offline');
    await button(page, 'Close settings').click();
    await ask(page, 'Fail');
    await eventually(() => textOf(page)).toContain('Answered by the fallback model');
    await eventually(() => textOf(page)).toContain('This time it worked');
  });

  it('shows which limit a run has reached, and continues on a click', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'Double 3 10 times');
    await page.getByText('It reached the limit of requests to the model for one answer.').waitFor({ timeout: 45_000 });
    await button(page, 'Continue').click();
    await eventually(() => textOf(page)).toContain('1536 * 2 is 3072.');
  });

  it('states that a tool may or may not have run after a reload', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'Run a slow script');
    await eventually(() => textOf(page)).toContain('Running…');
    await page.reload();
    await eventually(() => textOf(page)).toContain('it is not known whether it finished');
    expect(await textOf(page)).toContain('It is not known whether “Run JavaScript” ran');
    await button(page, 'Resume').click();
    await eventually(() => textOf(page)).toContain('It is unknown whether run_javascript has run: the page was closed');
  });

  it('stops, keeps the text so far, and does not send the draft', async () => {
    const { page } = await openStory();
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('By the way');
    await button(page, 'Stop').click();
    await eventually(() => textOf(page)).toContain('You stopped this reply');
    await button(page, 'Stop').waitFor({ state: 'detached' });
    expect(await textOf(page)).toContain('High up, under a stone');
    expect(await message.inputValue()).toBe('By the way');
  });

  it('resumes a reply that a reload interrupted', async () => {
    const { page } = await openStory();
    await page.reload();
    await eventually(() => textOf(page)).toContain('The reply was interrupted');
    const before = await textOf(page);
    expect(before).toContain('Where the brook goes');
    expect(before).not.toContain('The first hundred metres');
    await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: long }).waitFor();
    await button(page, 'Resume').click();
    await eventually(() => textOf(page)).toContain('The first hundred metres');
    expect((await textOf(page)).match(/Where the brook goes/g)).toHaveLength(1);
    await button(page, 'Stop').click();
    await eventually(() => textOf(page)).toContain('You stopped this reply');
  });

  it('works by keyboard: the field has the focus, Enter sends, Escape stops', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL(), { pace: 1 });
    const message = page.getByRole('textbox', { name: 'Message' });
    await eventually(() => message.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type(long);
    await page.keyboard.press('Enter');
    await eventually(() => textOf(page)).toContain('High up, under a stone');
    await page.keyboard.press('Escape');
    await eventually(() => textOf(page)).toContain('You stopped this reply');
    await page.keyboard.type('Thanks!');
    await page.keyboard.press('Enter');
    await eventually(() => textOf(page)).toContain('You are welcome');
  });

  it('shows the same conversation in two tabs', async () => {
    const first = await stage.browser.open(stage.site.freshURL());
    await ask(first.page, 'What is 6 * 7?');
    await eventually(() => textOf(first.page)).toMatch(/is 42\./);
    const second = await stage.browser.open(first.page.url());
    await eventually(() => textOf(second.page)).toMatch(/is 42\./);

    await ask(second.page, 'What is 5 * 5?');
    await eventually(() => textOf(first.page)).toMatch(/is 25\./);
    await ask(first.page, 'Thanks!');
    for (const { page } of [first, second]) await eventually(() => textOf(page)).toContain('You are welcome');
    for (const { page } of [first, second]) await button(page, 'Stop').waitFor({ state: 'detached' });
    const text = await textOf(first.page);
    expect(text).toMatch(/Thought for \d+ s/);
    expect(text.match(/\* \d is/g)).toHaveLength(2);
    expect(await textOf(second.page)).toBe(text);
    await second.page.reload();
    await eventually(() => textOf(second.page)).toBe(text);
  });
});
