import { createHash } from 'node:crypto';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { inject } from 'vitest';
import { mutating, type Mutation } from '../../../scripts/mutation.mjs';
import { studioFiles } from '../../../scripts/studio-files.mjs';
import { viewer } from '../../../scripts/viewer.mjs';
import { alias } from '../../../scripts/alias.mjs';
import { root as repository } from '../../../scripts/manifest.mjs';

/** `development` includes React's checks, and StrictMode mounts twice. */
export type Mode = 'development' | 'production';

/** Whether a page is Studio. Not compared with its path: scripts/graph.mjs takes a file that names a page for one that needs it. */
const isStudio = (root: string): boolean => relative(repository, root) === 'demo';

/** Returns the folder of a built page. Invariant: the test files of a run build a page once; a file that comes second waits. */
export async function buildPage(root: string, mode: Mode, mutations: readonly Mutation[]): Promise<string> {
  const name = createHash('sha256')
    .update(JSON.stringify([mode, root, mutations]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(inject('builds'), name);
  const lock = `${folder}.lock`;
  while (!(await exists(folder))) {
    if (!(await created(lock))) {
      await wait(50);
      continue;
    }
    try {
      // The file before may have ended its build since the first look.
      if (!(await exists(folder))) await buildInto(folder, root, mode, mutations);
    } finally {
      await rm(lock, { recursive: true });
    }
  }
  return folder;
}

/** Builds beside the folder and renames it, so that the folder is never a part of a page. */
async function buildInto(folder: string, root: string, mode: Mode, mutations: readonly Mutation[]): Promise<void> {
  const outDir = `${folder}.part`;
  const { NODE_ENV } = process.env;
  // Vite gives this variable priority over the mode.
  process.env.NODE_ENV = mode;
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'warn',
      mode,
      plugins: [mutating(mutations), react(), viewer()],
      resolve: { alias },
      // What a worker needs on demand is a file of its own.
      worker: { format: 'es' },
      build: {
        outDir,
        emptyOutDir: true,
        target: 'es2022',
        chunkSizeWarningLimit: 5_000,
        manifest: 'manifest.json',
        // The files of the Studio that is shipped.
        ...(isStudio(root) && { rolldownOptions: { output: studioFiles } }),
      },
    });
    await rename(outDir, folder);
  } finally {
    process.env.NODE_ENV = NODE_ENV;
  }
}

const exists = (path: string): Promise<boolean> => succeeds(access(path));
const created = (folder: string): Promise<boolean> => succeeds(mkdir(folder));

const succeeds = (done: Promise<unknown>): Promise<boolean> =>
  done.then(
    () => true,
    () => false,
  );
