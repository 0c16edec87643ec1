import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { Tab } from './support/browser.ts';
import { canary } from './support/canary.ts';
import { eventually } from './support/eventually.ts';
import { startWire } from './support/server.ts';
import { setStage } from './support/stage.ts';
import { button, dialogClosed } from './support/studio.ts';

const long = 'Tell me a long story about a brook';

const stage = setStage(new URL('../../demo', import.meta.url));

const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });
const textOf = async (page: Page): Promise<string> => (await conversation(page).textContent()) ?? '';

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await button(page, 'Send').click();
}

/** Whether the page has stored notes: the database is created with the first note. */
const hasNotes = (page: Page): Promise<boolean> =>
  page.evaluate(async () => (await indexedDB.databases()).some(({ name }) => name === 'brooklet-notes'));

/** Asks for the long story, and waits for its first words. */
async function openStory(): Promise<Tab> {
  const tab = await stage.browser.open(stage.site.freshURL());
  await ask(tab.page, long);
  await eventually(() => textOf(tab.page)).toContain('High up, under a stone');
  return tab;
}

/** Fills in the open settings. */
async function fillSettings(page: Page, key: string): Promise<void> {
  await page.getByLabel('Base URL').fill(stage.wire.baseURL);
  await page.getByLabel('Model', { exact: true }).fill('gpt-5-mini');
  await page.getByLabel('API key').fill(key);
}

/** Connects to what the settings contain. They close when the client has been loaded; until then the page behind them takes no text. */
async function connectNow(page: Page): Promise<void> {
  await button(page, 'Connect').click();
  await dialogClosed(page);
}

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
    const cards = conversation(page).locator('details.tool summary');
    expect(await cards.count()).toBe(2);
    expect(await cards.first().textContent()).toMatch(/^Check the time.*Done$/);
    expect(await cards.last().textContent()).toMatch(/^Calculate17\.5 \/ 100 \* 240 = 42.*Done$/);
  });

  it('saves a note after the approval, and keeps note and conversation across a reload', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'Remember to water the plants');
    const form = page.getByRole('form', { name: 'Decide on add_note' });
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
    const input = page.getByRole('textbox', { name: 'Input as JSON' });
    await input.fill('{ "text": ');
    await button(page, 'Approve with changes').click();
    await page.getByRole('alert').filter({ hasText: 'not a JSON object' }).waitFor();
    await input.fill('{ "text": "" }');
    await button(page, 'Approve with changes').click();
    await page.getByRole('alert').filter({ hasText: 'input.text breaks minLength 1' }).waitFor();
    expect(await hasNotes(page)).toBe(false);
    await input.fill('{ "text": "water the ferns" }');
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
    await page.getByRole('form', { name: 'Decide on add_note' }).waitFor();
    await button(page, 'Stop').click();
  });

  it('decides several calls in any order, and shows in which tab a call was decided', async () => {
    const first = await stage.browser.open(stage.site.freshURL());
    await ask(first.page, 'Save three notes: bread, milk, eggs');
    const forms = (page: Page) => page.getByRole('form', { name: 'Decide on add_note' });
    await eventually(() => forms(first.page).count()).toBe(3);
    const second = await stage.browser.open(first.page.url());
    await eventually(() => forms(second.page).count()).toBe(3);

    await forms(second.page).filter({ hasText: 'eggs' }).getByRole('button', { name: 'Approve', exact: true }).click();
    await eventually(() => forms(first.page).count()).toBe(2);
    const card = first.page.locator('details.tool').filter({ hasText: 'Note 1 added' });
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
    await page.getByRole('form', { name: 'Which way shall we go?' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await eventually(focused).toBe('Upstream, to the spring');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const form = page.getByRole('form', { name: 'What do I need to know for the walk?' });
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
    const form = page.getByRole('form', { name: 'Decide on edit_file' });
    await form.waitFor();
    expect(await form.locator('.diff-line.removed').textContent()).toContain('it leaves the stoen,');
    expect(await form.locator('.diff-line.added').textContent()).toContain('it leaves the stone,');
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
    await page.getByText('It reached the limit of 8 requests to the model.').waitFor({ timeout: 45_000 });
    await button(page, 'Continue').click();
    await eventually(() => textOf(page)).toContain('1536 * 2 is 3072.');
  });

  it('states that a tool may or may not have run after a reload', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
    await ask(page, 'Run a slow script');
    await eventually(() => textOf(page)).toContain('Running…');
    await page.reload();
    await eventually(() => textOf(page)).toContain('we couldn’t confirm whether it finished');
    expect(await textOf(page)).toContain('We couldn’t confirm whether “Run JavaScript” ran');
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
    await page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: long }).waitFor();
    await button(page, 'Resume').click();
    await eventually(() => textOf(page)).toContain('The first hundred metres');
    expect((await textOf(page)).match(/Where the brook goes/g)).toHaveLength(1);
    await button(page, 'Stop').click();
    await eventually(() => textOf(page)).toContain('You stopped this reply');
  });

  it('works by keyboard: the field has the focus, Enter sends, Escape stops', async () => {
    const { page } = await stage.browser.open(stage.site.freshURL());
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

describe('the demo, with a key', () => {
  it('talks to a real server, and clears the key on reload', async () => {
    stage.wire.mock.onMessage('rivers', { content: 'Rivers *begin* small.' });
    stage.wire.mock.onMessage('Hi', { content: 'Hi.' });
    const { page } = await stage.browser.open(stage.site.freshURL());
    await button(page, 'Connect a model').click();
    await fillSettings(page, canary);
    await button(page, 'Test connection').click();
    await page.getByText('The model answered.').waitFor();
    await connectNow(page);
    await ask(page, 'Tell me of rivers.');
    await eventually(() => textOf(page)).toContain('Rivers begin small.');
    expect(stage.wire.exchanges.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${canary}`,
      `Bearer ${canary}`,
    ]);

    await page.reload();
    await eventually(() => textOf(page)).toContain('Rivers begin small.');
    await page.getByText(`Enter your API key for ${stage.wire.host} again`).waitFor();
    expect(await button(page, 'Send').isDisabled()).toBe(true);
  });

  it('states that a key was refused, and links to the settings', async () => {
    stage.wire.mock.onMessage('rivers', {
      error: { message: `Incorrect API key provided: ${canary}.`, code: 'invalid_api_key' },
      status: 401,
    });
    const tab = await stage.browser.open(stage.site.freshURL());
    const { page } = tab;
    tab.expectProblem(/Failed to load resource.*401/);
    await button(page, 'Connect a model').click();
    await fillSettings(page, canary);
    await connectNow(page);
    await ask(page, 'Tell me of rivers.');
    const notice = page.getByRole('alert').filter({ hasText: 'AUTHENTICATION_FAILED' });
    await notice.waitFor();
    expect(await notice.textContent()).toContain(`401 from ${stage.wire.host}: the key was refused`);

    await notice.getByRole('button', { name: 'Open settings' }).click();
    await page.getByLabel('API key').fill('sk-another-key');
    await connectNow(page);
    stage.wire.mock.clearFixtures().onMessage('rivers', { content: 'Rivers begin small.' });
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await eventually(() => textOf(page)).toContain('Rivers begin small.');
    expect(await notice.count()).toBe(0);
    expect(stage.wire.exchanges.at(-1)?.headers.authorization).toBe('Bearer sk-another-key');
  });

  it('distinguishes a refused key, a wrong model, a CORS error and an unreachable server', async () => {
    const closed = await startWire({ cors: false });
    stage.wire.mock.onMessage('Hi', { error: { message: 'No.', code: 'invalid_api_key' }, status: 401 });
    const tab = await stage.browser.open(stage.site.freshURL());
    const { page } = tab;
    tab.expectProblem(/Failed to load resource|blocked by CORS policy/);
    const test = async (verdict: string): Promise<void> => {
      await button(page, 'Test connection').click();
      await page.getByText(verdict).waitFor();
    };
    try {
      await button(page, 'Connect a model').click();
      await fillSettings(page, canary);
      await test('The key was refused');
      stage.wire.mock
        .clearFixtures()
        .onMessage('Hi', { error: { message: 'The model does not exist.', code: 'model_not_found' }, status: 404 });
      await test('There is no such model');
      await page.getByLabel('Base URL').fill(closed.baseURL);
      await test('Blocked by CORS');
    } finally {
      await closed.stop();
    }
    await test('Nothing answered');
  });
});

describe('the demo, with answers that are hard to render', () => {
  async function connect(): Promise<Tab> {
    const tab = await stage.browser.open(stage.site.freshURL());
    await button(tab.page, 'Connect a model').click();
    await fillSettings(tab.page, canary);
    await connectNow(tab.page);
    return tab;
  }

  it('shows named character references, during the stream and after a reload', async () => {
    stage.wire.mock.onMessage('cartoon', { content: 'Tom &amp; Jerry, a&nbsp;b, R&D; and &copy 2026.' });
    const { page } = await connect();
    await ask(page, 'Which cartoon?');
    const shown = 'Tom & Jerry, a\u00a0b, R&D; and &copy 2026.';
    await eventually(() => textOf(page)).toContain(shown);
    await page.reload();
    await eventually(() => textOf(page)).toContain(shown);
  });

  it.each([
    ['a list nested 1,500 deep', `${'- '.repeat(1_500)}deep`],
    ['5,300 emphasis marks', '*a_'.repeat(5_300)],
    ['2,000 nested images', `${'!['.repeat(2_000)}x${'](y)'.repeat(2_000)}`],
  ])('shows %s as plain text, and the paragraph after it as Markdown', async (_name, hostile) => {
    stage.wire.mock.onMessage('hard', { content: `${hostile}\n\nThen an *easy* one.` });
    const { page } = await connect();
    await ask(page, 'Something hard');
    await eventually(() => conversation(page).locator('em').allTextContents()).toEqual(['easy']);
    expect(await conversation(page).locator('.plain .source-text').textContent()).toBe(hostile);
  });
});
