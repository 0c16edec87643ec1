import type { Page } from 'playwright';
import { pages } from './support/first-chat/pages.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { createRandom } from '../support/llm-cuts.ts';
import { startBrowser, type Tab } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { type Answer, startAnswers } from './support/first-chat/answers.ts';
import { during, setSite } from './support/stage.ts';

/** `RELOADS=500 SEED=7 npm test -- test/e2e/first-chat.test.ts` reloads 500 times from that seed. */
const reloads = Number(process.env.RELOADS ?? 20);
const seed = Number(process.env.SEED ?? 1);

const answers = during(startAnswers, (its) => its.stop());
const browser = during(startBrowser, (its) => its.close());
afterEach(async () => {
  await closeCleanly(browser());
  answers().reset();
});

describe.each(pages)("the README's first chat, $folder", ({ folder, ...view }) => {
  const { field, isStopped, questions, alert, goOn, isTrying } = view;
  const site = setSite(new URL(`support/first-chat/${folder}`, import.meta.url));
  const freshURL = (): string => `${site().freshURL()}?${new URLSearchParams({ server: answers().url })}`;

  async function open(url = freshURL()): Promise<Tab> {
    const tab = await browser().open('about:blank');
    await tab.page.goto(url);
    await view.enterKey(tab.page);
    return tab;
  }

  test('stops an answer, and keeps what is in the field', async () => {
    const { page } = await open();
    const first = await ask(page, 'What is a brooklet?');
    await field(page).fill('A draft');
    await stop(page).dblclick();
    await eventually(() => isStopped(page)).toBe(true);
    await eventually(first.isCut).toBe(true);
    expect(await field(page).inputValue()).toBe('A draft');
    expect(await questions(page)).toEqual(['What is a brooklet?']);
    expect(answers().asked).toHaveLength(1);
    expect(await alert(page)).toBe('');
    // The draft is what is sent next.
    await field(page).press('Enter');
    await eventually(() => answers().asked.length).toBe(2);
    expect(await questions(page)).toEqual(['What is a brooklet?', 'A draft']);
  });

  test.each(['click', 'Enter', ' '])('stops an answer by %j with an empty field, and reports nothing', async (how) => {
    const { page } = await open();
    const first = await ask(page, 'What is a brooklet?');
    if (how === 'click') await stop(page).click();
    else await stop(page).press(how);
    await eventually(first.isCut).toBe(true);
    await eventually(() => isStopped(page)).toBe(true);
    expect(await questions(page)).toEqual(['What is a brooklet?']);
    expect(await alert(page)).toBe('');
  });

  test('sends neither a blank message nor a text that the focus leaves', async () => {
    const { page } = await open();
    await field(page).press('Enter');
    await field(page).fill('   ');
    await field(page).press('Enter');
    await field(page).fill('Not yet');
    await field(page).press('Tab');
    expect(await field(page).inputValue()).toBe('Not yet');
    await field(page).press('Enter');
    await eventually(() => answers().asked.map(({ question }) => question)).toEqual(['Not yet']);
    expect(await questions(page)).toEqual(['Not yet']);
  });

  // Each reload loads the page twice: on a busy machine the limit of other tests is too low.
  test(
    'is never blank after a reload in its first 100 ms, or within 100 ms of its first message',
    { timeout: 600_000 },
    async () => {
      const random = createRandom(seed);
      const outcomes: string[] = [];
      const { page } = await browser().open('about:blank');
      for (let turn = 0; turn < reloads; turn++) {
        await page.goto(freshURL());
        await view.enterKey(page);
        if (turn % 2 === 0) {
          await field(page).fill('Hello');
          await field(page).press('Enter');
        }
        await page.waitForTimeout(Math.floor(random() * 100));
        await page.reload();
        await view.enterKey(page);
        await field(page).fill('Are you there?');
        await field(page).press('Enter');
        await page.getByText('Are you there?').first().waitFor();
        outcomes.push((await alert(page)) || 'a chat');
      }
      expect(outcomes).toEqual(Array.from({ length: reloads }, () => 'a chat'));
    },
  );

  test('goes back to the conversation before, and adds no step to the history by itself', async () => {
    const { page } = await open();
    const steps = await page.evaluate(() => history.length);
    await answer(page, 'The first', 'It is the first.');
    expect(await page.evaluate(() => history.length)).toBe(steps);
    await view.newChat(page).click();
    await eventually(() => questions(page)).toEqual([]);
    if (folder === 'plain') await view.enterKey(page); // it loads the page again
    await answer(page, 'The second', 'It is the second.');
    await page.goBack();
    await page.getByText('It is the first.').first().waitFor();
    expect(await questions(page)).toEqual(['The first']);
    await page.goForward();
    await page.getByText('It is the second.').first().waitFor();
    expect(await questions(page)).toEqual(['The second']);
  });

  test('shows its end, and can be read from its first message on, where it is a little too long', async () => {
    const { page } = await open();
    await page.setViewportSize({ width: 1_100, height: 450 });
    for (const nth of ['first', 'second', 'third', 'fourth']) await answer(page, `The ${nth}`, `It is the ${nth}.`);
    const isShown = (text: string) =>
      page
        .getByText(text, { exact: true })
        .first()
        .evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return Math.round(top) >= -1 && bottom <= innerHeight;
        });
    await eventually(() => isShown('It is the fourth.')).toBe(true);
    expect(await isShown('The first')).toBe(false);
    await page.getByText('It is the fourth.', { exact: true }).first().hover();
    await page.mouse.wheel(0, -5_000);
    await eventually(() => isShown('The first')).toBe(true);
    // It stays there: a page that snaps to its end has come back by now.
    await page.evaluate(() => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end))));
    expect(await isShown('The first')).toBe(true);
  });

  test('shows a message that is sent during an answer, and sends it afterwards', async () => {
    const { page } = await open();
    const first = await ask(page, 'The first');
    await field(page).fill('The second');
    await field(page).press('Enter');
    await eventually(() => questions(page)).toEqual(['The first', 'The second']);
    expect(await field(page).inputValue()).toBe('');
    expect(answers().asked).toHaveLength(1);
    first.end();
    await eventually(() => answers().asked.map(({ question }) => question)).toEqual(['The first', 'The second']);
    expect(await questions(page)).toEqual(['The first', 'The second']);
    expect(await alert(page)).toBe('');
  });

  test('continues an answer that a reload has cut', async () => {
    const { page } = await open();
    await ask(page, 'What is a brooklet?', 'A very ');
    await page.reload();
    await page.getByText('A very').first().waitFor();
    await view.enterKey(page);
    await goOn(page).click();
    await eventually(() => answers().asked.length).toBe(2);
    answers().asked[1]?.write('small brook.');
    answers().asked[1]?.end();
    await page.getByText('small brook.').first().waitFor();
    await eventually(() => goOn(page).isVisible()).toBe(false);
  });

  test('says that a conversation was deleted, keeps the text of the field, and offers a new chat', async () => {
    const { page } = await open();
    await answer(page, 'Hello', 'Hello to you.');
    await page.evaluate((id) => removeStored(id), idIn(page));
    await page.reload();
    await view.enterKey(page);
    await eventually(() => alert(page)).toMatch(view.deleted);
    await field(page).fill('Are you there?');
    await field(page).press('Enter');
    // The conversation is opened once more.
    await eventually(() => alert(page)).toMatch(view.deleted);
    expect(await field(page).inputValue()).toBe('Are you there?');
    await view.newChat(page).click();
    await eventually(() => alert(page)).toBe('');
    if (folder === 'plain') await view.enterKey(page); // it loads the page again
    await answer(page, 'Hello again', 'Welcome back.');
  });

  test('keeps a message for a conversation that another tab deletes', async () => {
    const { page } = await open();
    await answer(page, 'Hello', 'Hello to you.');
    const second = await open(page.url());
    await second.page.getByText('Hello to you.').first().waitFor();
    await field(page).fill('Are you there?');
    await second.page.evaluate((id) => removeStored(id), idIn(page));
    await field(page).press('Enter');
    await eventually(() => alert(page)).toMatch(/^This conversation was deleted/u);
    const kept = [await field(page).inputValue()];
    // Chat clears the field when the message is in the conversation, which may be before the other tab's news arrive.
    if (folder === 'react') kept.push(...(await questions(page)));
    expect(kept).toContain('Are you there?');
  });

  test('makes a chat of an address that was never stored', async () => {
    const { page } = await open(`${freshURL()}#of-a-bookmark`);
    await answer(page, 'Hello', 'Hello to you.');
    expect(idIn(page)).toBe('of-a-bookmark');
    await page.reload();
    await page.getByText('Hello to you.').first().waitFor();
  });

  test('makes one chat of an address that two tabs open at once', async () => {
    const url = `${freshURL()}#of-a-bookmark`;
    const [one, two] = await Promise.all([open(url), open(url)]);
    await Promise.all([field(one.page).waitFor(), field(two.page).waitFor()]);
    await answer(one.page, 'From the first', 'An answer to the first.');
    await two.page.getByText('An answer to the first.').first().waitFor();
    await answer(two.page, 'From the second', 'An answer to the second.');
    await one.page.getByText('An answer to the second.').first().waitFor();
    for (const { page } of [one, two]) {
      expect(await questions(page)).toEqual(['From the first', 'From the second']);
      expect(await alert(page)).toBe('');
    }
  });

  test('shows what can be read of a damaged conversation, and says what can be done', async () => {
    const { page } = await open();
    await answer(page, 'Hello', 'Hello to you.');
    await answer(page, 'How are you?', 'Quite well.');
    // The first answer is settled when the second question is stored.
    await page.evaluate(loseFirstEvents);
    await page.reload();
    await view.enterKey(page);
    await eventually(() => alert(page)).toMatch(view.damaged);
    await page.getByText('Quite well.').first().waitFor();
    await field(page).fill('Go on');
    await field(page).press('Enter');
    await eventually(() => alert(page)).toMatch(view.damaged);
    expect(await field(page).inputValue()).toBe('Go on');
  });

  test('says why the last answer failed, after a reload too', async () => {
    const tab = await open();
    const { page } = tab;
    tab.expectProblem(/status of 401/u);
    answers().refuse(401);
    await field(page).fill('Hello');
    await field(page).press('Enter');
    await eventually(() => alert(page)).toMatch(view.refused);
    await page.reload();
    await page.getByText('Hello').first().waitFor();
    await eventually(() => alert(page)).toMatch(view.refused);
    expect(await view.again(page).isVisible()).toBe(true);
  });

  test('says that the network is missing, and sends the message when it is back', async () => {
    const tab = await open();
    const { page } = tab;
    tab.expectProblem(/ERR_INTERNET_DISCONNECTED/u);
    await answer(page, 'Hello', 'Hello to you.');
    await browser().context.setOffline(true);
    try {
      await field(page).fill('Are you there?');
      await field(page).press('Enter');
      await isTrying(page).waitFor();
      expect(await questions(page)).toEqual(['Hello', 'Are you there?']);
    } finally {
      await browser().context.setOffline(false);
    }
    await eventually(() => answers().asked.length).toBe(2);
    answers().asked[1]?.write('I am.');
    answers().asked[1]?.end();
    await page.getByText('I am.').first().waitFor();
    await eventually(() => isTrying(page).count()).toBe(0);
    expect(await alert(page)).toBe('');
  });

  test('is the same in a second tab, which can stop the answer', async () => {
    const { page } = await open();
    const first = await ask(page, 'What is a brooklet?', 'A very ');
    const { page: second } = await open(page.url());
    await second.getByText('A very').first().waitFor();
    first.write('small ');
    await second.getByText('A very small').first().waitFor();
    await field(second).fill('A draft');
    await stop(second).click();
    await eventually(first.isCut).toBe(true);
    for (const one of [page, second]) {
      await eventually(() => isStopped(one)).toBe(true);
      expect(await questions(one)).toEqual(['What is a brooklet?']);
    }
    expect(await field(second).inputValue()).toBe('A draft');
  });

  test('breaks long words in a narrow window', async () => {
    const { page } = await open();
    await page.setViewportSize({ width: 320, height: 600 });
    await answer(page, 'x'.repeat(400), 'https://example.com/'.repeat(40));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect(
      await page.evaluate(() =>
        [...document.querySelectorAll('main p, .bk-bubble, .bk-markdown p')].every(
          (p) => p.scrollWidth <= p.clientWidth,
        ),
      ),
    ).toBe(true);
  });

  /** Sends a message. Returns its answer, which has begun on the screen. */
  async function ask(page: Page, text: string, beginning = 'It is'): Promise<Answer> {
    const before = answers().asked.length;
    await field(page).fill(text);
    await field(page).press('Enter');
    await eventually(() => answers().asked.length).toBe(before + 1);
    const begun = answers().asked.at(-1) ?? expect.unreachable();
    begun.write(beginning);
    await page.getByText(beginning.trim()).last().waitFor();
    await eventually(() => isStopped(page)).toBe(false);
    return begun;
  }

  /** Sends a message, and waits until its whole answer is shown. */
  async function answer(page: Page, text: string, whole: string): Promise<void> {
    (await ask(page, text, whole)).end();
    await eventually(() => isStopped(page)).toBe(true);
  }
});

const stop = (page: Page) => page.getByRole('button', { name: 'Stop', exact: true });
const idIn = (page: Page) => new URL(page.url()).hash.slice(1);

/** Removes the first stored events, as a damaged disk does. */
async function loseFirstEvents(): Promise<void> {
  const settled = <T>(asked: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      asked.addEventListener('success', () => resolve(asked.result));
      asked.addEventListener('error', () => reject(asked.error ?? new Error('The database failed.')));
    });
  const database = await settled(indexedDB.open('brooklet'));
  const events = database.transaction('events', 'readwrite').objectStore('events');
  const [first, ...others] = await settled(events.getAllKeys());
  if (first === undefined || others.length === 0) throw new Error('The store has no two rows of events.');
  await settled(events.delete(first));
  database.close();
}
