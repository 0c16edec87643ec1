// The licences of the packages whose code a file of dist/ contains: dist/THIRD_PARTY_LICENSES.txt. What a page installs itself is not in it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './manifest.mjs';

/** A module of a package, by its path. */
const inPackage = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/**
 * Returns a plugin that notes the packages whose code is in a build.
 *
 * @param {Set<string>} names takes their names
 * @returns {import('vite').Plugin}
 */
export const noting = (names) => ({
  name: 'noting',
  generateBundle(_options, files) {
    for (const file of Object.values(files))
      for (const id of file.type === 'chunk' ? file.moduleIds : []) {
        const name = inPackage.exec(id)?.[1];
        if (name !== undefined) names.add(name);
      }
  },
});

/**
 * Returns the text with the licences of packages.
 *
 * @param {Iterable<string>} names of installed packages
 * @throws Error for a package without a file of its licence
 */
export function toNotices(names) {
  const notices = [...names].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no file with its licence: dist/ may not contain its code.`);
    /** @type {{ version: string, license?: string }} */
    const { version, license = '' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return ['Files of this package contain code of the packages below.\n', ...notices].join(`\n${'-'.repeat(80)}\n\n`);
}
