// `npm run test:landing`: the sets that the change since the last green landing reaches (scripts/change.mjs), with their full numbers, and a tenth of the
// others, chosen by the hash of the commit. Ends with one line, `N passed, N failed`. Requires a build.
//
//   npm run test:landing                every set that is reached, and a tenth
//   npm run test:landing -- --plan      prints which, and why
//   npm run test:landing -- --all       every set

import { parseArgs } from 'node:util';
import { finish } from './finish.mjs';
import { estimateSets, playSets } from './play-sets.mjs';
import { toDuration } from './progress.mjs';
import { listAllSets, planLanding } from './test-sets.mjs';

const { values } = parseArgs({ options: { plan: { type: 'boolean' }, all: { type: 'boolean' } } });

const all = await listAllSets();
const { reason, reached, tenth } = values.all ? { reason: '--all', reached: all, tenth: [] } : await planLanding();
const isAll = reached.length === all.length;
const sets = [...reached, ...tenth];
console.log(`${sets.length} sets, about ${toDuration(estimateSets(sets))} on two cores`);
console.log(`  reached (${reason}): ${isAll ? 'every set' : namesOf(reached)}`);
if (!isAll) console.log(`  of the tenth that this commit plays: ${namesOf(tenth)}`);
if (!values.plan) finish(await playSets(sets));

/** @param {readonly import('./test-sets.mjs').TestSet[]} some */
function namesOf(some) {
  return some.map(({ kind, name }) => (kind === 'long' ? name : `${name} (${kind})`)).join(', ') || 'none';
}
