// Weighs what a page loads of Brooklet: built by Vite and by esbuild for production, each file gzipped for itself. React is left
// out; everything else that a chunk holds counts (rxjs, idb, react-query). The limits are in pages.mjs, and move only with a line in
// docs/decisions.md. The own code of each entry is weighed by size-limit (.size-limit.mjs).
//
//   node scripts/check-sizes.mjs             fails beyond a limit; requires a build
//   node scripts/check-sizes.mjs --chunks    names every chunk, too

import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { build } from 'vite';
import { loadedByFirstAnswer, owed, pages } from './pages.mjs';

/**
 * @typedef {object} Chunk
 * @property {string} file
 * @property {number} size bytes, gzip
 * @property {string | undefined} module the module that an `import()` names, as a path in dist/ without its ending
 * @property {boolean} isEntry
 * @property {readonly string[]} imports files that are loaded with it
 */

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const define = { 'process.env.NODE_ENV': '"production"' };
const react = /^react(-dom)?(\/|$)/;

/** @param {string | Uint8Array} code */
const weigh = (code) => gzipSync(code, { level: 9 }).length;

/** @param {string} path absolute */
const toModule = (path) => relative(dist, path).replaceAll('\\', '/').replace(/\.js$/, '');

/** A page that uses what it imports, as a page does: what it does not use is shaken away. @param {Record<string, readonly string[]>} uses */
function toSource(uses) {
  const imports = Object.entries(uses).map(
    ([path, names]) => `import { ${names.join(', ')} } from '${dist}/${path}.js';`,
  );
  return `${imports.join('\n')}\nglobalThis.page = [${Object.values(uses).flat().join(', ')}];`;
}

/**
 * Without Vite's own loader of chunks (0.7 kB): every page with an `import()` of its own has it already.
 *
 * @param {string} source
 * @returns {Promise<readonly Chunk[]>}
 */
async function withVite(source) {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'page',
        enforce: 'pre',
        resolveId: (id) => (id === 'page' ? id : undefined),
        load(id) {
          if (id === 'page') return source;
          return id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load();' : undefined;
        },
      },
    ],
    build: { write: false, target: 'es2022', rolldownOptions: { input: 'page', external: [react] } },
  });
  const output = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  return output.flatMap((file) => {
    if (file.type !== 'chunk') return [];
    const { fileName, code, isEntry, isDynamicEntry, facadeModuleId, imports } = file;
    const module = isDynamicEntry && facadeModuleId !== null ? toModule(facadeModuleId) : undefined;
    return { file: fileName, size: weigh(code), module, isEntry, imports };
  });
}

/**
 * @param {string} source
 * @returns {Promise<readonly Chunk[]>}
 */
async function withEsbuild(source) {
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: source, resolveDir: dist, sourcefile: 'page' },
    absWorkingDir: dist,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    define,
    external: ['react', 'react-dom'],
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'warning',
  });
  return outputFiles.map(({ path, contents }) => {
    const file = relative(dist, path).replaceAll('\\', '/');
    const { entryPoint, imports = [] } = metafile.outputs[file] ?? {};
    const isEntry = entryPoint === 'page';
    return {
      file,
      size: weigh(contents),
      module: isEntry || entryPoint === undefined ? undefined : entryPoint.replace(/\.js$/, ''),
      isEntry,
      imports: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path),
    };
  });
}

/**
 * Chunks, and all that is loaded with them.
 *
 * @param {readonly Chunk[]} all
 * @param {readonly Chunk[]} some
 */
function withImports(all, some) {
  const loaded = new Set(some);
  // The iteration includes chunks that are added meanwhile.
  for (const { imports } of loaded) for (const chunk of all) if (imports.includes(chunk.file)) loaded.add(chunk);
  return [...loaded];
}

/** @param {readonly Chunk[]} chunks */
const sum = (chunks) => chunks.reduce((total, { size }) => total + size, 0);

/** @param {number} bytes */
const kB = (bytes) => (bytes / 1000).toFixed(2).padStart(5);

/** @param {string} what @param {number} size @param {number} limit */
function judge(what, size, limit) {
  const ceiling = owed[what];
  const isOver = size > (ceiling ?? limit);
  const word = isOver ? 'OVER' : size > limit ? 'owed' : 'ok  ';
  console.log(`${word}  ${kB(size)} of ${kB(limit)} kB gzip  ${what}`);
  if (isOver) process.exitCode = 1;
  if (ceiling === undefined || size > limit) return;
  console.log('      It is within its limit: take it out of `owed` in scripts/pages.mjs.');
  process.exitCode = 1;
}

for (const { name, uses, first, untilAnswer } of pages) {
  for (const [bundler, bundle] of /** @type {const} */ ([
    ['Vite', withVite],
    ['esbuild', withEsbuild],
  ])) {
    const chunks = await bundle(toSource(uses));
    const loaded = withImports(
      chunks,
      chunks.filter(({ isEntry }) => isEntry),
    );
    judge(`${name}: first load (${bundler})`, sum(loaded), first);
    if (untilAnswer !== undefined) {
      const deferred = loadedByFirstAnswer.map((module) => {
        const chunk = chunks.find((one) => one.module === module);
        if (!chunk)
          throw new Error(
            `${module} is no deferred module of this page: mend loadedByFirstAnswer in scripts/pages.mjs.`,
          );
        return chunk;
      });
      const transferred = withImports(chunks, [...loaded, ...deferred]);
      judge(`${name}: transferred until the first stored answer (${bundler})`, sum(transferred), untilAnswer);
    }
    if (!process.argv.includes('--chunks')) continue;
    for (const chunk of chunks) {
      const when = loaded.includes(chunk) ? 'first load' : (chunk.module ?? 'shared');
      console.log(`      ${kB(chunk.size)}  ${when} (${chunk.file})`);
    }
  }
}
