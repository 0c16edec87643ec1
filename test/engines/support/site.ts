import { fileURLToPath } from 'node:url';
import { serve } from '../../../scripts/serve-folder.mjs';
import { buildPage } from '../../e2e/support/build-page.ts';
import { during } from '../../e2e/support/stage.ts';

const folders = {
  chat: 'chat',
  floor: 'floor',
  nats: '../../e2e/support/nats',
  'nats-replica': '../../e2e/support/replica',
  notify: '../../e2e/support/notify',
  outliving: '../../e2e/support/outliving',
  parts: 'parts',
  locks: 'locks',
  'sign-in': 'sign-in',
  'rooms-review': 'rooms-review',
  'rooms-sync': 'rooms-sync',
  'rooms-tools': 'rooms-tools',
  readme: '../../e2e/support/first-chat/react',
  ui: 'ui',
  verbs: 'verbs',
};

/**
 * Serves a page for the tests of a file. The test files of a run build it once. Returns its address, which ends with a slash.
 *
 * @param name `readme` is the first code of the README as it is printed there
 * @param headers of every response
 */
export function servePage(name: keyof typeof folders, headers: Readonly<Record<string, string>> = {}): () => string {
  const site = during(
    async () => serve(await buildSite(name), headers),
    (its) => its.stop(),
  );
  return () => site().url;
}

/** Returns the folder of a built page. */
export const buildSite = (name: keyof typeof folders): Promise<string> =>
  buildPage(fileURLToPath(new URL(folders[name], import.meta.url)), 'production', []);
