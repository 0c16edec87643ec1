#!/usr/bin/env node
// create-brooklet [folder] [--template react|plain|next] [--package brooklet.tgz]
// create-brooklet add thread composer

import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { add, addUsage } from './add/add.js';

/** Folders of templates/ that a template consists of. @type {Readonly<Record<string, readonly string[] | undefined>>} */
const templates = {
  react: ['shared', 'chat', 'react'],
  plain: ['shared', 'plain'],
  next: ['shared', 'chat', 'next'],
};
const usage = `Usage: create-brooklet [folder] [--template ${Object.keys(templates).join('|')}] [--package brooklet.tgz]`;

/** @param {string} message @param {string} [how] @returns {never} */
function fail(message, how = usage) {
  console.error(`${message}\n${how}`);
  process.exit(1);
}

if (process.argv[2] === 'add') {
  try {
    console.log(add(process.argv.slice(3), process.cwd()));
    process.exit();
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), addUsage);
  }
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        template: { type: 'string', short: 't', default: 'react' },
        package: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return { ...values, folder: resolve(positionals[0] ?? 'brooklet-chat') };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** What the project depends on: a packed file, where one is named or this is a clone of the repository, else the published version. */
function findPackage() {
  const isClone = existsSync(join(here, '../.git'));
  if (given === undefined && !isClone) return `^${version}`;
  const file = given === undefined ? join(here, `../brooklet-${version}.tgz`) : resolve(given);
  if (!existsSync(file))
    fail(`There is no ${file}.`, 'Run `npm pack` at the root of the repository: it makes the file.');
  return `file:${file}`;
}

/** A package name may have no capital letters, spaces or signs at its start. @param {string} folder */
const toPackageName = (folder) =>
  basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._-]+/, '') || 'brooklet-chat';

const { folder, template, help, package: given } = readArguments();
if (help) {
  console.log(`${usage}\n${addUsage}`);
  process.exit();
}
const parts = templates[template];
if (!parts) fail(`There is no template "${template}".`);
// Version control may have been set up before.
if (existsSync(folder) && readdirSync(folder).some((name) => name !== '.git'))
  fail(`The folder ${folder} is not empty. Choose another one.`);

const here = fileURLToPath(new URL('.', import.meta.url));
/** @type {{ version: string }} */
const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const dependency = findPackage();
for (const part of parts) cpSync(join(here, 'templates', part), folder, { recursive: true });

const manifest = join(folder, 'package.json');
const text = readFileSync(manifest, 'utf8').replace('{name}', toPackageName(folder)).replace('^{version}', dependency);
writeFileSync(manifest, text);
// npm leaves a .gitignore out of a package.
writeFileSync(join(folder, '.gitignore'), 'node_modules/\ndist/\n.next/\n*.tsbuildinfo\n');

const path = relative(process.cwd(), folder);
const steps = [...(path === '' ? [] : [`cd ${path}`]), 'npm install', 'npm run dev'];
console.log(`Created a chat in ${folder}. It works without a key.\n\n${steps.map((step) => `  ${step}`).join('\n')}\n`);
console.log('Connect a model in src/agent.ts.');
