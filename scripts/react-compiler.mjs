// Compiles components and hooks with React Compiler: for the tests that run them compiled, and for the bench of Studio (`--compiled`).

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './manifest.mjs';

/** Babel and the compiler take a second to load, and each run of tests reads this file with its configuration. */
const loadCompiler = () => Promise.all([import('@babel/core'), import('babel-plugin-react-compiler')]);

/**
 * @typedef {object} Report what the compiler reports of one function
 * @property {string} kind
 * @property {string | null} [fnName]
 * @property {{ readonly start: { readonly line: number } } | null} [fnLoc]
 * @property {{ readonly reason?: string }} [detail] why it could not be compiled
 * @property {string} [reason] why it was skipped
 */

/**
 * @typedef {object} Compiled
 * @property {string} code still TypeScript
 * @property {object | undefined} map
 * @property {readonly string[]} compiled names of the components and hooks that were compiled
 * @property {readonly string[]} left why others were left as they are, with their line
 */

const require = createRequire(import.meta.url);
/** What the result depends on beside the file. */
const versions = ['@babel/core', 'babel-plugin-react-compiler'].map((name) => {
  /** @type {{ version: string }} */
  const { version } = require(`${name}/package.json`);
  return version;
});
const options = readFileSync(import.meta.filename, 'utf8');

/** Compiling a file takes some 60 ms, and three projects of tests compile the same files. Outside node_modules, which several checkouts may share. */
const cache = join(root, '.cache/react-compiler');

/**
 * Returns what the compiler makes of a file. What it made of the same text before is read from `.cache`.
 *
 * @param {string} code
 * @param {string} file absolute
 * @returns {Promise<Compiled>}
 */
export async function compile(code, file) {
  const key = createHash('sha256')
    .update(JSON.stringify([versions, options, file, code]))
    .digest('hex');
  const path = join(cache, `${key}.json`);
  try {
    /** @type {Compiled} */
    const made = JSON.parse(readFileSync(path, 'utf8'));
    return made;
  } catch {
    const made = await compileAnew(code, file);
    mkdirSync(cache, { recursive: true });
    // Another process may write the same file.
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(made));
    renameSync(draft, path);
    return made;
  }
}

/**
 * @param {string} code
 * @param {string} file
 * @returns {Promise<Compiled>}
 */
async function compileAnew(code, file) {
  const [{ transformAsync }, { default: compiler }] = await loadCompiler();
  /** @type {string[]} */
  const compiled = [];
  /** @type {string[]} */
  const left = [];
  const logger = {
    /** @param {string | null} _file @param {Report} report */
    logEvent(_file, { kind, fnName, fnLoc, detail, reason }) {
      if (kind === 'CompileSuccess') compiled.push(fnName ?? '');
      else if (/Error|Skip/.test(kind)) left.push(`${fnLoc?.start.line ?? 0}: ${detail?.reason ?? reason ?? kind}`);
    },
  };
  const result = await transformAsync(code, {
    filename: file,
    configFile: false,
    babelrc: false,
    sourceMaps: true,
    parserOpts: { plugins: file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
    plugins: [[compiler, { panicThreshold: 'none', logger }]],
  });
  if (!result?.code) throw new Error(`Babel returned nothing for ${file}.`);
  return { code: result.code, map: result.map, compiled, left };
}

/**
 * The plugin of Vite that compiles the hooks of the package and the components of Studio.
 *
 * @returns {import('vite').Plugin}
 */
export function reactCompiler() {
  return {
    name: 'react-compiler',
    enforce: 'pre',
    async transform(code, id) {
      const [file = ''] = id.split('?');
      if (!/\/(?:src\/(?:react|ui)|demo\/src)\/.*\.tsx?$/.test(file)) return undefined;
      const result = await compile(code, file);
      return { code: result.code, map: JSON.stringify(result.map) };
    },
  };
}
