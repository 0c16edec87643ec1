// `npm run coverage`: the branches of the model, the run and the storage that no Node test takes, by file and line. Fails below the thresholds
// in vite.config.ts, as `npm test` does in CI.

import { finish } from './finish.mjs';
import { runVitest } from './run-vitest.mjs';
import { everyday, withCoverage } from './test-sets.mjs';

finish(await runVitest([...withCoverage, '--coverage.reporter=text'], everyday()));
