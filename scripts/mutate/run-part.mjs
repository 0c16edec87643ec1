import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { instrument } from './instrument.mjs';
import { refusalsAmong } from './refusals.mjs';
import { readReport, toText } from './report.mjs';
import { runTests } from './run-tests.mjs';

/**
 * Runs the tests with each mutant of the code. Returns the report as text. What the tests report, and what their processes write to
 * stderr, stays in `.cache/mutate/NAME/`.
 *
 * @param {string} root
 * @param {object} part
 * @param {string} part.name
 * @param {readonly string[]} part.code
 * @param {readonly string[]} part.tests
 * @param {boolean} [part.refusals] only the conditions that refuse something
 * @param {number} [part.minutes] after which the run ends; the report names what was not tried
 * @throws Error unless every test file has ended, or the time was over: figures of a run that ended early are too low
 */
export async function runPart(root, { name, code, tests, refusals = false, minutes = Infinity }) {
  const { sources, mutants: all } = await instrument(root, code);
  const mutants = refusals ? refusalsAmong(root, all) : all;
  const wanted = refusals ? mutants.map(({ id }) => id) : undefined;
  const end = Date.now() + minutes * 60_000;
  const folder = `${root}.cache/mutate/${name}`;
  const places = {
    sources: `${folder}/sources.json`,
    report: `${folder}/report.jsonl`,
    errors: `${folder}/errors.txt`,
  };
  mkdirSync(folder, { recursive: true });
  for (const place of Object.values(places)) rmSync(place, { force: true });
  writeFileSync(places.sources, JSON.stringify(sources));

  for (;;) {
    const before = readReport(places.report);
    // A file that has ended has tried each mutant that was not noticed before.
    const rest = tests.filter((file) => !before.ended.has(file));
    const exit = Date.now() < end ? await runTests(root, { ...places, tests: rest, wanted, end }) : 'late';
    const report = readReport(places.report);
    const missing = rest.filter((file) => !report.ended.has(file));
    if (exit === 'late') return toText(root, mutants, report, missing);
    if (report.spoiled > before.spoiled) continue;
    if (exit !== 'hangs') {
      const trouble = toTrouble(tests, report, exit);
      if (trouble !== undefined) throw new Error(`${trouble}\nThe figures would be wrong. See ${places.errors}`);
      return toText(root, mutants, report);
    }
    if (report.trying === undefined || report.noticed.has(report.trying))
      throw new Error(`The tests hang in ${report.current}, and not because of a mutant. See ${places.errors}`);
    appendFileSync(places.report, `${JSON.stringify({ hung: report.trying })}\n`);
  }
}

/**
 * Returns why the run is not complete, or `undefined`.
 *
 * @param {readonly string[]} tests
 * @param {import('./report.mjs').Report} report
 * @param {import('./run-tests.mjs').Exit} exit
 */
function toTrouble(tests, { ended, broken, current, trying }, exit) {
  const words = exit.signal === null ? `with the code ${exit.code}` : `by ${exit.signal}`;
  const missing = tests.filter((file) => !ended.has(file));
  if (missing.length > 0) {
    const mutant = trying === undefined ? 'no mutant was on' : `mutant ${trying} was on`;
    const place = current === undefined ? 'before the first file' : `in ${current} (${mutant})`;
    return `The tests ended early, ${words}, ${place}. These files did not end: ${missing.join(', ')}.`;
  }
  if (broken.size > 0)
    return [...broken].map(([file, error]) => `${file} fails outside of its tests: ${error}`).join('\n');
  return exit.code === 0 ? undefined : `The tests ended ${words}, after the last file.`;
}
