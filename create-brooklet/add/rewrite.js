// A file of `src/ui` as it stands in a project: what it imports from the rest of the package gets its public name.

import { posix } from 'node:path';
import { folderOfParts, isOutside, targetOf } from './parts.js';

/**
 * How the imports within the copied folder end. `none`: bundlers, and TypeScript with `moduleResolution: bundler`. `js`: TypeScript with
 * `nodenext`. `ts`: TypeScript with `allowImportingTsExtensions`.
 *
 * @typedef {'none' | 'js' | 'ts'} Ending
 */

/** @type {readonly Ending[]} */
export const endings = ['none', 'js', 'ts'];

/** Statements and calls with a path. */
const imported = /((?:^(?:import|export)\b[^;]*?\bfrom |\bimport\(|^import )')(\.{1,2}\/[^']+)'/gm;

/**
 * Returns the public name of each module of the sources, which `exports` of the manifest state: `src/react/index.ts` is `brooklet/react`.
 *
 * @param {{ name: string, exports: Readonly<Record<string, unknown>> }} manifest
 * @returns {ReadonlyMap<string, string>}
 */
export function publicNames({ name, exports }) {
  const entries = Object.entries(exports).flatMap(([path, target]) => {
    const types = typeof target === 'object' && target !== null && 'types' in target ? String(target.types) : '';
    const [, module] = /^\.\/dist\/(.+)\.d\.ts$/.exec(types) ?? [];
    return module === undefined ? [] : [/** @type {const} */ ([`src/${module}.ts`, posix.join(name, path)])];
  });
  return new Map(entries);
}

/**
 * @param {string} text
 * @param {object} options
 * @param {string} options.file its path in `src/ui`
 * @param {ReadonlyMap<string, string>} options.names of `publicNames`
 * @param {Ending} options.ending
 * @param {boolean} options.isClient whether a server component may import the file
 */
export function rewrite(text, { file, names, ending, isClient }) {
  if (file.endsWith('.css')) return text;
  const own = text.replaceAll(imported, (_, before, specifier) => {
    const target = targetOf(file, specifier);
    if (!isOutside(target)) return `${before}${withEnding(specifier, ending)}'`;
    const name = names.get(posix.join(folderOfParts, target));
    if (name === undefined) throw new Error(`${file} imports ${specifier}, which has no public name.`);
    return `${before}${name}'`;
  });
  return isClient ? `'use client';\n\n${own}` : own;
}

/** @param {string} specifier @param {Ending} ending */
function withEnding(specifier, ending) {
  if (ending === 'ts') return specifier;
  return specifier.replace(/\.tsx?$/, ending === 'js' ? '.js' : '');
}
