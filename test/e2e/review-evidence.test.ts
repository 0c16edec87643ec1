import type { Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { type Browser, startBrowser } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import type { RecordedWire } from './support/recorded/main.ts';
import { startRecordingProxy } from './support/recording-proxy.ts';
import { settled } from './support/settled.ts';
import { during, setSite } from './support/stage.ts';

const studio = setSite(new URL('../../demo', import.meta.url));
const recording = setSite(new URL('support/recorded', import.meta.url));
const proxy = during(startRecordingProxy, (its) => its.stop());
/** The profile in which the session is recorded, and the profile in which it is reviewed. */
const [here, there] = [during(startBrowser, closed), during(startBrowser, closed)];

async function closed(browser: Browser): Promise<void> {
  await browser.close();
}

afterEach(async () => {
  proxy().reset();
  await there().context.setOffline(false);
  await closeCleanly(here());
  await closeCleanly(there());
});

function addressOf(wire: RecordedWire): string {
  return `${recording().freshURL()}?${new URLSearchParams({ baseURL: proxy().baseURL, wire })}`;
}

async function openHere(url: string): Promise<Page> {
  const tab = await here().open(url);
  // The devtools of the browser complain of a stream that the test leaves open.
  tab.expectProblem(/ERR_|Failed to load resource/);
  await tab.page.evaluate(() => globalThis.recorded.then(() => {}));
  return tab.page;
}

const send = (page: Page, text: string) => page.evaluate(async (said) => (await globalThis.recorded).send(said), text);
const status = (page: Page) => page.evaluate(async () => (await globalThis.recorded).status());
const toFile = (page: Page) => page.evaluate(async () => (await globalThis.recorded).toFile());
const states = (page: Page) => page.evaluate(async () => (await globalThis.recorded).states());

/** Sends a message, and approves the call with another input. */
async function pay(page: Page, n: number): Promise<void> {
  await page.evaluate(async () => (await globalThis.recorded).begin('Pay the bill'));
  await eventually(() => status(page)).toBe('waiting');
  await page.evaluate(async (amount) => (await globalThis.recorded).approve(amount), n);
  await eventually(() => status(page)).toBe('idle');
}

function script(): void {
  const { mock } = proxy();
  const call = { toolCalls: [{ name: 'pay', arguments: '{"n":1}' }] };
  mock.on({ userMessage: 'Pay', sequenceIndex: 0 }, call);
  mock.on({ userMessage: 'Pay', sequenceIndex: 1 }, { content: 'Paid with a change: “déjà vu”.' });
  mock.onMessage('Thank', { content: 'You are welcome. 山' });
  mock.onMessage('long', { content: 'It is a long story that has no end.' });
  mock.onMessage('And now', { content: 'Nothing is left to do.' });
}

/** Opens the review of the Studio in the other profile, cuts the network, and opens the file. */
async function review(file: string): Promise<Page> {
  const { page } = await there().open(`${studio().freshURL()}#/review`, { loadsAhead: true });
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  await settled(page);
  await there().context.setOffline(true);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 's.jsonl', mimeType: 'text/plain', buffer: Buffer.from(file) });
  await page.getByRole('heading', { name: /What the model was sent in step/ }).waitFor();
  return page;
}

describe.each<RecordedWire>(['Chat completions', 'OpenAI Responses', 'Anthropic Messages', 'Gemini', 'openai package'])(
  'a session by %s',
  (wire) => {
    it('is reviewed in another profile without the network, each request byte for byte as the server received it', async () => {
      script();
      const page = await openHere(addressOf(wire));
      await pay(page, 2);
      await send(page, 'Thank you');
      const { bodies } = proxy();
      expect(bodies).toHaveLength(3);

      const reviewed = await review(await toFile(page));
      await there().context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await reviewed.keyboard.press('Home');
      for (const [index, body] of bodies.entries()) {
        await reviewed.keyboard.press('Shift+ArrowRight');
        await reviewed.getByRole('heading', { name: `What the model was sent in step ${index + 1}` }).waitFor();
        if (index === 0) {
          await reviewed.getByRole('radio', { name: 'Bytes' }).check();
          await reviewed.getByLabel('Wire').selectOption(wire);
          await reviewed.locator('body').click({ position: { x: 2, y: 2 } });
        }
        const shown = reviewed.getByRole('group', { name: 'Body of the request' });
        await eventually(() => shown.textContent()).toBe(JSON.stringify(JSON.parse(body), null, 2));
        await reviewed.getByRole('button', { name: 'Copy the body' }).click();
        expect(await reviewed.evaluate(() => navigator.clipboard.readText())).toBe(body);
      }
    });
  },
);

describe('a session with an edited approval, a crash, a second tab and a compaction', () => {
  it('is in every event as it was when it happened', async () => {
    script();
    const url = addressOf('Chat completions');
    const first = await here().open(url);
    first.expectProblem(/ERR_|Failed to load resource/);
    await first.page.evaluate(() => globalThis.recorded.then(() => {}));
    const address = first.page.url();
    await pay(first.page, 2);
    const lived = new Map(await states(first.page));

    proxy().hangAfter('long story');
    await first.page.evaluate(async () => (await globalThis.recorded).begin('Tell a long story'));
    await eventually(async () => (await states(first.page)).at(-1)?.[1]).toContain('long story');
    const second = await openHere(address);
    await eventually(async () => (await states(second)).at(-1)?.[1]).toContain('long story');
    await first.crash();
    await eventually(() => status(second)).toBe('interrupted');
    await send(second, 'Thank you');
    await second.evaluate(async () => (await globalThis.recorded).compact());
    await send(second, 'And now?');
    const file = await toFile(second);
    for (const [seq, state] of await states(second)) lived.set(seq, state);

    const elsewhere = await there().open(addressOf('Chat completions'), { loadsAhead: true });
    await elsewhere.page.evaluate(() => globalThis.recorded.then(() => {}));
    await there().context.setOffline(true);
    const seen = await elsewhere.page.evaluate((text) => globalThis.statesOf(text), file);
    const types = new Set(Array.from(file.matchAll(/^\{"type":"([\w.-]+)"/gmu), ([, type = '']) => type));
    expect([...types]).toEqual(
      expect.arrayContaining(['approval.decided', 'run.ended', 'context.compacted', 'call.ended', 'text.delta']),
    );
    const compared = seen.filter(([seq]) => lived.has(seq));
    expect(compared.length).toBeGreaterThan(seen.length / 2);
    for (const [seq, state] of compared)
      expect(JSON.parse(state), `event ${seq}`).toEqual(JSON.parse(lived.get(seq) ?? ''));
    expect(seen.at(-1)?.[1]).toBe((await states(second)).at(-1)?.[1]);
    await there().context.setOffline(false);
  });
});
