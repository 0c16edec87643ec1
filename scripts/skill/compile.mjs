import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../manifest.mjs';

/**
 * Compiles each file of a folder with the strict options of the repository; nothing is emitted.
 *
 * @param {string} folder two levels below the root of the repository, so that its files find react, zod and the others
 * @returns {Map<string, string>} the first error of each file that does not compile, by its name without the ending
 * @throws Error if the compiler itself fails
 */
export function compile(folder) {
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { incremental: false },
    include: ['*.ts', '*.tsx'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { status, stdout } = spawnSync('node_modules/.bin/tsc', ['-p', folder, '--pretty', 'false'], {
    cwd: root,
    encoding: 'utf8',
  });
  /** @type {Map<string, string>} */
  const errors = new Map();
  for (const [, name = '', message = ''] of stdout.matchAll(/^\S*?([\w-]+)\.tsx?\(\d+,\d+\): (.*)$/gm))
    if (!errors.has(name)) errors.set(name, message);
  if (status !== 0 && errors.size === 0) throw new Error(`The files were not compiled:\n${stdout}`);
  return errors;
}
