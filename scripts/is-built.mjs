// Whether dist/ is what the sources make: `npm pack` and the tools that call it build the package each time, which takes ten seconds.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './manifest.mjs';

/** What the last build was made of, and what it made. Outside node_modules, which several checkouts may share. */
const note = join(root, '.cache/build.json');

/** All that a build reads. The lock file stands for the packages. */
const inputs = ['src', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** @param {readonly string[]} paths files and folders, from the project's root */
function digest(paths) {
  const hash = createHash('sha256').update(process.version);
  for (const path of paths.flatMap(listFiles)) hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function listFiles(path) {
  if (!existsSync(join(root, path))) return [];
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => listFiles(`${path}/${name}`));
}

/** Returns what a build is made of, and what is in dist/. */
function look() {
  const scripts = readdirSync(join(root, 'scripts')).filter((name) => name.endsWith('.mjs'));
  return JSON.stringify([digest([...inputs, ...scripts.sort().map((name) => `scripts/${name}`)]), digest(['dist'])]);
}

/** Whether a build would write what dist/ has. */
export const isBuilt = () => existsSync(note) && readFileSync(note, 'utf8') === look();

/** Notes that dist/ is what the sources make. */
export function noteBuild() {
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, look());
}
