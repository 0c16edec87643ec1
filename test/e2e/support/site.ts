import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, preview } from 'vite';
import { mutating, type Mutation } from '../../../scripts/mutation.mjs';
import { viewer } from '../../../scripts/viewer.mjs';
import { alias } from '../../../vite.config.ts';

export interface Site {
  /** An unused address of the page, with storages of its own. Ends with a slash. */
  freshURL(): string;
  stop(): Promise<void>;
}

/** `development` includes React's checks, and StrictMode mounts twice. */
export type Mode = 'development' | 'production';

/**
 * Builds a page once and serves it.
 *
 * @param mutations changes of the sources with which it is built
 */
export async function startSite(root: string, mode: Mode, mutations: readonly Mutation[] = []): Promise<Site> {
  const outDir = await mkdtemp(join(tmpdir(), 'brooklet-site-'));
  const shared = { configFile: false, root, logLevel: 'warn' } as const;
  const { NODE_ENV } = process.env;
  // Vite gives this variable priority over the mode.
  process.env.NODE_ENV = mode;
  try {
    await build({
      ...shared,
      mode,
      plugins: [mutating(mutations), react(), viewer()],
      resolve: { alias },
      build: { outDir, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 5_000, manifest: 'manifest.json' },
    });
  } catch (error) {
    await rm(outDir, { recursive: true, force: true });
    throw error;
  } finally {
    process.env.NODE_ENV = NODE_ENV;
  }
  const server = await preview({ ...shared, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  const { port } = server.httpServer.address() as AddressInfo;
  return {
    freshURL: () => `http://${crypto.randomUUID()}.localhost:${port}/`,
    async stop() {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
