// Weighs what a user's page loads of Brooklet: built by Vite for production, gzipped. React and react-query are left out, the
// page has them anyway. The parts are weighed by size-limit (.size-limit.mjs).

import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** @param {string} path */
const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const storage = `export { createIndexedDBStore } from '${at('../dist/storage/index.js')}';`;
const react = `export { AgentProvider, useChat, useSession, useSessions } from '${at('../dist/react/index.js')}';`;
/** @param {string[]} names */
const core = (...names) => `export { ${names.join(', ')} } from '${at('../dist/core/index.js')}';`;

const pages = [
  {
    name: 'a chat: agent, chat client, IndexedDB store, hooks, with rxjs and idb',
    source: [core('createAgent', 'createChatCompletionsClient'), storage, react].join('\n'),
    limit: 26_000,
  },
  {
    name: 'the same with defineTool and its JSON Schema check',
    source: [core('createAgent', 'createChatCompletionsClient', 'defineTool'), storage, react].join('\n'),
    limit: 27_500,
  },
];

/** @param {string} source @returns {Promise<string>} */
async function bundle(source) {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? id : undefined),
        load: (id) => (id === 'page' ? source : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: {
        input: 'page',
        external: [/^react(-dom)?(\/|$)/, '@tanstack/react-query'],
        preserveEntrySignatures: 'strict',
        output: { format: 'es', codeSplitting: false },
      },
    },
  });
  const [output] = [result].flat();
  const chunk = output && 'output' in output ? output.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('Vite has built nothing.');
  return chunk.code;
}

for (const { name, source, limit } of pages) {
  const size = gzipSync(await bundle(source), { level: 9 }).length;
  console.log(`${size > limit ? 'OVER' : 'ok'}  ${(size / 1000).toFixed(2)} of ${limit / 1000} kB gzip  ${name}`);
  if (size > limit) process.exitCode = 1;
}
