import { readFileSync } from 'node:fs';
import { Instrumenter } from '@stryker-mutator/instrumenter';

/** @typedef {Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number]} Mutant */

const silent = () => {};
const off = () => false;
/** @type {ConstructorParameters<typeof Instrumenter>[0]} */
const log = {
  isTraceEnabled: off,
  isDebugEnabled: off,
  isInfoEnabled: off,
  isWarnEnabled: off,
  isErrorEnabled: off,
  isFatalEnabled: off,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/**
 * Returns the code of the files, by path, with all its mutants, each behind a switch; and the mutants.
 *
 * @param {string} root
 * @param {readonly string[]} files
 */
export async function instrument(root, files) {
  const originals = files.map((name) => ({ name, mutate: true, content: readFileSync(root + name, 'utf8') }));
  // Texts stay: the wording of errors is no behaviour, and most other texts are names and types, which TypeScript checks.
  const options = { excludedMutations: ['StringLiteral'], ignorers: [], plugins: null };
  const { files: changed, mutants } = await new Instrumenter(log).instrument(originals, options);
  return {
    sources: Object.fromEntries(changed.map(({ name, content }) => [root + name, content])),
    mutants: mutants.filter(({ status }) => status !== 'Ignored'),
  };
}
