import { readFileSync } from 'node:fs';

/**
 * An entry of the report that runner.ts writes.
 *
 * @typedef {{ readonly covered: readonly string[], readonly loaded: readonly string[] } | { readonly trying: string } |
 *   { readonly noticed: string, readonly test: string, readonly by: string } | { readonly test: string, readonly fault: string }} Entry
 *
 * @typedef {{ readonly noticed: ReadonlySet<string>, readonly covered: ReadonlySet<string>, readonly loaded: ReadonlySet<string>,
 *   readonly faults: ReadonlySet<string>, readonly last: string | undefined }} Report
 */

/**
 * Reads the report as far as it is written.
 *
 * @param {string} file
 * @param {ReadonlySet<string>} hung mutants that hung the process: they count as noticed
 * @returns {Report}
 */
export function readReport(file, hung) {
  const noticed = new Set(hung);
  /** @type {Set<string>} */
  const covered = new Set();
  /** @type {Set<string>} */
  const loaded = new Set();
  /** @type {Set<string>} */
  const faults = new Set();
  /** @type {string | undefined} */
  let last;
  for (const entry of entriesOf(file))
    if ('covered' in entry) {
      for (const id of entry.covered) covered.add(id);
      for (const id of entry.loaded) loaded.add(id);
    } else if ('trying' in entry) last = entry.trying;
    else if ('noticed' in entry) noticed.add(entry.noticed);
    else faults.add(`${entry.test}: ${entry.fault}`);
  return { noticed, covered, loaded, faults, last };
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
 */
export function toText(root, mutants, { noticed, covered, loaded, faults }) {
  // Code that runs only while its module is loaded cannot be switched: its mutants are left out.
  const counted = mutants.filter(({ id }) => covered.has(id) || !loaded.has(id));
  /** @param {typeof counted} some */
  const score = (some) => {
    const count = some.filter(({ id }) => noticed.has(id)).length;
    return `${some.length} mutants, ${count} noticed, ${((100 * count) / some.length).toFixed(1)} %`;
  };
  const survivors = counted
    .filter(({ id }) => !noticed.has(id))
    .map((mutant) => `${covered.has(mutant.id) ? 'survives' : 'never runs'}: ${inWords(root, mutant)}`);
  const files = [...new Set(counted.map(({ fileName }) => fileName))];
  const sums = files.map((file) => `${file}: ${score(counted.filter(({ fileName }) => fileName === file))}`);
  return [...faults, ...survivors, ...sums, `all: ${score(counted)}`].join('\n');
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
