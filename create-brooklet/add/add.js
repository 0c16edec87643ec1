// create-brooklet add thread composer [--to folder]: copies the source of parts of `brooklet/ui` into a project, which owns them from then on.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { showDifference } from './diff.js';
import { findParts } from './names.js';
import { importsOf, readFilesFor, readParts, styleSheet } from './parts.js';
import { endingFor, findProject, toInstall } from './project.js';
import { endings, publicNames, rewrite } from './rewrite.js';

export const addUsage = `Usage: create-brooklet add <part> … [--to folder] [--all] [--list] [--dry] [--force] [--imports ${endings.join('|')}]`;

/** @typedef {{ readonly path: string, readonly text: string, readonly is: 'new' | 'same' | 'other', readonly own: string }} Planned */

/**
 * Copies parts. A file that exists is never changed without `--force`: its difference is printed.
 *
 * @param {readonly string[]} args
 * @param {string} folder where the command runs
 * @returns {string} what to print
 * @throws a sentence that says why nothing was copied
 */
export function add(args, folder) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      all: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      dry: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      imports: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return addUsage;
  const project = findProject(folder);
  const parts = readParts(project.source);
  if (values.list) return listOf(parts);
  const ending = values.imports === undefined ? endingFor(project.root) : endings.find((one) => one === values.imports);
  if (ending === undefined) throw new Error(`--imports is ${endings.join(', ')}, not ${values.imports}.`);
  if (positionals.length === 0 && !values.all) throw new Error(`Name the parts to copy.\n\n${listOf(parts)}`);

  const chosen = values.all ? parts : findParts(positionals, parts);
  const files = readFilesFor(project.source, [...chosen.map(({ file }) => file), styleSheet]);
  const names = publicNames(project.brooklet);
  const entries = new Set(parts.map(({ file }) => file));
  const to = resolve(folder, values.to ?? join(existsSync(join(folder, 'src')) ? 'src' : '', 'components/brooklet'));
  const plan = [...files].map(([file, text]) =>
    planFor(join(to, file), rewrite(text, { file, names, ending, isClient: entries.has(file) })),
  );
  if (!values.dry) for (const { path, text, is } of plan) if (is === 'new' || values.force) write(path, text);
  return [
    ...reportOf(plan, { folder, isDry: values.dry, isForced: values.force }),
    '',
    ...chosen.map(({ name, file }) => `  ${name}: ${relative(folder, join(to, file))}`),
    `  the look, imported once: ${relative(folder, join(to, styleSheet))}`,
    ...hintsFor(project, [...files.values()]),
  ].join('\n');
}

/** @param {readonly import('./parts.js').Part[]} parts */
const listOf = (parts) => parts.map(({ name, summary }) => `  ${name.padEnd(14)} ${summary}`.trimEnd()).join('\n');

/** @param {string} path @param {string} text @returns {Planned} */
function planFor(path, text) {
  if (!existsSync(path)) return { path, text, is: 'new', own: '' };
  if (!statSync(path).isFile()) throw new Error(`${path} exists and is not a file.`);
  // Version control may have changed the ends of the lines.
  const own = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  return { path, text, is: own === text ? 'same' : 'other', own };
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * @param {readonly Planned[]} plan
 * @param {{ folder: string, isDry: boolean, isForced: boolean }} options
 * @returns {readonly string[]}
 */
function reportOf(plan, { folder, isDry, isForced }) {
  const other = isForced ? (isDry ? 'would overwrite' : 'overwritten') : 'kept: yours differs, --force takes it back';
  const words = { new: isDry ? 'would copy' : 'copied', same: 'is there already', other };
  return plan.flatMap(({ path, text, is, own }) => [
    `${relative(folder, path)} (${words[is]})`,
    ...(is === 'other' ? showDifference(own, text).map((line) => `    ${line}`) : []),
  ]);
}

/** What the project still needs. @param {import('./project.js').Project} project @param {readonly string[]} texts */
function hintsFor({ root, brooklet, declared }, texts) {
  const packages = new Set(texts.flatMap(importsOf).filter((name) => /^[a-z@]/.test(name)));
  const missing = [...packages]
    .filter((name) => !declared.has(name) && brooklet.dependencies?.[name] !== undefined)
    .map((name) => `${name}@${brooklet.dependencies?.[name]}`);
  return missing.length === 0
    ? []
    : ['', `The files import a package that the project lacks: ${toInstall(root, missing)}`];
}
