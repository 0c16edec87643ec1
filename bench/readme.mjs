// Writes the numbers of results.json into README.md, here and at the root.
//
//   node bench/readme.mjs            writes them
//   node bench/readme.mjs --check    fails where they differ

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findOld } from './age.mjs';
import { insert, toOverview, toTables } from './tables.mjs';
import { works } from './work.mjs';

/** @type {import('./results.mjs').Results} */
const results = JSON.parse(readFileSync(new URL('results.json', import.meta.url), 'utf8'));

const documents = [
  { url: new URL('README.md', import.meta.url), name: 'results', text: toTables(works, results) },
  { url: new URL('../README.md', import.meta.url), name: 'numbers', text: toOverview(works, results) },
];

for (const { url, name, text } of documents) {
  const is = readFileSync(url, 'utf8');
  const should = insert(is, name, text);
  if (is === should) continue;
  const path = fileURLToPath(url);
  if (process.argv.includes('--check')) {
    console.error(`${path} differs from bench/results.json: run node bench/readme.mjs.`);
    process.exitCode = 1;
  } else {
    writeFileSync(url, should);
    console.log(`Written: ${path}`);
  }
}

if (process.argv.includes('--check'))
  for (const line of findOld(works, results)) {
    console.error(line);
    process.exitCode = 1;
  }
