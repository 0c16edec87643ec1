import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';

const source = readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] }>;
}

/** Returns what axe finds in the page, one line for each element. The devtools put axe into the page, past its CSP. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(await source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id}: ${String(target)} ${failureSummary.replaceAll(/\s+/gu, ' ')}`,
    ),
  );
}
