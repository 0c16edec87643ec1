import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../support/llm-cuts.ts';
import { canary } from './support/canary.ts';
import { readStored } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { filesWith } from './support/files-with.ts';
import { hostOf, pause, see, setOutliving, shows } from './support/outliving/stage.ts';
import { type Heard, wordsOf } from './support/outliving/words.ts';

/** `OUTLIVING=200 SEED=7 npm test -- test/e2e/outliving.test.ts` plays 200 runs from that seed. */
const count = Number(process.env.OUTLIVING ?? 10);
const seed = Number(process.env.SEED ?? 1);
/** Runs at the same moment, each at an origin of its own. */
const atOnce = 4;
const hour = 3_600_000;

const { browser, stage, outlivesPages } = setOutliving();

interface Played {
  readonly problems: readonly string[];
  /** ms without any page. */
  readonly alone: number;
  readonly moves: number;
}

/** Plays one run: its pages are closed, reloaded and opened at random moments. Returns what went wrong. */
async function play(nth: number, mayBeAlone: boolean, query: Readonly<Record<string, string>>): Promise<Played> {
  const random = createRandom(seed + nth);
  const below = (limit: number): number => Math.floor(random() * limit);
  const its = stage(query);
  const isPaid = below(3) === 0;
  const length = 20 + below(20);
  const first = await its.visit();
  const pages: Page[] = [first];
  const id = await its.begin(first, `${isPaid ? 'pay' : 'count'} ${length}`);
  const end = Date.now() + length * 100;
  let [alone, moves] = [0, 0];

  // Every third run begins without any page.
  if (mayBeAlone && nth % 3 === 0) {
    pages.length = 0;
    await first.close();
    await pause(2_000);
    alone = 2_000;
  }
  while (Date.now() < end) {
    const page = pages[below(pages.length)];
    const what = below(3);
    moves++;
    if (page === undefined || what === 0) {
      if (pages.length < 3) pages.push(await its.visit());
      const opened = pages.at(-1);
      if (opened && below(2) === 0) await its.open(opened, id);
    } else if (what === 1 && (mayBeAlone || pages.length > 1)) {
      pages.splice(pages.indexOf(page), 1);
      await page.close();
    } else if (mayBeAlone || pages.length > 1) await page.reload();
    const before = Date.now();
    // Without a page for seconds, every other time.
    await pause(pages.length === 0 ? below(2) * 2_000 + below(500) : below(400));
    if (pages.length === 0) alone += Date.now() - before;
  }

  const problems: string[] = [];
  const last = pages[0] ?? (await its.visit());
  await its.open(last, id);
  if (isPaid) {
    await eventually(async () => (await see(last)).status).toBe('waiting');
    if (its.heard.acts.length > 0) problems.push('the tool ran before its approval');
    if ((await last.evaluate(() => globalThis.outliving.approve())) !== 1) problems.push('the approval was not taken');
  }
  await eventually(async () => (await see(last)).status).toBe('idle');
  const { texts, outcome, calls } = await see(last);
  const [prompt = '', ...answers] = texts;
  if (outcome !== 'completed') problems.push(`the run ended as ${outcome}`);
  if (answers[0] !== wordsOf(length)) problems.push(`of ${length} words there are ${JSON.stringify(answers[0])}`);
  if (answers.length !== (isPaid ? 2 : 1)) problems.push(`${answers.length} answers`);
  const expected = isPaid ? [prompt, 'tool'] : [prompt];
  if (its.heard.requests.join() !== expected.join()) problems.push(`requests: ${its.heard.requests.join()}`);
  if (its.heard.acts.length !== Number(isPaid)) problems.push(`the tool ran ${its.heard.acts.length} times`);
  if (isPaid && calls.join() !== 'succeeded') problems.push(`the call is ${calls.join()}`);
  await Promise.all(pages.map((page) => page.close()));
  if (!pages.includes(last)) await last.close();
  return { problems: problems.map((problem) => `seed ${seed + nth}: ${problem}`), alone, moves };
}

async function playAll(
  total: number,
  mayBeAlone: boolean,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly Played[]> {
  const played: Played[] = [];
  for (let begun = 0; begun < total; begun += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, total - begun) }, (_, index) =>
      play(begun + index, mayBeAlone, query),
    );
    played.push(...(await Promise.all(some)));
  }
  return played;
}

const tally = (heard: Heard): string => heard.requests.join();

describe('a run in a shared worker', () => {
  test(
    `outlives the pages that are closed, reloaded and opened (${count} runs, seed ${seed})`,
    async () => {
      // A Chromium before 148 ends a shared worker with its last page.
      const isExtended = await outlivesPages();
      const played = await playAll(count, isExtended);
      const alone = played.filter(({ alone }) => alone >= 2_000).length;
      console.info(
        `${played.length} runs, ${played.reduce((sum, { moves }) => sum + moves, 0)} moves, ${alone} runs without any page for 2 s or more, ` +
          `longest ${Math.max(...played.map((one) => one.alone))} ms`,
      );
      expect(played.flatMap(({ problems }) => problems)).toEqual([]);
      if (isExtended) expect(alone).toBeGreaterThanOrEqual(Math.ceil(count / 3));
    },
    hour,
  );

  test('without a longer life outlives each page while another one is open', async () => {
    const played = await playAll(4, false, { how: 'plain' });
    expect(played.flatMap(({ problems }) => problems)).toEqual([]);
  });

  test('runs a tool of the page in a page, and waits for one where none is open', async () => {
    const its = stage();
    const first = await its.visit();
    const id = await its.begin(first, 'mark 5');
    await eventually(() => its.heard.requests.length).toBe(1);
    await first.close();
    const blind = await its.visit('&blind');
    await its.open(blind, id);
    await eventually(async () => {
      const host = await hostOf(blind);
      return host.state === 'worker' ? host.waits : [];
    }).toMatchObject([{ sessionId: id, name: 'mark' }]);
    expect(its.heard.acts).toEqual([]);
    const seeing = await its.visit();
    await eventually(async () => (await see(blind)).status).toBe('idle');
    expect(its.heard.acts).toHaveLength(1);
    expect(its.heard.acts[0]).toMatch(/^dom /);
    expect(await seeing.evaluate(() => document.body.dataset.marked)).toBe('yes');
    expect(tally(its.heard)).toBe('mark 5,tool');
    await Promise.all([blind.close(), seeing.close()]);
  });

  test('that ends in the midst of a run leaves it interrupted, and it is resumed once', async () => {
    const its = stage();
    const [one, other] = [await its.visit(), await its.visit()];
    const id = await its.begin(one, 'count 100');
    await its.open(other, id);
    await shows(other, 'word5');
    await one.evaluate(() => globalThis.outliving.crash());
    await eventually(async () => (await see(one)).outcome).toBe('interrupted');
    await eventually(async () => (await see(other)).outcome).toBe('interrupted');
    const kept = (await see(one)).texts[1] ?? '';
    expect(wordsOf(100).startsWith(kept)).toBe(true);
    const resumed = await Promise.all(
      [one, other].map((page) =>
        page.evaluate(() => globalThis.outliving.resume().catch((error: Error) => error.name)),
      ),
    );
    expect(resumed.toSorted()).toEqual(['AgentError', 'completed']);
    expect(its.heard.requests).toHaveLength(2);
    expect((await see(one)).texts).toHaveLength(3);
    await Promise.all([one.close(), other.close()]);
  });

  test('ends its run, and forgets, when the person signs out', async () => {
    const its = stage();
    const page = await its.visit();
    const id = await its.begin(page, 'count 100');
    await shows(page, 'word3');
    await page.evaluate(() => globalThis.outliving.signOut());
    await page.close();
    const next = await its.visit();
    await eventually(async () => (await its.open(next, id)).outcome).toBe('cancelled');
    expect(its.heard.requests).toHaveLength(1);
    await next.close();
  });

  test('writes its key nowhere', async () => {
    // A browser notes the addresses of pages.
    const its = stage({ key: '' });
    const page = await its.visit();
    await page.evaluate((key) => void (globalThis.givenKey = key), canary);
    await its.begin(page, 'pay 3');
    await eventually(async () => (await see(page)).status).toBe('waiting');
    await page.evaluate(() => globalThis.outliving.approve());
    await eventually(async () => (await see(page)).status).toBe('idle');
    expect(its.heard.keys).toEqual([`Bearer ${canary}`, `Bearer ${canary}`]);
    const stored = await readStored(page);
    expect(stored).toContain('word0');
    expect(stored).not.toContain(canary);
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
    await page.close();
    expect(await filesWith(browser().profile, canary)).toEqual([]);
  });
});

describe('a page without a shared worker', () => {
  test.each([
    ['whose script is not there', { how: 'missing' }, 'failed'],
    ['which the policy of the page refuses', { how: 'policy' }, 'failed'],
    ['which the browser does not have', { how: 'none' }, 'no-shared-worker'],
  ])('%s drives its run itself', async (_name, query, reason) => {
    const its = stage(query);
    const page = await its.visit();
    const id = await its.begin(page, 'count 5');
    await eventually(async () => (await see(page)).status).toBe('idle');
    expect(await hostOf(page)).toMatchObject({ state: 'page', reason });
    expect((await its.open(page, id)).texts).toEqual(['count 5', wordsOf(5)]);
    expect(tally(its.heard)).toBe('count 5');
    await page.close();
  });

  test('connects to a dedicated one, whose run ends with the page and is resumed', async () => {
    const its = stage({ how: 'dedicated' });
    const page = await its.visit();
    const id = await its.begin(page, 'count 50');
    await shows(page, 'word3');
    expect(await hostOf(page)).toMatchObject({ state: 'worker', outlives: 'nothing' });
    await page.reload();
    await eventually(async () => (await its.open(page, id)).outcome).toBe('interrupted');
    expect(await page.evaluate(() => globalThis.outliving.resume())).toBe('completed');
    expect(its.heard.requests).toHaveLength(2);
    await page.close();
  });
});
