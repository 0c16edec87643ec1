// `PART=log npm run mutate`: changes the code in small ways, one at a time, and lists the changes that no test notices.

import { chosenPart } from './parts.mjs';

const { name, code } = chosenPart();
const cache = `.cache/mutate/${name}`;

/** @type {ConstructorParameters<typeof import('@stryker-mutator/core').Stryker>[0]} */
export default {
  testRunner: 'vitest',
  // Without `related`: Stryker knows which tests take which code.
  vitest: { configFile: 'scripts/mutate/vitest.config.ts', related: false },
  mutate: [...code],
  // The wording of errors is no behaviour. Most other texts are names and types, which TypeScript checks.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  // tsconfig: Stryker would change it, with an API that TypeScript 7 does not have.
  ignorePatterns: ['tsconfig*.json', 'api', 'bench', 'dist*', 'docs', 'examples', 'test/{e2e,packed}'],
  incremental: true,
  incrementalFile: `${cache}/incremental.json`,
  tempDirName: `${cache}/sandbox`,
  jsonReporter: { fileName: `${cache}/report.json` },
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  concurrency: 1,
  timeoutMS: 20_000,
};
