// Tests that may need another try, and tests that may be skipped in CI. Any other one fails the run (scripts/tally.mjs). An entry leaves the
// list with its reason; Node and jsdom tests have no other try (vite.config.ts). A landing allows three page tests that are not listed (`.ci/run`): of
// some 1,700, one or two needed another try on a busy machine, each time another one. The next change mends such a test or lists it.

/**
 * @typedef {object} Exception
 * @property {string} file
 * @property {string} test a part of its full name
 * @property {string} since the date of the entry, as in ISO 8601
 * @property {string} reason
 */

/** @type {readonly Exception[]} */
export const mayRetry = [
  {
    file: 'test/e2e/demo.test.ts',
    test: 'returns the time and calculates with real tools',
    since: '2026-11-27',
    reason: 'Needed another try once, on a busy machine. The cause is not known: the run prints the first error.',
  },
  {
    file: 'test/e2e/kills.test.ts',
    test: 'in the middle of a text has stored all received text',
    since: '2026-11-27',
    reason:
      'The last write of a page was not in its LevelDB, twice: after a reload, with three runs beside each other, and after `about:blank` on another machine (118 of 126 characters were stored). Not reproduced in 36 rounds with five busy loops. The run prints how much is stored.',
  },
  {
    file: 'test/e2e/first-chat.test.ts',
    test: 'keeps a message for a conversation that another tab deletes',
    since: '2026-11-27',
    reason:
      'Once, the page had not heard of the removal when Enter was pressed: it accepted the message, and showed nothing as the conversation ended. The test cannot see when the page has heard of it.',
  },
];

/** @type {readonly Exception[]} */
export const maySkip = [
  {
    file: 'test/e2e/kills.test.ts',
    test: 'on SQLite',
    since: '2026-11-27',
    reason: 'A Chromium without the feature IdbSqliteBackingStore keeps every database in LevelDB.',
  },
  {
    file: 'test/e2e/kills.test.ts',
    test: 'on LevelDB',
    since: '2026-11-27',
    reason: 'A Chromium that has no LevelDB any more keeps every database in SQLite.',
  },
];

/**
 * Whether a list names a test.
 *
 * @param {readonly Exception[]} list
 * @param {string} file as a path from the root with `/`
 * @param {string} name with the names of its suites
 */
export const isListed = (list, file, name) => list.some((one) => one.file === file && name.includes(one.test));
