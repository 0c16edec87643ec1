import { appendFileSync } from 'node:fs';
import { setMaxListeners } from 'node:events';
import { relative } from 'node:path';
import { type RunnerTask, type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest';
import { root } from '../manifest.mjs';
import { readReport } from './report.mjs';

/** What the code of Stryker's instrumenter reads and writes. */
interface Switches {
  /** The mutant that is switched on. */
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  /** How often the code of the mutant has run; above `hitLimit` it throws, which ends an endless loop. */
  hitCount?: number;
  hitLimit?: number | undefined;
  mutantCoverage?: { readonly static: Hits; perTest: Readonly<Record<string, Hits>> };
}

/** How often the code of each mutant has run. */
type Hits = Readonly<Record<string, number>>;

interface Kept {
  __stryker__?: Switches;
}

const kept: typeof globalThis & Kept = globalThis;
const { MUTATE_REPORT = '', MUTATE_WANTED = '', MUTATE_SLOW = '' } = process.env;
/** The mutants to try. Without them: all. */
const wantedIds: readonly string[] | undefined = MUTATE_WANTED === '' ? undefined : JSON.parse(MUTATE_WANTED);
const wanted = wantedIds && new Set(wantedIds);
const switches = (kept.__stryker__ ??= {});
// A test may replace them.
const { setInterval, clearInterval } = globalThis;

const report = (entry: object): void => appendFileSync(MUTATE_REPORT, `${JSON.stringify(entry)}\n`);

/** ms of processor time above which a test does not run again for each mutant. */
const slow = Number(MUTATE_SLOW);

/** ms between two looks at whether a test takes too long. */
const turn = 50;

/** The runs of one test after the first one. */
interface Course {
  readonly hits: Hits;
  /** ms that the test takes without a mutant. */
  takes: number;
  /** The mutants that are still to be tried. */
  rest: readonly string[];
  /** The next run is without a mutant: before the first mutant, and after a failure with this one. */
  proof?: { readonly mutant?: string; readonly error?: string } | undefined;
}

/**
 * Runs each test without a mutant, and then again with each mutant whose code the test runs, and which no test has noticed. Each run is
 * an attempt of Vitest, with the hooks before and after each test.
 *
 * Invariant: a mutant counts as noticed only if the same test passes without it afterwards: in the same process, or, where the mutant has left
 * a state behind (a lock that is never released), in the next one.
 */
export default class MutantRunner extends TestRunner {
  /** Each file of tests has a runner of its own. */
  readonly #noticed = new Set(readReport(MUTATE_REPORT).noticed);
  #course: Course | undefined;
  #began = 0;
  #used = process.cpuUsage();

  onBeforeCollect(paths: readonly string[]): void {
    for (const path of paths) report({ begun: relative(root, path) });
  }

  override onAfterRunFiles(files: readonly RunnerTestFile[] = []): void {
    super.onAfterRunFiles();
    for (const file of files) report({ ended: relative(root, file.filepath), error: errorOutsideOfTests(file) });
  }

  override async onBeforeRunTask(task: RunnerTask): Promise<void> {
    this.#course = undefined;
    if (task.type === 'test') {
      task.retry = Number.MAX_SAFE_INTEGER;
      setMaxListeners(0, task.context.signal);
    }
    await super.onBeforeRunTask(task);
  }

  override onBeforeTryTask(test: RunnerTask): void {
    super.onBeforeTryTask(test);
    const course = this.#course;
    const mutant = course?.proof === undefined ? course?.rest[0] : undefined;
    // A mutant that has made the test fail counts as on until the test has passed without it.
    if (course?.proof?.mutant === undefined) report({ trying: mutant ?? null });
    if (test.result) Object.assign(test.result, { state: 'run', errors: [] });
    // Assertions of an earlier try that has been ended: Vitest would wait for them.
    if (test.type === 'test') test.promises = [];
    switches.activeMutant = mutant;
    switches.hitCount = 0;
    switches.hitLimit = mutant === undefined ? undefined : 1_000 + 10 * (course?.hits[mutant] ?? 0);
    switches.currentTestId = course === undefined ? test.id : undefined;
    this.#began = performance.now();
    this.#used = process.cpuUsage();
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    if (this.#course === undefined) return run();
    let timer: ReturnType<typeof setInterval> | undefined;
    // In turns, not by the clock: on a busy machine everything takes longer.
    let turns = Math.max(500, 10 * this.#course.takes) / turn;
    const end = new Promise<never>((_resolve, reject) => {
      timer = setInterval(() => {
        if (--turns < 0) reject(new Error('The test takes too long.'));
      }, turn);
    });
    await Promise.race([run(), end]).finally(() => clearInterval(timer));
  }

  onAfterRetryTask(test: RunnerTestCase): void {
    const { result } = test;
    if (!result) return;
    switches.activeMutant = undefined;
    switches.currentTestId = undefined;
    const error = result.state === 'fail' ? (result.errors?.[0]?.message ?? '') : undefined;
    const fault =
      this.#course === undefined ? this.#begin(test, error) : this.#goOn(this.#course, test.fullName, error);
    if (fault !== undefined) report({ test: test.fullName, fault });
    const { rest = [], proof } = this.#course ?? {};
    const hasMore = fault === undefined && (rest.length > 0 || proof !== undefined);
    // Vitest repeats a test that has failed with an error.
    Object.assign(
      result,
      hasMore ? { state: 'fail', errors: [{ message: 'More mutants follow.' }] } : { state: 'pass', errors: [] },
    );
  }

  /** Ends the first run. Returns why the test tells nothing of mutants, or `undefined`. */
  #begin(test: RunnerTestCase, error: string | undefined): string | undefined {
    if (error !== undefined) return `fails without a mutant: ${error}`;
    const hits = switches.mutantCoverage?.perTest[test.id] ?? {};
    report({ covered: Object.keys(hits), loaded: Object.keys(switches.mutantCoverage?.static ?? {}) });
    const rest = Object.keys(hits).filter((id) => !this.#noticed.has(id) && wanted?.has(id) !== false);
    if (rest.length === 0) return undefined;
    this.#course = { hits, takes: performance.now() - this.#began, rest, proof: {} };
    return undefined;
  }

  /** Ends a later run. Returns why the test tells nothing of mutants, or `undefined`. */
  #goOn(course: Course, name: string, error: string | undefined): string | undefined {
    const { rest, proof } = course;
    if (proof === undefined) {
      course.rest = rest.slice(1);
      if (error !== undefined) course.proof = { mutant: rest[0] ?? '', error };
      return undefined;
    }
    if (error !== undefined && proof.mutant !== undefined) {
      report({ spoiled: proof.mutant, test: name, by: proof.error });
      process.kill(process.pid, 'SIGKILL');
    }
    if (error !== undefined) return `fails the second time: ${error}`;
    course.proof = undefined;
    if (proof.mutant === undefined) {
      // The first run may have loaded code.
      const { user, system } = process.cpuUsage(this.#used);
      course.takes = performance.now() - this.#began;
      return user + system > slow * 1_000 ? 'is too slow to be repeated' : undefined;
    }
    this.#noticed.add(proof.mutant);
    report({ noticed: proof.mutant, test: name, by: proof.error });
    return undefined;
  }
}

/** Returns why tests of a file did not run, or `undefined`. A hook has failed, for example, or the file cannot be loaded. */
function errorOutsideOfTests(suite: RunnerTestSuite): string | undefined {
  const own = suite.result?.errors?.[0]?.message;
  if (own !== undefined) return own;
  for (const task of suite.tasks) {
    const error = task.type === 'suite' ? errorOutsideOfTests(task) : errorOfEnd(task);
    if (error !== undefined) return error;
  }
  return undefined;
}

function errorOfEnd({ mode, result, fullName }: RunnerTestCase): string | undefined {
  if (mode === 'skip' || mode === 'todo' || result?.state === 'pass') return undefined;
  return `${fullName} ends as ${result?.state}: ${result?.errors?.[0]?.message}`;
}
