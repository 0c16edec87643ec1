// Weighs the package as a page gets it: bundled by esbuild into one file, minified, gzipped. All that is bundled counts (rxjs, idb), except
// peer dependencies. The limits are in scripts/sizes.mjs, and rise only with the table of decision 250.
//
//   node scripts/check-sizes.mjs             fails beyond a limit; requires a build
//   node scripts/check-sizes.mjs --modules   names the heaviest modules of each row, too

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { entries, manifest, peers, root } from './manifest.mjs';
import { chat, findFaults, limitsPage, rows } from './sizes.mjs';

const dist = `${root}dist`;
const external = peers.flatMap((name) => [name, `${name}/*`]);

/** Entries by their path in `exports`, with the path of their module in dist/. */
const moduleOf = new Map(entries.map(({ name, module }) => [name.slice(manifest.name.length + 1) || '.', module]));

/** A page keeps what it uses: without a use, the bundler drops an import. */
const chatPage = Object.entries(chat)
  .map(
    ([path, names]) => `import { ${names.join(', ')} } from './${path}.js';\nglobalThis.used = [${names.join(', ')}];`,
  )
  .join('\n');

/** @param {string} entry @param {number} index */
const useAll = (entry, index) =>
  `import * as entry${index} from './${moduleOf.get(entry)}.js';\nglobalThis.used = entry${index};`;

/** @param {string} source @returns {Promise<{ readonly bytes: number, readonly inputs: ReadonlyMap<string, number> }>} */
async function bundle(source) {
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: source, resolveDir: dist, sourcefile: 'page' },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    external,
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).map(([path, { bytesInOutput }]) => /** @type {const} */ ([path, bytesInOutput])),
  );
  return { bytes: outputFiles.reduce((sum, { contents }) => sum + weigh(contents), 0), inputs: new Map(inputs) };
}

/** @param {Uint8Array} code */
const weigh = (code) => gzipSync(code, { level: 9 }).length;

/** @param {number} bytes */
const kB = (bytes) => (bytes / 1_000).toFixed(1).padStart(5);

const alone = await bundle(chatPage);

for (const { name, limit, file, entries: some } of rows) {
  const page = some && (await bundle([chatPage, ...some.map(useAll)].join('\n')));
  const bytes =
    file === undefined ? (page ? page.bytes - alone.bytes : alone.bytes) : weigh(readFileSync(`${dist}/${file}`));
  const isOver = bytes > limit;
  console.log(
    `${isOver ? 'OVER' : 'ok  '}  ${page ? '+' : ' '}${kB(bytes)} of ${kB(limit)} kB gzip  ${name}${some ? `: ${some.join(', ')}` : ''}`,
  );
  if (isOver) process.exitCode = 1;
  if (!process.argv.includes('--modules') || file !== undefined) continue;
  const added = [...(page ?? alone).inputs].filter(([path]) => !page || !alone.inputs.has(path));
  for (const [path, size] of added.toSorted((one, other) => other[1] - one[1]).slice(0, 20))
    console.log(`        ${kB(size)} kB minified  ${path}`);
}

const decisions = readFileSync(`${root}${limitsPage}`, 'utf8');
for (const fault of findFaults(rows, decisions, [...moduleOf.keys()])) {
  console.error(fault);
  process.exitCode = 1;
}
