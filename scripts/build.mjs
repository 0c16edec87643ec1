// Builds dist/: one file a module, with the names of src/: code by Vite, as readable as the sources, declarations by tsc. Builds nothing where
// dist/ is what the sources make already (scripts/is-built.mjs). Pages without a bundler use brooklet.min.js, which is one file, or brooklet-chat.min.js,
// which is the element.

import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { buildElement } from './element.mjs';
import { isBuilt, noteBuild } from './is-built.mjs';
import { entries, manifest, root } from './manifest.mjs';
import { noting, toNotices } from './notices.mjs';
import { viewer } from './viewer.mjs';

const src = join(root, 'src');
const dist = join(root, 'dist');

/** Frameworks whose templates have types of the element. */
const templates = ['react', 'preact', 'solid', 'svelte', 'vue'];

/** Names of the packages whose code is in dist/. @type {Set<string>} */
const contained = new Set();

const packages = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

/** @returns {boolean} whether the declarations could be written */
function declare() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  return status === 0;
}

async function bundle() {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [viewer(noting(contained)), noting(contained)],
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      lib: {
        // The element has a build of its own, with its runtime.
        entry: Object.fromEntries(
          entries
            .filter(({ module }) => !module.startsWith('element/'))
            .map(({ module }) => [module, join(src, `${module}.ts`)]),
        ),
        formats: ['es'],
        // npm leaves a folder `node_modules` out of a package.
        fileName: (_format, name) => `${name.replace('node_modules/', 'vendor/')}.js`,
      },
      rolldownOptions: {
        external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
        treeshake: { moduleSideEffects: false },
        output: {
          preserveModules: true,
          preserveModulesRoot: src,
          // Hooks need a browser: a server component that imports them renders them as client components.
          banner: ({ isEntry, name }) => (isEntry && /^(?:react|ui)\//.test(name) ? `'use client';` : ''),
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
      noting(contained),
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

/** dist/mcp/apps/sandbox.html: for pages that serve it as a file. */
async function writeSandbox() {
  /** @type {typeof import('../src/mcp/apps/index.ts')} */
  const { sandboxHTML } = await import(pathToFileURL(join(dist, 'mcp/apps/index.js')).href);
  writeFileSync(join(dist, 'mcp/apps/sandbox.html'), sandboxHTML);
}

/** dist/ui/*.css: as they are, since the bundler of the page fits them to its browsers. */
function copyStyles() {
  for (const sheet of ['style.css', 'review.css']) copyFileSync(join(src, 'ui', sheet), join(dist, 'ui', sheet));
}

/** dist/element/*.d.ts: what the templates of frameworks know of the element. tsc leaves declarations out that it has not made. */
function copyTemplates() {
  for (const name of templates) {
    copyFileSync(join(src, `element/templates/${name}.d.ts`), join(dist, `element/${name}.d.ts`));
    writeFileSync(join(dist, `element/${name}.js`), "export { BrookletChat } from './index.js';\n");
  }
}

if (isBuilt()) console.log('dist/ is what the sources make: nothing to build.');
else {
  rmSync(dist, { recursive: true, force: true });
  if (declare()) {
    await bundle();
    await bundleStandalone();
    for (const isStandalone of [false, true])
      await buildElement({ outDir: dist, plugins: [noting(contained)], isStandalone });
    copyTemplates();
    await writeSandbox();
    copyStyles();
    writeFileSync(join(dist, 'THIRD_PARTY_LICENSES.txt'), toNotices(contained));
    noteBuild();
  } else process.exitCode = 1;
}
