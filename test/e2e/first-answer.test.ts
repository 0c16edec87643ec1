import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { setStage } from './support/stage.ts';

const folder = new URL('support/first-answer', import.meta.url);
const stage = setStage(folder);

/** Modules behind an `import()`, as paths in src/ without their ending. */
const loadedByFirstAnswer = [
  'core/session/steps',
  'core/session/store-replication',
  'llm/wires/chat-completions/wire',
  'storage/indexeddb/database-store',
];

it('loads, until its first answer is stored, no other deferred module than what stores and what asks', async () => {
  stage.wire.mock.onMessage('Hello', { content: 'Hello to you.' });
  const { page } = await stage.browser.open(stage.freshURL());
  await page.getByRole('button', { name: 'Send' }).click();
  await eventually(() => page.getByRole('status').textContent()).toBe('answered and stored');
  expect(await page.getByText('Hello to you.').count()).toBe(1);

  const { known, deferred } = await page.evaluate(async () => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    const response = await fetch(`${location.origin}/manifest.json`);
    // Vite's own file.
    const manifest = (await response.json()) as Record<
      string,
      { file: string; src?: string; isDynamicEntry?: boolean }
    >;
    const entries = Object.values(manifest).filter(({ isDynamicEntry }) => isDynamicEntry);
    return {
      known: entries.length,
      deferred: entries
        .filter(({ file }) => loaded.some((url) => url.endsWith(`/${file}`)))
        .map(({ file, src = file }) => src),
    };
  });

  expect(known).toBeGreaterThan(0);
  // `src` is relative to the page's folder.
  const modules = deferred.map((path) =>
    posix.join('test/e2e/support/first-answer', path).replace(/^src\/|\.tsx?$/g, ''),
  );
  expect(modules.toSorted()).toEqual(loadedByFirstAnswer);
});
