import { createServer } from 'vite';
import { root } from '../../scripts/manifest.mjs';
import { mutating, type Mutation } from '../../scripts/mutation.mjs';
import { alias } from '../../scripts/alias.mjs';

export type { Mutation };

/**
 * Loads a module and all its imports from this project again, as if the sources were changed; the files stay unchanged.
 *
 * @throws Error if the sources have changed and no longer contain the original text
 */
export async function withMutant(
  module: string,
  mutations: readonly Mutation[],
  work: (loaded: Record<string, unknown>) => Promise<void>,
): Promise<void> {
  const missing = new Set(mutations);
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    resolve: { alias },
    plugins: [mutating(mutations, missing)],
  });
  try {
    // Parts of the module may be loaded during `work`.
    await work(await server.ssrLoadModule(module));
    if (missing.size > 0) throw new Error(`${[...missing].map(({ file }) => file).join()} is no part of ${module}.`);
  } finally {
    await server.close();
  }
}
