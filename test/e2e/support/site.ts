import type { Mutation } from '../../../scripts/mutation.mjs';
import { serve } from '../../../scripts/serve-folder.mjs';
import { buildPage, type Mode } from './build-page.ts';

export interface Site {
  /** An unused address of the page, with storages of its own. Ends with a slash. */
  freshURL(): string;
  stop(): void;
}

/**
 * Serves a page, which is built once for all files of the run.
 *
 * @param mutations changes of the sources with which it is built
 */
export async function startSite(root: string, mode: Mode, mutations: readonly Mutation[] = []): Promise<Site> {
  const { port, stop } = await serve(await buildPage(root, mode, mutations));
  return {
    freshURL: () => `http://${crypto.randomUUID()}.localhost:${port}/`,
    stop,
  };
}
