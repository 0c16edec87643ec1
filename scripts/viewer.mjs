// Vite's plugin for two modules, each built once, when it is first loaded. `virtual:brooklet-viewer` is the viewer of `exportHTML` (src/viewer) as
// text: one script and one style without an import, with the hashes that a Content-Security-Policy names. `virtual:brooklet-drawer` is the drawer
// of the devtools (src/devtools/drawer) as code.

import { createHash } from 'node:crypto';
import { build } from 'vite';
import { root } from './manifest.mjs';

const name = 'virtual:brooklet-viewer';
/** The drawer of the devtools: a bundle of its own, since it has Preact where the rest of the package has React. */
const drawer = 'virtual:brooklet-drawer';

/** What each virtual module is made of, as a path from the root. */
export const virtualModules = {
  [name]: 'src/viewer/main.tsx',
  [drawer]: 'src/devtools/drawer/main.tsx',
};

/** How the bundle of the drawer names a file that it shares with the rest of the package: by its path from the root. */
const shared = 'virtual:brooklet-shared/';

/** @typedef {{ readonly script: string, readonly style: string, readonly scriptHash: string, readonly styleHash: string }} Viewer */

/**
 * @param {import('vite').PluginOption[]} inner plugins of the builds within, which see what the modules contain
 * @returns {import('vite').Plugin}
 */
export function viewer(...inner) {
  /** @type {Promise<Viewer> | undefined} */
  let builtViewer;
  /** @type {Promise<string> | undefined} */
  let builtDrawer;
  return {
    name: 'brooklet-viewer',
    resolveId(source) {
      if (source.startsWith(shared)) return `${root}${source.slice(shared.length)}`;
      return source === name || source === drawer ? `\0${source}` : undefined;
    },
    async load(id) {
      if (id === `\0${drawer}`) return (builtDrawer ??= buildDrawer(...inner));
      if (id !== `\0${name}`) return undefined;
      const parts = await (builtViewer ??= buildViewer(...inner));
      return Object.entries(parts)
        .map(([key, text]) => `export const ${key} = ${JSON.stringify(text)};\n`)
        .join('');
    },
  };
}

/** Preact in the place of React: a tenth of its weight. */
const react = [
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react$/, replacement: 'preact/compat' },
];

/**
 * Returns the files of a bundle without an import of a file.
 *
 * @param {string} input a path from the root
 * @param {boolean} minify
 * @param {import('vite').PluginOption[]} plugins
 */
async function bundle(input, minify, plugins) {
  const result = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    mode: 'production',
    plugins,
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: react },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      write: false,
      target: 'es2022',
      minify,
      cssMinify: true,
      modulePreload: false,
      rolldownOptions: {
        input: `${root}${input}`,
        preserveEntrySignatures: 'strict',
        output: { format: 'es', codeSplitting: false },
      },
    },
  });
  const [{ output } = { output: [] }] = [result].flat().filter((one) => 'output' in one);
  const code = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
  const css = output.map((file) => (file.type === 'asset' ? String(file.source) : '')).join('');
  return { code, css };
}

/** @param {import('vite').PluginOption[]} plugins @returns {Promise<Viewer>} */
export async function buildViewer(...plugins) {
  const { code, css } = await bundle(virtualModules[name], true, plugins);
  if (code === '' || css === '') throw new Error('The viewer has no script or no style: see src/viewer/main.tsx.');
  const script = withoutEndTags(code.trim());
  const style = css.trim();
  if (/<\/style/i.test(style)) throw new Error('The style of the viewer contains an end tag.');
  return { script, style, scriptHash: hashOf(script), styleHash: hashOf(style) };
}

/**
 * Returns the code of the drawer. It imports what a page with an agent has anyway: the core, the review, rxjs.
 *
 * @param {import('vite').PluginOption[]} plugins
 * @returns {Promise<string>}
 */
export async function buildDrawer(...plugins) {
  const { code } = await bundle(virtualModules[drawer], false, [sharing(), ...plugins]);
  return code;
}

/** @returns {import('vite').Plugin} */
const sharing = () => ({
  name: 'brooklet-sharing',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (importer === undefined) return undefined;
    if (source === 'rxjs') return { id: source, external: true };
    const resolvedTo = await this.resolve(source, importer, { ...options, skipSelf: true });
    const path = resolvedTo?.id.startsWith(root) ? resolvedTo.id.slice(root.length) : '';
    return /^src\/(core|review)\//.test(path) ? { id: `${shared}${path}`, external: true } : resolvedTo;
  },
});

/** In a string of JavaScript `<\/` is `</`, and neither ends the script nor begins a comment of HTML. @param {string} code */
const withoutEndTags = (code) => code.replaceAll(/<(\/script|!--)/gi, String.raw`\x3C$1`);

/** @param {string} text */
const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
