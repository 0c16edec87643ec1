// Bundles the simulation with the sources of the package into one script. Within it the timers, the clock and the locks of the
// platform are virtual, and an `import()` takes no real time: with Vitest and Vite it does, and the same seed would play differently. A planted bug is a
// change of the text while it is bundled. Each seed evaluates the bundle again: code that an earlier seed has loaded would take fewer turns.

import { readFile } from 'node:fs/promises';
import { build, context } from 'esbuild';
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
  BroadcastChannel: 'virtualGlobals.BroadcastChannel',
  'globalThis.navigator': 'virtualGlobals.navigator',
  'Date.now': 'virtualGlobals.now',
  addEventListener: 'virtualGlobals.addEventListener',
  'globalThis.addEventListener': 'virtualGlobals.addEventListener',
  removeEventListener: 'virtualGlobals.removeEventListener',
  'globalThis.removeEventListener': 'virtualGlobals.removeEventListener',
  document: 'virtualGlobals.document',
  'globalThis.document': 'virtualGlobals.document',
};

/** The module with each play, by its name. @type {Readonly<Record<string, string | undefined>>} */
const plays = {
  tabs: 'test/simulation/play.ts',
  replica: 'test/replica/play/play.ts',
  hostile: 'test/replica/play/hostile.ts',
  tree: 'test/simulation/tree/play.ts',
};

/** @param {string} play @throws Error for an unknown name */
function entryOf(play) {
  const entry = plays[play];
  if (entry === undefined) throw new Error(`--play is one of ${Object.keys(plays).join(', ')}, and not ${play}.`);
  return entry;
}

/**
 * @param {string} play
 * @param {{ current: readonly import('../mutation.mjs').Mutation[], missing: Set<import('../mutation.mjs').Mutation> }} planted `missing` loses
 *   each mutation whose file is loaded
 * @param {boolean} hasMap whether the script says where its errors are in the sources
 * @returns {import('esbuild').BuildOptions & { write: false }}
 */
const optionsOf = (play, planted, hasMap) => ({
  absWorkingDir: root,
  entryPoints: [entryOf(play)],
  bundle: true,
  write: false,
  platform: 'node',
  format: 'iife',
  globalName: 'simulation',
  target: 'node20',
  sourcemap: hasMap ? 'inline' : false,
  sourcesContent: false,
  define,
  plugins: [
    {
      name: 'sources',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^brooklet(\/|$)/ }, ({ path }) => ({ path: sources.get(path) ?? path }));
        onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
          const found = planted.current.filter(({ file }) => path === root + file);
          if (found.length === 0) return undefined;
          const code = await readFile(path, 'utf8');
          for (const mutation of found) planted.missing.delete(mutation);
          return { contents: found.reduce(mutated, code), loader: 'ts' };
        });
      },
    },
  ],
});

/** @param {Set<import('../mutation.mjs').Mutation>} missing */
function expectAll(missing) {
  if (missing.size > 0) throw new Error(`${[...missing].map(({ file }) => file).join()} is no part of the simulation.`);
}

/**
 * Returns the text of a script that assigns the exports of a play to `simulation`.
 *
 * @param {string} play
 * @param {readonly import('../mutation.mjs').Mutation[]} mutations applied to the sources; the files stay unchanged
 * @throws Error if the sources do not contain the original text exactly once
 */
export async function bundleSimulation(play, mutations) {
  const planted = { current: mutations, missing: new Set(mutations) };
  // A play with a planted bug is to fail: nobody reads where.
  const { outputFiles } = await build(optionsOf(play, planted, mutations.length === 0));
  expectAll(planted.missing);
  return outputFiles[0]?.text ?? '';
}

/**
 * Returns a function that does the same as `bundleSimulation` for one play and many sets of mutations, one after the other. It reads the
 * sources that stay the same once.
 *
 * @param {string} play
 */
export async function createBundler(play) {
  /** @type {{ current: readonly import('../mutation.mjs').Mutation[], missing: Set<import('../mutation.mjs').Mutation> }} */
  const planted = { current: [], missing: new Set() };
  const { rebuild } = await context(optionsOf(play, planted, false));
  return async (/** @type {readonly import('../mutation.mjs').Mutation[]} */ mutations) => {
    planted.current = mutations;
    planted.missing = new Set(mutations);
    const { outputFiles } = await rebuild();
    expectAll(planted.missing);
    return outputFiles[0]?.text ?? '';
  };
}
