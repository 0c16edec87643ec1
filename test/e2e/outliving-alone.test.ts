import { describe, expect, test } from 'vitest';
import { createRandom } from '../support/llm-cuts.ts';
import { eventually } from './support/eventually.ts';
import { pause, see, setOutliving } from './support/outliving/stage.ts';
import { wordsOf } from './support/outliving/words.ts';

/**
 * Rounds in which a run has no page for 5 to 60 s: `ALONE=60 SEED=7 npm test -- test/e2e/outliving-alone.test.ts` plays 60, and measures
 * how long the browser lets a worker live without a page. Both take ten minutes, and nearly no processor time.
 */
const rounds = Number(process.env.ALONE ?? 4);
const isLong = process.env.ALONE !== undefined;
const seed = Number(process.env.SEED ?? 1);
/** Rounds at the same moment, each at an origin of its own. */
const atOnce = 6;
/** s without a page, at least and at most. */
const [least, most] = isLong ? [5, 60] : [5, 8];
const hour = 3_600_000;

const { stage, outlivesPages } = setOutliving();

/** Sends one prompt, leaves, comes back after some seconds, and returns what is wrong with the answer. */
async function play(nth: number): Promise<readonly string[]> {
  const random = createRandom(seed * 1_000 + nth);
  const seconds = least + Math.floor(random() * (most - least + 1));
  // The answer ends at some moment before the person comes back, or after.
  const length = Math.max(10, Math.floor(seconds * 10 * (0.5 + 0.7 * random())));
  const { heard, visit, begin, open } = stage();
  const first = await visit();
  const id = await begin(first, `count ${length}`);
  // The worker has the key of the page then.
  await eventually(() => heard.requests.length).toBe(1);
  await first.close();
  await pause(seconds * 1_000);
  const page = await visit();
  const back = await open(page, id);
  await eventually(async () => (await see(page)).status).toMatch(/^(idle|interrupted)$/);
  const { texts, outcome } = await see(page);
  await page.close();
  const problems: string[] = [];
  if (outcome !== 'completed') problems.push(`the run ended as ${outcome}`);
  if (texts[1] !== wordsOf(length)) problems.push(`of ${length} words there are ${texts[1]?.split(' ').length}`);
  if (heard.requests.length !== 1) problems.push(`${heard.requests.length} requests`);
  if ((back.texts[1] ?? '') === '') problems.push('nothing was answered without a page');
  return problems.map((problem) => `seed ${seed}, round ${nth}, ${seconds} s alone: ${problem}`);
}

describe('a run without any page', () => {
  test(
    `loses no word in ${least} to ${most} s (${rounds} rounds, seed ${seed})`,
    async () => {
      if (!(await outlivesPages())) return;
      const problems: string[] = [];
      let next = 0;
      const turn = async (): Promise<void> => {
        while (next < rounds) problems.push(...(await play(next++)));
      };
      await Promise.all(Array.from({ length: atOnce }, turn));
      expect(problems).toEqual([]);
    },
    hour,
  );

  test.each(isLong ? [4_500] : [])(
    'is interrupted when the browser ends its worker, and resumes: an answer of %i words',
    async (length) => {
      const { heard, visit, begin, open } = stage();
      const first = await visit();
      const id = await begin(first, `count ${length}`);
      await pause(3_000);
      const left = Date.now();
      await first.close();
      const stopped = await heard.left;
      console.info(`The browser ended the worker ${((stopped - left) / 1_000).toFixed(1)} s after its last page.`);
      const page = await visit();
      await open(page, id);
      await eventually(async () => (await see(page)).outcome).toBe('interrupted');
      const kept = ((await see(page)).texts[1] ?? '').trim().split(' ').length;
      console.info(`${kept} of ${heard.said} words are stored.`);
      expect(wordsOf(length).startsWith((await see(page)).texts[1] ?? '')).toBe(true);
      expect(heard.said - kept).toBeLessThanOrEqual(3);
      expect(await page.evaluate(() => globalThis.outliving.resume())).toBe('completed');
      expect(heard.requests).toHaveLength(2);
      await page.close();
    },
    hour,
  );
});
