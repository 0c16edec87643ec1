import { spawnSync } from 'node:child_process';

/** Commits of `src` after which a row no longer states how the code is. */
const oldest = 200;

/**
 * Returns a sentence for each case that is older than 200 commits of `src`, with the command that measures it again. A case without an origin is not
 * judged.
 *
 * @param {readonly import('./work.mjs').Work[]} works
 * @param {import('./results.mjs').Results} results
 * @param {(commit: string) => number} [countSince] commits of `src` since a commit
 * @returns {readonly string[]}
 */
export function findOld(works, { cases, origins = {} }, countSince = commitsSince) {
  return works.flatMap((work) =>
    work.cases.flatMap(({ id }) => {
      const origin = origins[id];
      if (cases[id] === undefined || origin === undefined) return [];
      const age = countSince(origin.commit);
      return age > oldest
        ? [
            `${id} was measured ${age === Infinity ? 'at an unknown commit' : `${age} commits of src ago`} (${origin.date}): run npm run bench -- --only ${work.id}.`,
          ]
        : [];
    }),
  );
}

/** Infinite for a commit that this clone does not have. @param {string} commit */
function commitsSince(commit) {
  const args = ['rev-list', '--count', `${commit}..HEAD`, '--', '../src'];
  const { status, stdout } = spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' });
  return status === 0 ? Number(stdout) : Infinity;
}
