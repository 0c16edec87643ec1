// A consumer's folder outside the repository, in which the packed package is installed as a user installs it.

import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../manifest.mjs';

/** The address in the samples of the README, for which the address of the local server is substituted. */
const provider = 'https://api.openai.com/v1';

/**
 * @typedef {object} Project
 * @property {string} folder absolute
 * @property {(...args: string[]) => Promise<string>} node runs a script of the folder; resolves with its output, rejects unless it exits with 0
 * @property {(path: string, change: (text: string) => string) => void} edit changes a file
 */

/**
 * Runs a command in a folder. Resolves with its output; rejects with the output when it fails or takes too long.
 *
 * @param {string} folder
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<string>}
 */
export function run(folder, command, args) {
  const env = { ...process.env, CI: 'true', npm_config_yes: 'true', NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: undefined };
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 10 * 60_000 });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += String(text)));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code ?? signal}:\n${output.slice(-4_000)}`));
    });
  });
}

/**
 * Packs a package as `npm publish` does, with what `prepack` builds. Resolves with the path of the tarball.
 *
 * @param {string} source folder of the package
 * @param {string} folder in which the tarball is written
 */
export async function pack(source, folder) {
  const args = ['pack', source, '--silent', '--pack-destination', folder];
  const output = await run(folder, 'npm', args);
  return join(folder, output.trim().split('\n').at(-1) ?? '');
}

/** @param {string} folder @param {readonly string[]} packages */
const install = (folder, ...packages) =>
  run(folder, 'npm', [
    'install',
    ...packages,
    // Otherwise npm takes a folder above that has packages.
    '--prefix',
    folder,
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    '--ignore-scripts',
  ]);

/** Folders in which npm has installed, or installs, by what was to be installed. @type {Map<string, Promise<string>>} */
const installed = new Map();

/**
 * Installs the dependencies of a project. A project with the same dependencies as an earlier one uses what npm has installed there.
 *
 * @param {string} folder
 * @param {string} manifest
 */
async function installOnce(folder, manifest) {
  const installing = installed.get(manifest);
  if (installing) return symlinkSync(join(await installing, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const installs = install(folder).then(() => folder);
  installed.set(manifest, installs);
  // The next try installs anew.
  installs.catch(() => installed.delete(manifest));
  await installs;
}

/** The command of the packed create-brooklet, which is installed once. @type {Promise<string> | undefined} */
let command;

/** @param {string} temporary */
async function installCommand(temporary) {
  const folder = mkdtempSync(join(temporary, 'command-'));
  await install(folder, await pack(join(root, 'create-brooklet'), folder));
  return join(folder, 'node_modules/.bin/create-brooklet');
}

/** Resolves with the script of the packed create-brooklet. @param {string} temporary */
export function findCommand(temporary) {
  command ??= installCommand(temporary);
  // The next try installs anew.
  command.catch(() => (command = undefined));
  return command;
}

/**
 * Runs the packed create-brooklet.
 *
 * @param {string} folder in which it runs
 * @param {{ temporary: string }} stage
 * @param {string[]} args
 */
export const runCommand = async (folder, { temporary }, ...args) =>
  run(folder, process.execPath, [await findCommand(temporary), ...args]);

/**
 * Copies examples/, and installs the packed package in it.
 *
 * @param {string} folder
 * @param {{ tarball: string, baseURL: string }} stage
 */
export async function createExamples(folder, { tarball, baseURL }) {
  const source = join(root, 'examples');
  cpSync(source, folder, { recursive: true, filter: (path) => !/node_modules|dist/.test(path.slice(source.length)) });
  const main = join(folder, 'two-agents/main.ts');
  writeFileSync(main, pointAt(readFileSync(main, 'utf8'), baseURL));
  await installTarball(folder, tarball);
}

/**
 * Installs the dependencies of a project, the packed package in the place of a published one.
 *
 * @param {string} folder
 * @param {string} tarball
 */
async function installTarball(folder, tarball) {
  const file = join(folder, 'package.json');
  /** @type {{ dependencies: Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  manifest.dependencies['brooklet'] = `file:${tarball}`;
  writeFileSync(file, JSON.stringify(manifest));
  await install(folder);
}

/**
 * Copies the files of a consumer, points them at the local server and installs the package.
 *
 * @param {{ folder: string, template: string, files: Readonly<Record<string, string>>, dependencies: Readonly<Record<string, string>> }} options
 *   `files`: more files, as paths in this repository by their path in the folder
 * @param {{ tarball: string, baseURL: string }} given
 * @returns {Promise<Project>}
 */
export async function createProject({ folder, template, files, dependencies }, { tarball, baseURL }) {
  cpSync(join(root, 'test/packed', template), folder, { recursive: true });
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, source), join(folder, path));
  }
  /** @type {Project['edit']} */
  const edit = (path, change) => {
    const file = join(folder, path);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };
  pointAllAt(folder, baseURL);
  const manifest = { private: true, type: 'module', dependencies: { brooklet: `file:${tarball}`, ...dependencies } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  await installOnce(folder, JSON.stringify(manifest));
  return { folder, edit, node: (...args) => run(folder, process.execPath, args) };
}

/**
 * Adds the files of a folder of test/packed to a project.
 *
 * @param {string} folder
 * @param {string} source
 * @param {{ baseURL: string }} stage
 */
export function addFiles(folder, source, { baseURL }) {
  cpSync(join(root, 'test/packed', source), folder, { recursive: true });
  pointAllAt(folder, baseURL);
}

/** @param {string} folder of sources @param {string} baseURL */
function pointAllAt(folder, baseURL) {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, path);
    if (/\.[jt]sx?$/.test(path)) writeFileSync(file, pointAt(readFileSync(file, 'utf8'), baseURL));
  }
}

/**
 * The providers of the samples have their own address; a sample that names none gets one.
 *
 * @param {string} text
 * @param {string} baseURL
 */
function pointAt(text, baseURL) {
  return text
    .replaceAll(provider, baseURL)
    .replace('(openai, {', `(openai, { baseURL: '${baseURL}',`)
    .replace('provider={openai}', `provider={openai} baseURL="${baseURL}"`)
    .replace('provider="openai"', `provider="openai" base-url="${baseURL}"`);
}
