import type { CDPSession, Page } from 'playwright';
import { expect, it } from 'vitest';
import { startBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { during, setSite } from './support/stage.ts';
import { ask, begin, composer, setPace, textOf } from './support/studio.ts';

const site = setSite(new URL('../../demo', import.meta.url));
const browser = during(startBrowser, (its) => its.close());

const times = 100;
const story = 'Tell me a long story about a brook';
const begun = 'High up, under a stone';
const end = 'the spring has just begun';

/** What a page keeps, after its garbage is collected. */
async function weigh(
  page: Page,
  devtools: CDPSession,
): Promise<Record<'heap' | 'listeners' | 'nodes' | 'locks', number>> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  const locks = await page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    return held.length + pending.length;
  });
  return { heap: of('JSHeapUsedSize'), listeners: of('JSEventListeners'), nodes: of('Nodes'), locks };
}

const goTo = (page: Page, hash: string): Promise<unknown> =>
  page.evaluate(async (next) => {
    location.hash = next;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, hash);

/** Starts two stories, and returns where they are. */
async function startTwo(page: Page): Promise<readonly string[]> {
  const hashes: string[] = [];
  for (let nth = 0; nth < 2; nth += 1) {
    await goTo(page, '#/');
    await begin(page, story, begun);
    hashes.push(await page.evaluate(() => location.hash));
  }
  return hashes;
}

async function waitForEnd(page: Page, hashes: readonly string[]): Promise<void> {
  await setPace(page, 0);
  for (const hash of hashes) {
    await goTo(page, hash);
    await eventually(() => textOf(page)).toContain(end);
    await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });
  }
}

it('switching 100 times between two answers that stream loses nothing and keeps nothing', async () => {
  const { page } = await browser().open(site().freshURL());
  await composer(page).waitFor();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');

  // Once without switching, so that all code is loaded and both kinds of rows have been seen.
  await waitForEnd(page, await startTwo(page));
  await goTo(page, '#/');
  await ask(page, 'Thanks!');
  await eventually(() => textOf(page)).toContain('You are welcome.');
  await goTo(page, '#/');
  const before = await weigh(page, devtools);

  const hashes = await startTwo(page);
  for (let time = 0; time < times; time += 1) await goTo(page, hashes[time % 2] ?? '');
  await waitForEnd(page, hashes);
  for (const hash of hashes) {
    await goTo(page, hash);
    expect((await textOf(page)).split(begun)).toHaveLength(2);
  }
  await goTo(page, '#/');
  // Two rows more in the list of conversations. What is left of the last page is removed when the page is idle.
  await eventually(async () => (await weigh(page, devtools)).listeners - before.listeners).toBeLessThan(60);
  const after = await weigh(page, devtools);

  expect(after.locks).toBe(before.locks);
  // Two sessions more in memory: some 10 kB of text and events each.
  expect(after.nodes - before.nodes).toBeLessThan(600);
  expect(after.heap - before.heap).toBeLessThan(2_000_000);
}, 240_000);

it('200 answers and 30 switches leave nothing behind but the conversation', async () => {
  const { page } = await browser().open(site().freshURL());
  await composer(page).waitFor();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const hash = async (): Promise<string> => page.evaluate(() => location.hash);

  // Once, so that all code is loaded.
  await ask(page, 'Thanks!');
  await eventually(() => textOf(page)).toContain('You are welcome.');
  const first = await hash();
  await goTo(page, '#/');
  const before = await weigh(page, devtools);

  for (let nth = 0; nth < 200; nth += 1) await ask(page, `Thanks! ${nth}`);
  await eventually(() => textOf(page)).toMatch(/Thanks! 199.*You are welcome\./su);
  await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached' });
  const second = await hash();
  for (let time = 0; time < 30; time += 1) await goTo(page, time % 2 === 0 ? first : second);
  await goTo(page, '#/');
  await eventually(async () => (await weigh(page, devtools)).listeners - before.listeners).toBeLessThan(60);
  const after = await weigh(page, devtools);

  expect(after.locks).toBe(before.locks);
  // Two rows of the list, and what is removed later: 867 when this was written. The 400 messages have more than 10,000.
  expect(after.nodes - before.nodes).toBeLessThan(2_000);
  // The session with 400 messages stays in memory.
  expect(after.heap - before.heap).toBeLessThan(6_000_000);
}, 240_000);
