// The seeds and numbers of a night, and what is noted of it.

/** Seeds of one night, before those of the next one begin. */
const seeds = 10_000;

/** The night that begins today: days since 1970. */
export const today = () => Math.floor(Date.now() / 86_400_000);

/** The first seed of a night. @param {number} night */
export const seedOf = (night) => {
  if (!Number.isInteger(night) || night < 1 || night > 200_000)
    throw new RangeError(`A night is the number of a day since 1970, and not ${night}.`);
  return night * seeds;
};

/**
 * The variables of the tests: where the seeds begin, and numbers beyond those of a landing.
 *
 * @param {number} night
 * @returns {Readonly<Record<string, string>>}
 */
export const numbersOf = (night) => ({
  SEED: `${seedOf(night)}`,
  DEVICE: `${seedOf(night)}`,
  PROPERTY_RUNS: '4',
  SCHEDULES: '20000',
  SEEDS: '1000',
  LOGS: '20000',
  KILLS: '200',
  INTERLEAVINGS: '40',
  LEADER_KILLS: '10',
  ENGINE_LEAVES: '400',
});

/**
 * @typedef {object} Night
 * @property {number} night
 * @property {string} date
 * @property {string} commit
 * @property {string} node
 * @property {readonly { part: string, passed: number, failed: number, skipped: number, seconds: number }[]} results
 * @property {readonly string[]} failedSeeds commands that replay them
 */

/**
 * @param {Pick<Night, 'night' | 'commit' | 'results' | 'failedSeeds'>} played
 * @returns {Night}
 */
export const toEntry = ({ night, commit, results, failedSeeds }) => ({
  night,
  date: new Date().toISOString().slice(0, 10),
  commit,
  node: process.version,
  results,
  failedSeeds,
});
