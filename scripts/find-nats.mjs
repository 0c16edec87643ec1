// Finds nats-server, or installs it as a package of the system.
//
//   node scripts/find-nats.mjs     prints its path on stdout, and each step with its reason on stderr
//
// Order: NATS_SERVER, the system's; then `apt-get install nats-server` (as root).

import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemPackage, thisMachine } from './find-browser.mjs';

/** @typedef {import('./find-browser.mjs').Host} Host */

/** Folders of servers that are not in every PATH. */
const further = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/**
 * Returns the path of nats-server on this machine; `undefined` if there is none.
 * @param {Pick<Host, 'env' | 'isExecutable'>} host
 */
export function findNats({ env, isExecutable }) {
  const folders = [...(env.PATH ?? '').split(':').filter(Boolean), ...further];
  const candidates = [env.NATS_SERVER ?? '', ...folders.map((folder) => posix.join(folder, 'nats-server'))];
  return candidates.find((path) => path !== '' && isExecutable(path));
}

/**
 * Returns the path of nats-server, and installs it if there is none. Returns `undefined` if that is not possible; the reason is logged.
 * @param {Host} host
 * @returns {Promise<string | undefined>}
 */
export async function ensureNats(host) {
  const found = findNats(host);
  if (found !== undefined) return found;
  const way = systemPackage('apt-get', [['update'], ['install', '-y', '--no-install-recommends', 'nats-server']]);
  const reason = way.whyNot(host);
  if (reason === undefined) {
    host.say(`Installing nats-server by ${way.name}, because the tests of brooklet/nats need it …`);
    try {
      await way.install(host);
    } catch (error) {
      host.say(`That failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return findNats(host);
}

/** What to say where there is no server, in one line. */
export const withoutNats =
  'The tests of brooklet/nats were not run: there is no nats-server. Install it (apt-get install nats-server) or set NATS_SERVER to its path.';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const host = thisMachine();
  const path = await ensureNats({ ...host, say: (line) => void process.stderr.write(`nats: ${line}\n`) });
  if (path) process.stdout.write(`${path}\n`);
  else {
    process.stderr.write(`${withoutNats}\n`);
    process.exitCode = 1;
  }
}
