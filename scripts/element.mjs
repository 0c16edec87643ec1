// Builds the element with its runtime, Preact, inside (decision 320): for bundlers, where the core stays that of the package, and as one file with everything.

import { join, relative } from 'node:path';
import { build } from 'vite';
import { manifest, root } from './manifest.mjs';
import { preactAlias } from './preact.mjs';

const src = join(root, 'src');

/** Rooms whose code is compiled for the runtime. All others are the same for any page. */
const compiled = /^(?:element|ui|react)\//;

/** Leaves the modules of the other rooms where the package has them. @param {string} folder of the file, from dist/ @returns {import('vite').Plugin} */
const sharing = (folder) => ({
  name: 'sharing',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (importer === undefined || !source.startsWith('.')) return undefined;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    const path = found && relative(src, found.id);
    if (!path || path.startsWith('..') || compiled.test(path)) return found;
    const target = relative(folder, path.replace(/\.tsx?$/, '.js')).replaceAll('\\', '/');
    return { id: target.startsWith('.') ? target : `./${target}`, external: true };
  },
});

/**
 * @param {object} options
 * @param {string} options.outDir
 * @param {readonly import('vite').Plugin[]} [options.plugins]
 * @param {boolean} options.isStandalone whether everything is in the file, which is minified then
 */
export async function buildElement({ outDir, plugins = [], isStandalone }) {
  const packages = Object.keys(manifest.dependencies);
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [...(isStandalone ? [] : [sharing('element')]), ...plugins],
    resolve: { alias: preactAlias },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      cssTarget: 'es2022',
      cssMinify: true,
      minify: isStandalone,
      modulePreload: false,
      rolldownOptions: {
        input: join(src, isStandalone ? 'element/standalone.ts' : 'element/index.ts'),
        preserveEntrySignatures: 'strict',
        external: (id) => !isStandalone && packages.some((name) => id === name || id.startsWith(`${name}/`)),
        output: {
          format: 'es',
          entryFileNames: isStandalone ? 'brooklet-chat.min.js' : 'element/index.js',
          codeSplitting: false,
        },
      },
    },
  });
}
