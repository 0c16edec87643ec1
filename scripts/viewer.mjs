// Vite's plugin for the module `virtual:brooklet-viewer`: the viewer of `exportHTML` (src/viewer) as text. The viewer is built once, when the
// module is first loaded, as one script and one style without an import, with the hashes that a Content-Security-Policy names.

import { createHash } from 'node:crypto';
import { build } from 'vite';
import { root } from './manifest.mjs';

const name = 'virtual:brooklet-viewer';
/** The drawer of the devtools: tsc declares nothing of it, since preact is in dist/ and not in the packages of a user. */
const drawer = 'virtual:brooklet-drawer';

/** What each virtual module is made of, as a path from the root. */
export const virtualModules = {
  [name]: 'src/viewer/main.tsx',
  [drawer]: 'src/devtools/drawer/main.tsx',
};

const resolved = `\0${name}`;

/** @typedef {{ readonly script: string, readonly style: string, readonly scriptHash: string, readonly styleHash: string }} Viewer */

/** @returns {import('vite').Plugin} */
export function viewer() {
  /** @type {Promise<Viewer> | undefined} */
  let built;
  return {
    name: 'brooklet-viewer',
    resolveId: (source) =>
      source === name ? resolved : source === drawer ? `${root}${virtualModules[drawer]}` : undefined,
    async load(id) {
      if (id !== resolved) return undefined;
      const parts = await (built ??= buildViewer());
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

/** @returns {Promise<Viewer>} */
export async function buildViewer() {
  const result = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    mode: 'production',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: react },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      cssMinify: true,
      modulePreload: false,
      rolldownOptions: {
        input: `${root}${virtualModules[name]}`,
        output: { format: 'es', codeSplitting: false },
      },
    },
  });
  const [{ output } = { output: [] }] = [result].flat().filter((one) => 'output' in one);
  const code = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('');
  const css = output.map((file) => (file.type === 'asset' ? String(file.source) : '')).join('');
  if (code === '' || css === '') throw new Error('The viewer has no script or no style: see src/viewer/main.tsx.');
  const script = withoutEndTags(code.trim());
  const style = css.trim();
  if (/<\/style/i.test(style)) throw new Error('The style of the viewer contains an end tag.');
  return { script, style, scriptHash: hashOf(script), styleHash: hashOf(style) };
}

/** In a string of JavaScript `<\/` is `</`, and neither ends the script nor begins a comment of HTML. @param {string} code */
const withoutEndTags = (code) => code.replaceAll(/<(\/script|!--)/gi, String.raw`\x3C$1`);

/** @param {string} text */
const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
