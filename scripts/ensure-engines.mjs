// Installs the browsers of `npm run test:engines` that are missing, where this process may.

import { thisMachine } from './find-browser.mjs';
import { debianPackages, findEngines } from './find-engines.mjs';

/** @typedef {import('./find-engines.mjs').FoundEngine} FoundEngine */

const minute = 60_000;

/**
 * Returns the names of the engines that are installed, once those that are missing and can be installed are. States in one line for each of the
 * others what is missing, and how it is installed.
 *
 * @param {{ host?: Pick<import('./find-browser.mjs').Host, 'isRoot' | 'env' | 'isExecutable' | 'run' | 'say'>, find?: () => readonly FoundEngine[] }} [machine]
 * @returns {Promise<readonly import('./find-engines.mjs').EngineName[]>}
 */
export async function ensureEngines({ host = thisMachine(), find = findEngines } = {}) {
  const packages = packagesOf(find());
  const apt = (host.env.PATH ?? '').split(':').some((folder) => folder && host.isExecutable(`${folder}/apt-get`));
  if (packages.length > 0 && apt && host.isRoot) {
    const options = { timeout: 10 * minute, env: { DEBIAN_FRONTEND: 'noninteractive' } };
    try {
      await host.run('apt-get', ['update'], options);
      await host.run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options);
    } catch (error) {
      host.say(`installing ${packages.join(' ')} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const found = find();
  for (const { name, missing } of found) {
    const command = `apt-get install ${debianPackages[name].join(' ')}`;
    if (missing.length > 0)
      host.say(`${name} is not run, ${missing.join(', ')} missing: as root, ${command} (Debian, Ubuntu)`);
  }
  return found.filter(({ missing }) => missing.length === 0).map(({ name }) => name);
}

/** @param {readonly FoundEngine[]} found */
const packagesOf = (found) => [
  ...new Set(found.flatMap(({ name, missing }) => (missing.length > 0 ? debianPackages[name] : []))),
];
