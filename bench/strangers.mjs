// How long the page stands still while it reads the most that a stranger may send (the table of bounds in docs/threats.md): the longest part of the
// work between two turns, in ms, as the median of some runs with the lowest and the highest. Prints the rows of the table in bench/README.md.
//
//   node bench/strangers.mjs            all rows
//   node bench/strangers.mjs patch      those with the word

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const runs = 7;

const folder = mkdtempSync(join(tmpdir(), 'strangers-'));
const outfile = join(folder, 'bounded.mjs');
await build({
  stdin: {
    contents: `
      export { applyPatch } from './src/agui/json-patch.ts';
      export { createAGUIReader } from './src/agui/decode.ts';
      export { problemWith } from './src/core/tools/json-schema.ts';
      export { readTools } from './src/mcp/definition.ts';
      export { parseMessage } from './src/mcp/read-body.ts';
    `,
    resolveDir: root,
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  outfile,
  logLevel: 'error',
});
const { applyPatch, problemWith, readTools, parseMessage } = await import(pathToFileURL(outfile).href);
rmSync(folder, { recursive: true });

const item = (/** @type {number} */ index) => ({
  name: `tool_${index}`,
  description: 'd'.repeat(15_000),
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
});

/** The longest input of each kind: the work on it is one part. @type {readonly (readonly [what: string, prepare: () => () => unknown])[]} */
const works = [
  [
    'a JSON Patch of 20,000 operations',
    () => {
      const patch = Array.from({ length: 20_000 }, (_, index) => ({
        op: 'add',
        path: `/k${index % 500}`,
        value: index,
      }));
      return () => applyPatch({}, patch);
    },
  ],
  [
    'a JSON Patch that copies 250,000 entries',
    () => {
      const list = Array.from({ length: 60_000 }, (_, index) => index);
      const patch = Array.from({ length: 100 }, (_, index) => ({ op: 'copy', from: '/list', path: `/c${index}` }));
      const touch = patch.flatMap((one) => [one, { op: 'replace', path: `${one.path}/0`, value: 1 }]);
      return () => applyPatch({ list }, touch);
    },
  ],
  [
    'a check of an input by a schema, to its last step',
    () => {
      const schema = { type: 'string', pattern: '^(a+)+$' };
      const value = `${'a'.repeat(20_000)}b`;
      return () => problemWith(value, schema);
    },
  ],
  [
    'a message of 16 MB of an MCP server, one text',
    () => {
      const text = JSON.stringify({ result: { content: [{ type: 'text', text: 'x'.repeat(15_900_000) }] } });
      return () => parseMessage(text);
    },
  ],
  [
    'a message of 16 MB of an MCP server, a million numbers and words',
    () => {
      const values = Array.from({ length: 1_000_000 }, (_, index) => (index % 2 ? index : `word${index % 97}`));
      const text = JSON.stringify({ result: { values } });
      return () => parseMessage(text);
    },
  ],
  [
    'a list of 1,000 tools of 15 kB each',
    () => {
      const items = Array.from({ length: 1_000 }, (_, index) => item(index));
      return () => readTools(items);
    },
  ],
];

const words = process.argv.slice(2);
console.log(`| what | ms (median, lowest and highest of ${runs}) |\n| --- | ---: |`);
for (const [what, prepare] of works) {
  if (words.length > 0 && !words.some((word) => what.includes(word))) continue;
  const work = prepare();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  }).toSorted((one, other) => one - other);
  const [low = 0, middle = 0, high = 0] = [times[0], times[runs >> 1], times.at(-1)];
  console.log(`| ${what} | ${middle.toFixed(0)} (${low.toFixed(0)}–${high.toFixed(0)}) |`);
}
