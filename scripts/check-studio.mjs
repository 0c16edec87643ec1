// Weighs what Studio loads before it shows a conversation: its scripts without those behind an `import()`, and its styles, each file
// gzipped for itself. Fails beyond a limit, and where a script waits while it is evaluated (scripts/top-level-await.mjs).
//
// A limit has a tenth of room above what was weighed when it was set: it finds a dialog or a language that slips into the first load, which weighs
// more than that. It rises with what a chat gains, never to the present weight.
//
//   node scripts/check-studio.mjs             fails beyond a limit, and at a wait
//   node scripts/check-studio.mjs --modules   names the heaviest packages and folders, too

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { hasTopLevelAwait } from './top-level-await.mjs';

/** Bytes, gzip. Most styles are those of `brooklet/ui`, of all its parts. */
const limits = { scripts: 197_000, styles: 14_000 };
const root = fileURLToPath(new URL('..', import.meta.url));

/** @typedef {Exclude<Awaited<ReturnType<typeof build>>, { close(): unknown }>} Result */

const outDir = await mkdtemp(join(tmpdir(), 'brooklet-weighed-'));
const result = await build({
  configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
  logLevel: 'error',
  build: { outDir },
});
await rm(outDir, { recursive: true, force: true });
const files = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
const chunks = files.flatMap((file) => (file.type === 'chunk' ? [file] : []));
const page = files.find(({ fileName }) => fileName === 'index.html');
const html = page?.type === 'asset' ? String(page.source) : '';
/** Whether the page names the file. @param {{ readonly fileName: string }} file */
const isNamed = ({ fileName }) => html.includes(fileName);
const loaded = new Set(chunks.filter(isNamed));
// The iteration includes chunks that are added meanwhile.
for (const { imports } of loaded) for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk);
if (loaded.size === 0) throw new Error('The page names none of the scripts: mend scripts/check-studio.mjs.');

const styles = files.flatMap((file) =>
  file.type === 'asset' && file.fileName.endsWith('.css') && isNamed(file) ? [String(file.source)] : [],
);
judge(
  'scripts',
  [...loaded].map(({ code }) => code),
);
judge('styles', styles);

for (const { fileName } of chunks.filter(({ code }) => hasTopLevelAwait(code))) {
  console.log(`WAITS  ${fileName} has an \`await\` at its top level: WebKit runs what needs it too early.`);
  process.exitCode = 1;
}

if (process.argv.includes('--modules')) {
  /** @type {Map<string, string>} */
  const groups = new Map();
  for (const { modules } of loaded)
    for (const [id, { code }] of Object.entries(modules))
      groups.set(groupOf(id), `${groups.get(groupOf(id)) ?? ''}${code ?? ''}`);
  const rows = [...groups].map(([name, code]) => /** @type {const} */ ([name, weigh(code)]));
  console.log('      Before minification, gzip:');
  for (const [name, bytes] of rows.toSorted((a, b) => b[1] - a[1]).slice(0, 40))
    console.log(`      ${kB(bytes)}  ${name}`);
}

/** @param {keyof typeof limits} what @param {readonly string[]} texts */
function judge(what, texts) {
  const size = texts.reduce((sum, text) => sum + weigh(text), 0);
  const isOver = size > limits[what];
  console.log(`${isOver ? 'OVER' : 'ok  '}  ${kB(size)} of ${kB(limits[what])} kB gzip  Studio: first load, ${what}`);
  if (isOver) process.exitCode = 1;
}

/** @param {string} id */
function groupOf(id) {
  const [, inPackage] = id.split(/node_modules\/(?!.*node_modules\/)/);
  if (inPackage !== undefined)
    return inPackage
      .split('/')
      .slice(0, inPackage.startsWith('@') ? 2 : 1)
      .join('/');
  return relative(root, id).split('/').slice(0, 3).join('/');
}

/** @param {string} text */
function weigh(text) {
  return gzipSync(text, { level: 9 }).length;
}

/** @param {number} bytes */
function kB(bytes) {
  return (bytes / 1000).toFixed(2).padStart(6);
}
