import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';

const source = readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Axe {
  run(options: {
    resultTypes: readonly string[];
  }): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] }>;
}

/** Returns what axe finds in the page, one line for each element. The devtools put axe into the page, past its CSP. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await source);
  // The colours of an animation that has just begun are not those that a person reads.
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    return Promise.allSettled(ending.map(({ finished }) => finished));
  });
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe };
    // What passes is most of the page: it would be described, and sent to the test.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary = '' }) => `${id}: ${String(target)} ${failureSummary.replaceAll(/\s+/gu, ' ')}`,
      ),
    );
  });
}
