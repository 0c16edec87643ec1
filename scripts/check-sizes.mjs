// Weighs what a user's page loads of Brooklet before it can show a chat: built by Vite for production, gzipped. React is
// left out, the page has it anyway. Parts that are loaded when they are first needed (`import()`) are told
// beside it. The own code of each entry is weighed by size-limit (.size-limit.mjs).

import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** @param {string} path */
const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const page = {
  [at('../dist/index.js')]: ['createAgent', 'createChatCompletionsClient'],
  [at('../dist/storage/index.js')]: ['createIndexedDBStore'],
  [at('../dist/react/index.js')]: ['AgentProvider', 'useChat', 'useSession'],
};

const pages = [
  { name: 'a chat: agent, chat client, IndexedDB store, hooks, with rxjs', uses: page, limit: 28_500 },
  {
    name: 'the same with tools',
    uses: { ...page, [at('../dist/index.js')]: ['createAgent', 'createChatCompletionsClient', 'defineTool'] },
    limit: 31_700,
  },
];

/** A page that uses what it imports, as a page does: what it does not use is shaken away. @param {Record<string, string[]>} uses */
function toSource(uses) {
  const imports = Object.entries(uses).map(([path, names]) => `import { ${names.join(', ')} } from '${path}';`);
  return `${imports.join('\n')}\nglobalThis.page = [${Object.values(uses).flat().join(', ')}];`;
}

/**
 * Without Vite's own loader of chunks (0.7 kB): it comes with the first lazy part of a page, whosever that is.
 *
 * @param {string} source
 */
async function bundle(source) {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
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
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: 'page', external: [/^react(-dom)?(\/|$)/] },
    },
  });
  return [result].flat().flatMap((one) => ('output' in one ? one.output.filter((file) => file.type === 'chunk') : []));
}

/** @param {string} code */
const weigh = (code) => gzipSync(code, { level: 9 }).length;

for (const { name, uses, limit } of pages) {
  const chunks = await bundle(toSource(uses));
  const first = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of first) for (const one of chunks) if (imports.includes(one.fileName)) first.add(one);
  const size = [...first].reduce((sum, { code }) => sum + weigh(code), 0);
  console.log(`${size > limit ? 'OVER' : 'ok'}  ${(size / 1000).toFixed(2)} of ${limit / 1000} kB gzip  ${name}`);
  for (const chunk of chunks)
    if (!first.has(chunk)) console.log(`      ${(weigh(chunk.code) / 1000).toFixed(2)} when needed: ${chunk.name}`);
  if (size > limit) process.exitCode = 1;
}
