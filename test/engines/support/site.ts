import { fileURLToPath } from 'node:url';
import { serve } from '../../../scripts/serve-folder.mjs';
import { buildPage } from '../../e2e/support/build-page.ts';
import { during } from '../../e2e/support/stage.ts';

/** Serves a page of this folder for the tests of a file. The test files of a run build it once. Returns its address, which ends with a slash. */
export function servePage(name: 'chat' | 'floor' | 'parts'): () => string {
  const site = during(
    async () => serve(await buildPage(fileURLToPath(new URL(name, import.meta.url)), 'production', [])),
    (its) => its.stop(),
  );
  return () => site().url;
}
