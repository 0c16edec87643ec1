import { appendFileSync } from 'node:fs';
import { setMaxListeners } from 'node:events';
import { type RunnerTask, type RunnerTestCase, TestRunner } from 'vitest';

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
  /** The mutants that a test has noticed. */
  noticed?: Set<string>;
}

// In `globalThis`: each file of tests has a runner of its own.
const kept: typeof globalThis & Kept = globalThis;
const { MUTATE_DONE = '[]', MUTATE_REPORT = '' } = process.env;
const done: readonly string[] = JSON.parse(MUTATE_DONE);
const switches = (kept.__stryker__ ??= {});
const noticed = (kept.noticed ??= new Set(done));

const report = (entry: object): void => appendFileSync(MUTATE_REPORT, `${JSON.stringify(entry)}\n`);

/** ms of processor time above which a test does not run again for each mutant. */
const slow = 500;

/** The runs of one test after the first one. */
interface Course {
  readonly hits: Hits;
  /** ms that the test takes without a mutant. */
  readonly takes: number;
  /** The mutants that are still to be tried. */
  rest: readonly string[];
  /** The next run is without a mutant: before the first mutant, and after a failure with this one. */
  proof?: { readonly mutant?: string; readonly error?: string } | undefined;
}

/**
 * Runs each test without a mutant, and then again with each mutant whose code the test runs, and which no test has noticed. Each run is
 * an attempt of Vitest, with the hooks before and after each test.
 *
 * Invariant: a mutant counts as noticed only if the same test passes without it afterwards, in the same process.
 */
export default class MutantRunner extends TestRunner {
  #course: Course | undefined;
  #began = 0;
  #used = process.cpuUsage();

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
    if (mutant !== undefined) report({ trying: mutant });
    if (test.result) Object.assign(test.result, { state: 'run', errors: [] });
    switches.activeMutant = mutant;
    switches.hitCount = 0;
    switches.hitLimit = mutant === undefined ? undefined : 1_000 + 100 * (course?.hits[mutant] ?? 0);
    switches.currentTestId = course === undefined ? test.id : undefined;
    this.#began = performance.now();
    this.#used = process.cpuUsage();
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    if (this.#course === undefined) return run();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = Math.max(1_000, 10 * this.#course.takes);
    const end = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The test takes too long.')), limit);
    });
    await Promise.race([run(), end]).finally(() => clearTimeout(timer));
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
    const { user, system } = process.cpuUsage(this.#used);
    const hits = switches.mutantCoverage?.perTest[test.id] ?? {};
    report({ covered: Object.keys(hits), loaded: Object.keys(switches.mutantCoverage?.static ?? {}) });
    const rest = Object.keys(hits).filter((id) => !noticed.has(id));
    if (rest.length === 0) return undefined;
    if (user + system > slow * 1_000) return 'is too slow to be repeated';
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
    if (error !== undefined) return `fails the second time: ${error}`;
    course.proof = undefined;
    if (proof.mutant === undefined) return undefined;
    noticed.add(proof.mutant);
    report({ noticed: proof.mutant, test: name, by: proof.error });
    return undefined;
  }
}
