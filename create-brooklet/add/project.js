// The project into which parts are copied: where it begins, what it has, how its TypeScript reads imports.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { folderOfParts } from './parts.js';

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {Readonly<Record<string, unknown>>} exports
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [devDependencies]
 * @property {Readonly<Record<string, string>>} [peerDependencies]
 *
 * @typedef {object} Project
 * @property {string} root
 * @property {string} source the folder `src/ui` of the installed package
 * @property {Manifest} brooklet
 * @property {ReadonlySet<string>} declared names of the packages that the project declares
 */

/** @param {string} file @returns {Manifest} */
const readManifest = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The lock file of each package manager, and how it installs. */
const managers = [
  ['pnpm-lock.yaml', 'pnpm add'],
  ['yarn.lock', 'yarn add'],
  ['bun.lock', 'bun add'],
  ['bun.lockb', 'bun add'],
];

/**
 * @param {string} folder where the command runs
 * @returns {Project}
 * @throws a sentence that names what the project lacks
 */
export function findProject(folder) {
  const root = findAbove(folder, 'package.json');
  if (root === undefined) throw new Error(`There is no package.json in ${folder} or above it: run this in a project.`);
  const own = readManifest(join(root, 'package.json'));
  const declared = new Set(Object.keys({ ...own.dependencies, ...own.devDependencies, ...own.peerDependencies }));
  const react = findPackage(root, 'react');
  if (react === undefined)
    throw new Error(`This project has no React, which the parts need: ${toInstall(root, ['react', 'react-dom'])}`);
  const { version } = readManifest(join(react, 'package.json'));
  if (Number.parseInt(version, 10) < 18) throw new Error(`The parts need React 18 or later, and this is ${version}.`);
  const brooklet = findPackage(root, 'brooklet');
  if (brooklet === undefined)
    throw new Error(`This project has no brooklet, of which the parts are. Install it first, as its README says.`);
  const manifest = readManifest(join(brooklet, 'package.json'));
  const source = join(brooklet, folderOfParts);
  if (!existsSync(join(source, 'index.ts')))
    throw new Error(`brooklet ${manifest.version} has no parts to copy. Install a later version.`);
  return { root, source, brooklet: manifest, declared };
}

/** Returns the command that installs packages. @param {string} root @param {readonly string[]} packages */
export function toInstall(root, packages) {
  const found = managers.find(([lock = '']) => findAbove(root, lock) !== undefined);
  return `${found?.[1] ?? 'npm install'} ${packages.join(' ')}`;
}

/** @param {string} folder @param {string} name @returns {string | undefined} the nearest folder that has a file of this name */
function findAbove(folder, name) {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, name))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** @param {string} root @param {string} name @returns {string | undefined} the folder of an installed package */
function findPackage(root, name) {
  try {
    return dirname(createRequire(join(root, 'package.json')).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

/**
 * Returns how imports end by the project's TypeScript: with `.js` where its modules are those of Node, else without an ending, which bundlers
 * and `moduleResolution: bundler` resolve.
 *
 * @param {string} root
 * @returns {'none' | 'js'}
 */
export function endingFor(root) {
  const files = readdirSync(root).filter((name) => /^tsconfig(?:\..+)?\.json$/.test(name));
  const texts = files.map((name) => readFileSync(join(root, name), 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''));
  const hasBundler = texts.some((text) => /"moduleResolution"\s*:\s*"bundler"/i.test(text));
  const isNode = texts.some((text) => /"module(?:Resolution)?"\s*:\s*"node(?:16|18|20|next)"/i.test(text));
  return isNode && !hasBundler ? 'js' : 'none';
}
