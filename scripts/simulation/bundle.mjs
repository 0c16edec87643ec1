// Bundles the simulation with the sources of the package into one script. Within it the timers, the clock and the locks of the
// platform are virtual, and an `import()` takes no real time.

import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { entries, root } from '../manifest.mjs';
import { mutated } from '../mutation.mjs';

/** The source of each entry of the package, by its name. */
const sources = new Map(entries.map(({ name, module }) => [name, `${root}src/${module}.ts`]));

/** What the bundle finds in place of the platform's own; `test/simulation/virtual-globals.ts` installs it. */
const define = {
  setTimeout: 'virtualGlobals.setTimeout',
  setInterval: 'virtualGlobals.setInterval',
  clearTimeout: 'virtualGlobals.clear',
  clearInterval: 'virtualGlobals.clear',
  'globalThis.setImmediate': 'virtualGlobals.setImmediate',
  'globalThis.navigator': 'virtualGlobals.navigator',
  'Date.now': 'virtualGlobals.now',
};

/**
 * Returns the text of a script that assigns the exports of a play to `simulation`.
 *
 * @param {string} entry the module with the play
 * @param {readonly import('../mutation.mjs').Mutation[]} mutations applied to the sources; the files stay unchanged
 * @throws Error if the sources do not contain the original text exactly once
 */
export async function bundleSimulation(entry, mutations) {
  const missing = new Set(mutations);
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'iife',
    globalName: 'simulation',
    target: 'node20',
    // A play with a planted bug is to fail: nobody reads where.
    sourcemap: mutations.length > 0 ? false : 'inline',
    sourcesContent: false,
    define,
    plugins: [
      {
        name: 'sources',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^brooklet(\/|$)/ }, ({ path }) => ({ path: sources.get(path) ?? path }));
          if (mutations.length > 0)
            onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
              const found = mutations.filter(({ file }) => path === root + file);
              if (found.length === 0) return undefined;
              const code = await readFile(path, 'utf8');
              for (const mutation of found) missing.delete(mutation);
              return { contents: found.reduce(mutated, code), loader: 'ts' };
            });
        },
      },
    ],
  });
  if (missing.size > 0) throw new Error(`${[...missing].map(({ file }) => file).join()} is no part of the simulation.`);
  return outputFiles[0]?.text ?? '';
}
