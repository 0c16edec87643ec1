import { readFileSync } from 'node:fs';

/**
 * An entry of the report. runner.ts writes: a test file begins or ends, with what failed outside of its tests; what a test runs; a try
 * with a mutant or without one; a mutant that a test has noticed; a mutant with which a test failed, and without which it failed afterwards, so
 * that the process ended; a test that tells nothing of mutants. run-part.mjs writes: a mutant has hung the process.
 *
 * @typedef {{ readonly begun: string } | { readonly ended: string, readonly error?: string } |
 *   { readonly covered: readonly string[], readonly loaded: readonly string[] } | { readonly trying: string | null } |
 *   { readonly noticed: string, readonly test: string, readonly by: string } | { readonly spoiled: string } |
 *   { readonly test: string, readonly fault: string } | { readonly hung: string }} Entry
 */

/**
 * @typedef {object} Report
 * @property {ReadonlySet<string>} noticed mutants, with those that hung the process
 * @property {number} spoiled how often a mutant has ended the process
 * @property {ReadonlySet<string>} covered mutants that a test runs
 * @property {ReadonlySet<string>} tried mutants with which a test has run
 * @property {ReadonlySet<string>} loaded mutants that run while their module is loaded
 * @property {ReadonlySet<string>} faults tests that tell nothing of mutants, and why
 * @property {ReadonlySet<string>} ended test files
 * @property {ReadonlyMap<string, string>} broken what failed outside of the tests, by test file
 * @property {string | undefined} current the test file that began last
 * @property {string | undefined} trying the mutant that is switched on at the end of the report
 */

/**
 * Reads the report as far as it is written.
 *
 * @param {string} file
 * @returns {Report}
 */
export function readReport(file) {
  /** @type {Set<string>} */
  const noticed = new Set();
  /** @type {Set<string>} */
  const covered = new Set();
  /** @type {Set<string>} */
  const tried = new Set();
  /** @type {Set<string>} */
  const loaded = new Set();
  /** @type {Set<string>} */
  const faults = new Set();
  /** @type {Set<string>} */
  const ended = new Set();
  /** @type {Map<string, string>} */
  const broken = new Map();
  let spoiled = 0;
  /** @type {string | undefined} */
  let current;
  /** @type {string | undefined} */
  let trying;
  for (const entry of entriesOf(file))
    if ('begun' in entry) {
      current = entry.begun;
      trying = undefined;
    } else if ('ended' in entry) {
      ended.add(entry.ended);
      trying = undefined;
      if (entry.error !== undefined) broken.set(entry.ended, entry.error);
    } else if ('covered' in entry) {
      for (const id of entry.covered) covered.add(id);
      for (const id of entry.loaded) loaded.add(id);
    } else if ('trying' in entry) {
      trying = entry.trying ?? undefined;
      if (trying !== undefined) tried.add(trying);
    } else if ('noticed' in entry) noticed.add(entry.noticed);
    else if ('hung' in entry) noticed.add(entry.hung);
    else if ('spoiled' in entry) {
      noticed.add(entry.spoiled);
      spoiled++;
    } else faults.add(`${entry.test}: ${entry.fault}`);
  return { noticed, spoiled, covered, tried, loaded, faults, ended, broken, current, trying };
}

/**
 * @param {string} file
 * @returns {readonly Entry[]}
 */
function entriesOf(file) {
  /** @type {string} */
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      /** @type {Entry} */
      const entry = JSON.parse(line);
      return entry;
    });
}

/**
 * Returns a line for each mutant that survives, for each file, and for all.
 *
 * @param {string} root
 * @param {readonly import('./instrument.mjs').Mutant[]} mutants
 * @param {Report} report
 * @param {readonly string[]} [missing] test files for which there was no time
 */
export function toText(root, mutants, { noticed, covered, tried, loaded, faults }, missing = []) {
  // Code that runs only while its module is loaded cannot be switched: its mutants are left out.
  const counted = mutants.filter(({ id }) => covered.has(id) || !loaded.has(id));
  /** @param {typeof counted} some */
  const score = (some) => {
    const count = some.filter(({ id }) => noticed.has(id)).length;
    return `${some.length} mutants, ${count} noticed, ${((100 * count) / some.length).toFixed(1)} %`;
  };
  /** @param {string} id */
  const fateOf = (id) => {
    if (missing.length === 0) return covered.has(id) ? 'survives' : 'never runs';
    return tried.has(id) ? 'survives so far' : 'not tried';
  };
  const late = missing.length === 0 ? [] : [`The time was over. These test files did not end: ${missing.join(', ')}.`];
  const survivors = counted
    .filter(({ id }) => !noticed.has(id))
    .map((mutant) => `${fateOf(mutant.id)}: ${inWords(root, mutant)}`);
  const files = [...new Set(counted.map(({ fileName }) => fileName))];
  const sums = files.map((file) => `${file}: ${score(counted.filter(({ fileName }) => fileName === file))}`);
  return [...faults, ...late, ...survivors, ...sums, `all: ${score(counted)}`].join('\n');
}

/**
 * @param {string} root
 * @param {import('./instrument.mjs').Mutant} mutant
 */
function inWords(root, { fileName, location: { start, end }, mutatorName, replacement }) {
  const [line = '', ...more] = readFileSync(root + fileName, 'utf8')
    .split('\n')
    .slice(start.line, end.line + 1);
  const from = line.slice(start.column, more.length === 0 ? end.column : undefined);
  const to = (replacement ?? '').replaceAll(/\s+/g, ' ');
  return `${fileName}:${start.line + 1}:${start.column + 1} ${mutatorName}: ${from}${more.length === 0 ? '' : ' …'} → ${to}`;
}
