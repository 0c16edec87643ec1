import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

/** @param {string} path */
const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * @param {string[]} args of npm
 * @param {string} cwd
 */
function npm(args, cwd) {
  const { status } = spawnSync('npm', args, { cwd, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}.`);
}

/** Installs the peers where they are missing, and builds the package and a page for each side. */
export async function prepare() {
  // Some of them want Node 22; only their browser code runs here.
  if (!existsSync(at('node_modules/ai'))) npm(['ci', '--force', '--ignore-scripts'], at('.'));
  // As if the package were installed: resolved by its name, through its exports.
  if (!lstatSync(at('node_modules/brooklet'), { throwIfNoEntry: false }))
    symlinkSync('../..', at('node_modules/brooklet'), 'junction');
  npm(['run', 'build'], at('..'));
  await buildPages();
}

/** Production builds of `page/sides`, `page/cores` and `page/stores`; what all share (React, the page itself) in files of its own. */
async function buildPages() {
  const files = ['sides', 'cores', 'stores'].flatMap((folder) =>
    readdirSync(at(`page/${folder}`)).map((file) => [
      `${folder}/${file.replace(/\.tsx?$/, '')}`,
      at(`page/${folder}/${file}`),
    ]),
  );
  await build({
    configFile: false,
    logLevel: 'error',
    root: at('page'),
    plugins: [react()],
    // The root's node_modules have a second React beside the package.
    resolve: { dedupe: ['react', 'react-dom', '@tanstack/react-query'] },
    build: {
      outDir: at('dist'),
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: Object.fromEntries(files),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          codeSplitting: {
            groups: [
              { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
              { name: 'page', test: /bench\/page\/(page|bench|core|store|deltas|useFrames)\.tsx?$/ },
            ],
          },
        },
      },
    },
  });
}
