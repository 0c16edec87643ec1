import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SessionEvent } from 'brooklet';
import { evolve, initialState } from 'brooklet/core';
import { exportHTML, type HTMLOptions } from 'brooklet/review/html';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { record } from '../review/recorded.ts';
import { recordTree } from '../review/recorded-tree.ts';
import { toEvents } from '../storage/arbitrary-log.ts';
import { everyEvent } from '../storage/every-event.ts';
import { type Browser, startFrugalBrowser } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { during } from './support/stage.ts';

const browser = during<Browser>(startFrugalBrowser, (its) => its.close());
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
let folder = '';
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'brooklet-html-'));
  await browser().context.setOffline(true);
});
afterEach(() => closeCleanly(browser()));
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Opened {
  readonly page: Page;
  /** Everything but the file itself that the page asked for. */
  readonly requests: readonly string[];
}

/** Opens a file as a double click does, without a network. */
async function openFile(html: string): Promise<Opened> {
  const path = join(folder, `${++files}.html`);
  await writeFile(path, html);
  const url = pathToFileURL(path).href;
  const requests: string[] = [];
  const listen = (request: { url(): string }): void => {
    if (!request.url().startsWith(url)) requests.push(request.url());
  };
  browser().context.on('request', listen);
  const { page } = await browser().open(url);
  return { page, requests };
}

async function open(events: readonly SessionEvent[], options?: HTMLOptions): Promise<Opened> {
  const opened = await openFile(await (await exportHTML(events, options)).text());
  await opened.page.getByRole('heading', { name: 'What the person saw' }).waitFor();
  return opened;
}

const pane = (page: Page, name: RegExp) => page.getByRole('region', { name });
const textOf = (page: Page, name: RegExp) => async (): Promise<string> => (await pane(page, name).textContent()) ?? '';
const seen = /What the person saw/;
const sent = /What the model was sent/;
const raw = /What the log has/;

/** A conversation with a text in every place that a viewer shows. */
function logWith(text: string): readonly SessionEvent[] {
  const word = text.slice(0, 900);
  const message = { id: 'm', role: 'user', content: [{ type: 'text', text }], timestamp: 1 };
  return toEvents(
    [
      { type: 'session.renamed', title: word },
      { type: 'message.added', message },
      { type: 'run.started', runId: 'r' },
      { type: 'instructions.changed', contentId: 'i', messages: [{ ...message, id: 'p', role: 'system' }] },
      { type: 'tools.changed', contentId: 't', tools: [{ name: word, description: text, inputSchema: {} }] },
      { type: 'reply.started', messageId: 'n', request: { instructions: 'i', tools: 't', model: word } },
      { type: 'reasoning.delta', text },
      { type: 'text.delta', text },
      {
        type: 'part.added',
        part: { type: 'image', mediaType: 'image/svg+xml', url: 'https://evil.example/a.png', name: text },
      },
      { type: 'part.added', part: { type: 'source', url: `javascript:${text}`, title: text } },
      { type: 'call.requested', callId: 'c', name: word, inputText: JSON.stringify({ text }), input: { text } },
      { type: 'reply.ended', finish: 'tool-calls', model: text },
      { type: 'call.started', callId: 'c', attempt: 1 },
      {
        type: 'call.ended',
        callId: 'c',
        outcome: 'failed',
        output: text,
        summary: text,
        details: { type: 'text', text },
      },
      {
        type: 'run.ended',
        runId: 'r',
        outcome: 'failed',
        error: { type: 'INTERNAL', code: 'UNKNOWN', message: text, retryable: false },
      },
    ],
    's',
  );
}

describe('a session that was exported as HTML', () => {
  it('is walked through with the keyboard alone, from a file and without a network', async () => {
    const { stored } = await record();
    const { page, requests } = await open(stored.events);
    await eventually(textOf(page, seen)).toContain('You are welcome.');
    await page.keyboard.press('Home');
    await eventually(textOf(page, seen)).toContain('Nothing yet.');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByRole('heading', { name: 'What the model was sent in step 1' }).waitFor();
    expect(await textOf(page, sent)()).toContain('Be brief.');
    await eventually(textOf(page, raw)).toContain('"type": "reply.started"');
    await page.keyboard.press('ArrowRight');
    await eventually(textOf(page, raw)).not.toContain('"type": "reply.started"');
    await page.keyboard.press('/');
    await page.keyboard.type('lever');
    await page.getByText(/^\d+ found$/).waitFor();
    await page.keyboard.press('Enter');
    await eventually(textOf(page, raw)).toContain('The lever came off.');
    await page.keyboard.press('End');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    expect(requests).toEqual([]);
  });

  it('shows at every event how many messages the person saw', async () => {
    const events = everyEvent();
    const { page } = await open(events);
    await page.keyboard.press('Home');
    let state = initialState('s');
    for (const event of events) {
      state = evolve(state, event);
      await page.keyboard.press('ArrowRight');
      await eventually(textOf(page, raw)).toContain(`"seq": ${event.seq}`);
      const messages = state.messages.filter(({ role }) => role !== 'system');
      expect(await pane(page, seen).locator('.bk-seen > li').count()).toBe(messages.length);
    }
  });

  it.each([
    ['markup', '</script><script>globalThis.hit=1</script><img src=x onerror="globalThis.hit=1"><!-- \u2028'],
    ['Markdown', 'Tom &amp; Jerry [a](https://evil.example) ![b](https://evil.example/b.png) <https://evil.example>'],
    [
      'addresses',
      'javascript:globalThis.hit=1 https://evil.example/?q data:text/html,<script>globalThis.hit=1</script>',
    ],
    ['nesting', '- '.repeat(3_000) + '*a_'.repeat(5_000) + '<div>'.repeat(2_000)],
  ])('runs, loads and follows nothing of hostile %s', async (_name, text) => {
    const { page, requests } = await open(logWith(text));
    const address = page.url();
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('details')) one.open = true;
    });
    await page.keyboard.press('Home');
    for (let count = 0; count < 16; count++) await page.keyboard.press('ArrowRight');
    await eventually(textOf(page, raw)).toContain('"seq": 16');
    expect(await textOf(page, seen)()).toContain(text.slice(0, 100));
    expect(
      await page.locator('#viewer').locator('a, img, iframe, object, embed, script, style, video, audio, form').count(),
    ).toBe(0);
    expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false);
    expect([page.url(), requests]).toEqual([address, []]);
  });

  it('refuses every request and every script that its own page would make', async () => {
    const { page, requests } = await open(logWith('Hello'));
    const tab = browser().tabs()[0];
    tab?.expectProblem(/Content Security Policy|Failed to fetch|TrustedScript|violates/);
    const outcome = await page.evaluate(async () => {
      const image = new Image();
      const failed = new Promise((resolve) => {
        image.addEventListener('error', () => resolve('refused'));
        image.addEventListener('load', () => resolve('loaded'));
      });
      image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
      const fetched = await fetch('https://evil.example').then(
        () => 'loaded',
        () => 'refused',
      );
      const script = document.createElement('script');
      let added = 'refused';
      try {
        script.text = 'globalThis.hit = 1';
        document.body.append(script);
        if ('hit' in globalThis) added = 'ran';
      } catch {
        // Trusted Types refuse the text.
      }
      return [await failed, fetched, added];
    });
    expect(outcome).toEqual(['refused', 'refused', 'refused']);
    expect(requests).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('has nothing that axe finds, %s, wide and narrow', async (colorScheme) => {
    const { stored } = await record();
    const { page } = await open(stored.events, { mask: { attachments: true } });
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('details')) one.open = true;
    });
    for (const width of [1100, 400]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(findings(page)).resolves.toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await page.setViewportSize({ width: 1100, height: 800 });
  });

  it.each(['light', 'dark'] as const)('has nothing that axe finds in any view, %s', async (colorScheme) => {
    const { stored } = await record();
    const { page } = await open(stored.events);
    await page.emulateMedia({ colorScheme });
    for (const key of ['2', '3', '4', '5', '6', '7', 'm', '?']) {
      await page.keyboard.press(key);
      await page.evaluate(() => {
        for (const one of document.querySelectorAll('details')) one.open = true;
      });
      expect({ key, found: await findings(page) }).toEqual({ key, found: [] });
    }
  });

  it('shows the answers as the person saw them', async () => {
    const { page, requests } = await open(logWith('It is **06:36**, see [there](https://evil.example)'));
    const answer = pane(page, seen).getByRole('article', { name: 'Agent' });
    expect(await answer.locator('strong').first().textContent()).toBe('06:36');
    expect(await answer.textContent()).toContain('https://evil.example');
    expect([await page.locator('#viewer a').count(), requests]).toEqual([0, []]);
  });

  it('shows one pane at a time where there is no room for three', async () => {
    const { page } = await open(logWith('Hello'));
    await page.setViewportSize({ width: 400, height: 700 });
    await page.getByRole('radio', { name: 'Log', exact: true }).check();
    await pane(page, raw).waitFor();
    expect(await pane(page, seen).count()).toBe(0);
    await page.setViewportSize({ width: 1100, height: 800 });
  });

  it('opens at the moment of its address', async () => {
    const { page } = await open(logWith('Hello'));
    await page.goto(`${page.url()}#@3`);
    await eventually(textOf(page, raw)).toContain('"seq": 3');
  });

  it('shows the notes of reviewers as text, and moves to their events', async () => {
    const note = (seq: number, text: string) => ({ id: `n${seq}`, seq, text, at: 1, userName: '<b>Ada</b>' });
    const annotations = [note(3, 'See <img src=x onerror=alert(1)>'), note(8, 'Late')];
    const { page } = await open(logWith('Hello'), { annotations });
    await page.getByRole('button', { name: /^Notes/ }).click();
    await page.getByText('See <img src=x onerror=alert(1)>').waitFor();
    await expect(findings(page)).resolves.toEqual([]);
    await page.getByRole('button', { name: 'Event 8' }).click();
    await eventually(textOf(page, raw)).toContain('"seq": 8');
    await expect(findings(page)).resolves.toEqual([]);
  });

  it('is in the language of the browser, or in the one that was chosen when it was exported', async () => {
    const { stored } = await record();
    const { page } = await open(stored.events);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en-GB');
    const session = await page.context().newCDPSession(page);
    const userAgent = await page.evaluate(() => navigator.userAgent);
    await session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: 'zh-TW,en' });
    await page.reload();
    await page.getByRole('heading', { name: '用户看到的内容' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');

    const chosen = await openFile(await (await exportHTML(stored.events, { language: 'zh-CN' })).text());
    await chosen.page.getByRole('heading', { name: '用户看到的内容' }).waitFor();
    await chosen.page.keyboard.press('/');
    await chosen.page.keyboard.type('lever');
    await chosen.page.getByText(/^找到 \d+ 处$/).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await chosen.page.emulateMedia({ colorScheme });
      await expect(findings(chosen.page)).resolves.toEqual([]);
    }
  });

  it('opens each session of a tree in place, with the keyboard alone, and says which is not there', async () => {
    const { store, sessions } = await recordTree(3);
    const [root, child] = sessions.map(({ summary }) => summary.id);
    const html = await (await exportHTML({ store, sessionId: root ?? '' })).text();
    const { page, requests } = await openFile(html);
    const title = page.getByRole('heading', { level: 1 });
    await title.getByText('Task 0').waitFor();
    await page.keyboard.press('3');
    await page.getByRole('button', { name: 'Open its session: Ask 1' }).focus();
    await page.keyboard.press('Enter');
    await title.getByText('Task 1').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await eventually(focused).toContain('Task 1');
    await page.keyboard.press('o');
    await page.keyboard.press('o');
    await title.getByText('Task 3').waitFor();
    await eventually(textOf(page, seen)).toContain('Answer of level 3.');
    const path = page.getByRole('navigation', { name: 'Sessions above' });
    expect(await path.getByRole('listitem').allTextContents()).toEqual(['Task 0', 'Task 1', 'Task 2', 'Task 3']);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1100, 400]) {
        await page.setViewportSize({ width, height: 800 });
        await expect(findings(page)).resolves.toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    }
    await page.setViewportSize({ width: 1100, height: 800 });
    await path.getByRole('button', { name: 'Task 0' }).focus();
    await page.keyboard.press('Enter');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-opens'))).toBe(child);
    for (const key of ['1', '3', '4']) {
      await page.keyboard.press(key);
      if (key === '4') await page.locator('.bk-below[aria-busy=false]').waitFor();
      await expect(findings(page)).resolves.toEqual([]);
    }
    expect(await page.locator('.bk-below').textContent()).toContain('Input and output with all below105 tokens');
    expect(requests).toEqual([]);

    // A page that was cut before its last session.
    const last = html.lastIndexOf('{"format":"brooklet"');
    const cut = await openFile(`${html.slice(0, last)}</script></body></html>`);
    await cut.page.getByRole('heading', { level: 1 }).getByText('Task 0').waitFor();
    for (let level = 1; level <= 3; level++) await cut.page.keyboard.press('o');
    await cut.page.getByText('It was removed, or the file does not contain it.').waitFor();
    await expect(findings(cut.page)).resolves.toEqual([]);
    await cut.page.getByRole('button', { name: 'Back to the session above' }).press('Enter');
    await cut.page.getByRole('heading', { level: 1 }).getByText('Task 2').waitFor();
  });

  it('says what was left out', async () => {
    const { page } = await open(logWith('Hello'), { mask: { toolOutputs: true, patterns: [/Hello/] } });
    await page.getByText('Left out of this file: outputs of tools, what matches a pattern.').waitFor();
  });
});

describe('a file that is not as it was exported', () => {
  async function htmlOf(events: readonly SessionEvent[]): Promise<string> {
    return (await exportHTML(events)).text();
  }

  it('is shown up to the place where it was cut', async () => {
    const html = await htmlOf(logWith('Hello'));
    const { page } = await openFile(html.slice(0, html.indexOf('"seq":9,') + 5));
    await page.getByText(/Shown up to a damaged place. Line 10 of the log: the line is not JSON\./).waitFor();
    await eventually(textOf(page, raw)).toContain('"seq": 8');
  });

  it('is shown up to a forged line', async () => {
    const html = await htmlOf(logWith('Hello'));
    const { page } = await openFile(html.replace('"attempt":1', '"attempt":"often"'));
    await page.getByText(/Line 15 of the log: attempt is not a number\./).waitFor();
  });

  it('says why nothing of a newer version can be shown', async () => {
    const html = await htmlOf(logWith('Hello'));
    const { page } = await openFile(html.replace('"version":1', '"version":9'));
    await page.getByRole('alert').filter({ hasText: 'Line 1 of the log: version is 9; only 1 is known.' }).waitFor();
  });

  it('is shown up to a value that is nested too deeply', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    const html = await htmlOf(logWith('Hello'));
    const { page } = await openFile(html.replace('"summary":"Hello"', `"output":${deep},"summary":"Hello"`));
    await page.getByText(/Line 16 of the log: the line is nested deeper than 500 levels\./).waitFor();
  });

  it('of 20,000 events opens, and shows its last messages first', async () => {
    const message = (index: number) => ({
      type: 'message.added',
      message: { id: `m${index}`, role: 'user', content: [{ type: 'text', text: `Message ${index}` }], timestamp: 1 },
    });
    const { page } = await openFile(
      await htmlOf(
        toEvents(
          Array.from({ length: 20_000 }, (_, index) => message(index)),
          's',
        ),
      ),
    );
    await pane(page, seen).getByText('Message 19999').waitFor();
    await page.getByRole('button', { name: 'Show earlier messages (19970)' }).waitFor();
  });
});

/** Returns what axe finds, in a world of its own: the policy of the page refuses other scripts. */
async function findings(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  const { readFile } = await import('node:fs/promises');
  const run = async (expression: string) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      contextId: executionContextId,
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  };
  await run(await readFile(axe, 'utf8'));
  const found = await run(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target + ' ' + failureSummary)))`,
  );
  return Array.isArray(found) ? found.map(String) : ['axe returned nothing'];
}
