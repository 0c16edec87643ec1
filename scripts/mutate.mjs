// `npm run mutate -- sync`: changes the code in small ways, one at a time, and lists the changes that no test notices.
//
//   npm run mutate -- sync                                 one part (scripts/mutate/parts.mjs)
//   npm run mutate -- sync src/core/model/sync-lease.ts    some of its files
//
// All mutants are in the code at once, each behind a switch (Stryker's instrumenter), and all tests run in one process
// (scripts/mutate/runner.ts). A mutant that hangs the process ends it, and the rest continues in the next one.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { instrument } from './mutate/instrument.mjs';
import { chosenPart } from './mutate/parts.mjs';
import { runTests } from './mutate/run-tests.mjs';
import { readReport, toText } from './mutate/report.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [name = 'model', ...only] = process.argv.slice(2);
const { code, tests } = chosenPart(name);
const { sources, mutants } = await instrument(root, only.length > 0 ? only : code);

const folder = `${root}.cache/mutate/${name}`;
const places = { sources: `${folder}/sources.json`, report: `${folder}/report.jsonl` };
mkdirSync(folder, { recursive: true });
rmSync(places.report, { force: true });
writeFileSync(places.sources, JSON.stringify(sources));

/** @type {Set<string>} */
const hung = new Set();
for (;;) {
  const done = [...readReport(places.report, hung).noticed];
  if (await runTests(root, { ...places, tests, done })) break;
  const { last } = readReport(places.report, hung);
  if (last === undefined || hung.has(last)) throw new Error('The tests hang, and not because of a mutant.');
  hung.add(last);
}
console.log(toText(root, mutants, readReport(places.report, hung)));
