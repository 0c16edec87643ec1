import type { AddressInfo } from 'node:net';
import { preview } from 'vite';
import type { Mutation } from '../../../scripts/mutation.mjs';
import { buildPage, type Mode } from './build-page.ts';

export interface Site {
  /** An unused address of the page, with storages of its own. Ends with a slash. */
  freshURL(): string;
  stop(): Promise<void>;
}

/**
 * Serves a page, which is built once for all files of the run.
 *
 * @param mutations changes of the sources with which it is built
 */
export async function startSite(root: string, mode: Mode, mutations: readonly Mutation[] = []): Promise<Site> {
  const server = await preview({
    configFile: false,
    root,
    logLevel: 'warn',
    build: { outDir: await buildPage(root, mode, mutations) },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const { port } = server.httpServer.address() as AddressInfo;
  return {
    freshURL: () => `http://${crypto.randomUUID()}.localhost:${port}/`,
    stop: () => server.close(),
  };
}
