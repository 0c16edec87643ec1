import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildElement } from '../../../scripts/element.mjs';
import { serve } from '../../../scripts/serve-folder.mjs';
import { during } from '../../e2e/support/stage.ts';

/** The strictest policy that a page with an agent can have, but for its three script lines. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self'; img-src data:; connect-src http://127.0.0.1:*; require-trusted-types-for 'script'; trusted-types 'none'",
};

/** Serves the page with the one file of the element. Returns its address, which ends with a slash. */
export function serveElement(): () => string {
  const site = during(
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'brooklet-element-'));
      await buildElement({ outDir: folder, isStandalone: true });
      for (const page of ['index.html', 'hostile.html', 'hostile.css'])
        await copyFile(fileURLToPath(new URL(`element/${page}`, import.meta.url)), join(folder, page));
      const { url, stop } = await serve(folder, headers);
      return { url, stop: () => (stop(), rm(folder, { recursive: true, force: true })) };
    },
    (its) => its.stop(),
  );
  return () => site().url;
}
