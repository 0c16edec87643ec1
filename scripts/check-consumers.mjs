// Compiles test/consumer, a page as a user writes it, against dist/: with every version of TypeScript that the package supports, with and
// without `skipLibCheck`, for bundlers and for Node. npm downloads the compilers into its own cache. Needs a build.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['5.5', '5.9', '7.0'];
const modules = [
  ['esnext', 'bundler'],
  ['nodenext', 'nodenext'],
];

/** @param {string} version @param {readonly string[]} flags */
function compile(version, flags) {
  const tsc = ['exec', '--yes', `--package=typescript@${version}`, '--', 'tsc', '-p', 'test/consumer', ...flags];
  const { status, stdout } = spawnSync('npm', tsc, { cwd: root, encoding: 'utf8' });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} TypeScript ${version} ${flags.join(' ')}`);
  if (status !== 0) console.log(stdout);
  return status === 0;
}

const results = versions.flatMap((version) =>
  modules.flatMap(([module = '', resolution = '']) =>
    ['true', 'false'].map((skip) =>
      compile(version, ['--module', module, '--moduleResolution', resolution, '--skipLibCheck', skip]),
    ),
  ),
);
if (results.includes(false)) process.exitCode = 1;
