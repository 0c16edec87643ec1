// Builds dist/: declarations by tsc, one file a module; code by Vite, readable and with source maps, in few files. Builds nothing where dist/ is
// what the sources make already (scripts/is-built.mjs).
//
// A bundler assigns whole files to what a page loads first and later. So code that a page loads together is one file: a room of `rooms`.
// A module that an `import()` names keeps its path in src/. Pages without a bundler use brooklet.min.js, which is one file.

import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { isBuilt, noteBuild } from './is-built.mjs';
import { entries, manifest, root } from './manifest.mjs';
import { viewer } from './viewer.mjs';

/**
 * Files of shared code: the modules named, with all that they import and no earlier room has.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const rooms = {
  // What every page with an agent loads first.
  core: [
    'core/agent/create-agent.ts',
    'llm/wires/chat-completions/client.ts',
    'storage/define-store.ts',
    'storage/verbs.ts',
  ],
  'storage-errors': ['storage/storage-errors.ts', 'storage/cursor.ts'],
  memory: ['storage/memory.ts', 'storage/files/pause.ts'],
  'indexeddb-store': ['storage/indexeddb-store.ts'],
  nats: ['sync/nats/create-nats-store.ts', 'sync/nats/stream-config.ts', 'sync/nats/prune-stream.ts'],
  // What the tools' entry and the imports of files both have.
  readers: ['history/claude-code.ts', 'history/codex.ts', 'history/gemini-cli.ts'],
  files: [
    'storage/files/export.ts',
    'storage/files/read-export.ts',
    'storage/files/import.ts',
    'storage/files/import-messages.ts',
    'storage/files/history/import-history.ts',
    'storage/files/history/recognize-file.ts',
    'storage/files/markdown.ts',
  ],
};

/**
 * Modules that an entry names and that `users`, behind an `import()`, use as well. They are in dist/ twice: esbuild loads each file that a
 * page reaches without an `import()`, whether or not the page uses it. Invariant: none of them has a state; a cache by identity is none.
 */
const twice = {
  modules: [
    'storage/memory.ts',
    'storage/storage-errors.ts',
    'storage/cursor.ts',
    'storage/search-text.ts',
    'storage/where.ts',
    'storage/files/pause.ts',
    'core/model/annotation.ts',
    'core/model/shapes/annotation-shape.ts',
    'core/context/prepare-request.ts',
    'core/context/visible-messages.ts',
    'core/model/fingerprint.ts',
    'core/model/fold.ts',
    'core/model/hash.ts',
    'core/model/data-url.ts',
    'core/model/partial-json.ts',
    'core/model/read-json.ts',
    'core/model/summary.ts',
    'core/model/tool-result.ts',
    'core/session/to-media-part.ts',
    'core/model/upcast.ts',
    'core/model/write-id.ts',
    'core/tools/approval-rules.ts',
    'core/tools/rejection.ts',
  ],
  /** Further modules that only a store with a codec has twice: what it shares with a store without one. */
  sealed: [
    'storage/changes.ts',
    'storage/indexeddb/blob-name.ts',
    'storage/indexeddb/blobs.ts',
    'storage/indexeddb/commit.ts',
    'storage/rows/fits.ts',
    'storage/rows/gapless.ts',
    'storage/indexeddb/keys.ts',
    'storage/indexeddb/open-database.ts',
    'storage/rows/rows.ts',
    'storage/indexeddb/schema.ts',
    'storage/rows/sealed-row.ts',
    'storage/rows/to-log.ts',
    'storage/rows/to-rows.ts',
  ],
  /** What alone a store over NATS has twice: the checks of rows, which the code of IndexedDB contains. */
  nats: [
    'core/model/shapes/waiting-shape.ts',
    'storage/rows/fits.ts',
    'storage/rows/lost-events.ts',
    'storage/rows/rows.ts',
    'storage/rows/to-log.ts',
    'storage/rows/waiting-mark.ts',
  ],
  users: {
    nats: /^(sync\/nats\/|.*\?nats)/,
    sealed: /^(storage\/sealed\/|.*\?sealed)/,
    later:
      /^(storage\/(indexeddb|rows)\/|review\/(?!replay|telemetry|viewer)|core\/context\/(?!prepare-request|visible-messages)|core\/model\/(deferred|salvage|snapshot)\.ts|core\/session\/decisions\.ts|react\/chatVerbs\.ts|.*\?later)/,
    steps: /^(core\/session\/(steps|run-loop|perform|reply|to-request)\.ts|.*\?steps)/,
    replication: /^core\/(session\/open-stored|log\/store-replica)\.ts/,
    // A page that shows text only loads a wire, and neither the context nor tools.
    wires: /^(llm\/(wires|transport)\/|.*\?wires)/,
    // A page that loads an entry with code for files, and uses none of it.
    files: /^(storage\/files\/|.*\?files)/,
  },
};

const src = join(root, 'src');
const dist = join(root, 'dist');

const packages = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

/** @param {string} path absolute */
const inSources = (path) => relative(src, path).replaceAll('\\', '/');

/** @returns {boolean} whether the declarations could be written */
function declare() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  return status === 0;
}

/** @type {import('vite').Plugin} */
const copies = {
  name: 'copies',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    const user = importer && Object.entries(twice.users).find(([, pattern]) => pattern.test(inSources(importer)));
    if (!user) return undefined;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    if (!found) return found;
    const module = inSources(found.id);
    const isTwice =
      user[0] === 'nats'
        ? twice.nats.includes(module)
        : twice.modules.includes(module) || (user[0] === 'sealed' && twice.sealed.includes(module));
    return isTwice ? `${found.id}?${user[0]}` : found;
  },
};

async function bundle() {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [copies, viewer()],
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      sourcemap: true,
      lib: {
        entry: Object.fromEntries(entries.map(({ module }) => [module, join(src, `${module}.ts`)])),
        formats: ['es'],
        fileName: (_format, name) => `${name}.js`,
      },
      rolldownOptions: {
        external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
        treeshake: { moduleSideEffects: false },
        output: {
          // A file imports only what it uses itself.
          hoistTransitiveImports: false,
          // Hooks need a browser: a server component that imports them renders them as client components.
          banner: ({ isEntry, name }) => (isEntry && name.startsWith('react/') ? `'use client';` : ''),
          chunkFileNames: ({ isDynamicEntry, facadeModuleId }) =>
            isDynamicEntry && facadeModuleId !== null
              ? inSources(facadeModuleId).replace(/\.tsx?$/, '.js')
              : 'shared/[name].js',
          codeSplitting: {
            groups: Object.entries(rooms).map(([name, modules], index, { length }) => ({
              name,
              priority: length - index,
              test: (id) => modules.includes(inSources(id)),
            })),
          },
        },
      },
    },
  });
}

/** What a page without a bundler imports: entries without a peer dependency, and of the tests' entry the client that needs no key. */
const standalone = [
  'index',
  'storage/index',
  'tools/index',
  'llm/providers/index',
  'llm/index',
  'keys/index',
  'review/index',
  'testing/scripted',
];

/** dist/brooklet.min.js: one file with all of these entries and the dependencies, for pages without a bundler. */
async function bundleStandalone() {
  const exports = standalone.map((module) => `export * from '${join(src, `${module}.ts`)}';`);
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [
      {
        name: 'standalone',
        enforce: 'pre',
        resolveId: (id) => (id === 'standalone' ? id : undefined),
        load: (id) => (id === 'standalone' ? exports.join('\n') : undefined),
      },
    ],
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: 'standalone',
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'brooklet.min.js', codeSplitting: false },
      },
    },
  });
}

for (const module of [...Object.values(rooms).flat(), ...twice.modules, ...twice.sealed, ...twice.nats])
  if (!existsSync(join(src, module)))
    throw new Error(`src/${module} does not exist: mend the lists of scripts/build.mjs.`);

/** dist/mcp/apps/sandbox.html: for pages that serve it as a file. */
async function writeSandbox() {
  /** @type {typeof import('../src/mcp/apps/index.ts')} */
  const { sandboxHtml } = await import(pathToFileURL(join(dist, 'mcp/apps/index.js')).href);
  writeFileSync(join(dist, 'mcp/apps/sandbox.html'), sandboxHtml);
}

if (isBuilt()) console.log('dist/ is what the sources make: nothing to build.');
else {
  rmSync(dist, { recursive: true, force: true });
  if (declare()) {
    await bundle();
    await bundleStandalone();
    await writeSandbox();
    noteBuild();
  } else process.exitCode = 1;
}
