// Uses the devtools of a consumer's page, and opens the review that the page exports.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { watch } from './chat-page.mjs';
import { answer } from './servers.mjs';

/**
 * Opens and closes the drawer of the devtools, then the session as an HTML file, in a page of its own.
 *
 * @param {import('playwright').Page} page
 */
export async function inspect(page) {
  await page.getByRole('button', { name: 'Brooklet devtools' }).click();
  const drawer = page.getByRole('region', { name: 'Brooklet devtools' });
  await drawer
    .getByRole('button', { name: /run\.ended/ })
    .first()
    .waitFor();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await drawer.waitFor({ state: 'detached' });

  const folder = mkdtempSync(join(tmpdir(), 'brooklet-html-'));
  const other = await page.context().newPage();
  try {
    const problems = watch(other);
    const file = join(folder, 'review.html');
    writeFileSync(file, await page.evaluate('toHTML()').then(String));
    await other.goto(pathToFileURL(file).href);
    await other.getByRole('region', { name: 'What the person saw' }).getByText(answer).first().waitFor();
    if (problems.length > 0) throw new Error(`The exported review reported errors:\n${problems.join('\n')}`);
  } finally {
    await other.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
