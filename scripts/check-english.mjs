// Counts the turns of phrase in comments and messages, for each folder of src/. Fails where a folder has more than the limit, and prints each of
// them with its place and a plainer word.
//
//   node scripts/check-english.mjs          prints those of the folders beyond the limit
//   node scripts/check-english.mjs --all    prints those of all folders

import { readdirSync, readFileSync } from 'node:fs';
import { countByFolder, limit } from './english.mjs';
import { root } from './manifest.mjs';

const names = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' });
const paths = names.filter((name) => /\.tsx?$/.test(name)).map((name) => `src/${name.replaceAll('\\', '/')}`);
const folders = countByFolder(paths.toSorted().map((path) => [path, readFileSync(`${root}${path}`, 'utf8')]));

for (const { name, lines, hits, isOver } of folders) {
  if (isOver) process.exitCode = 1;
  if (!isOver && (hits.length === 0 || !process.argv.includes('--all'))) continue;
  console.log(`${isOver ? 'OVER' : 'ok  '}  ${name}: ${hits.length} in ${lines} comment lines`);
  for (const { path, line, turn, instead } of hits) console.log(`        ${path}:${line}  “${turn}”: ${instead}`);
}

const lines = folders.reduce((sum, folder) => sum + folder.lines, 0);
const hits = folders.reduce((sum, folder) => sum + folder.hits.length, 0);
console.log(
  `${hits} turns of phrase in ${lines} comment lines of ${folders.length} folders: at most ${limit} per 100 lines of each.`,
);
