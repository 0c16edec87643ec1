import { AgentError, toAgentError } from '../../core/error.ts';
import { isDelta } from '../../core/model/event.ts';
import type { Base } from './base.ts';
import { keepAsFork } from './forks.ts';
import { settle } from './note.ts';
import { type Place, type Plan, planOf } from './plan.ts';
import { readSides, type Sides, type SyncEnv } from './sides.ts';
import { removeFrom, writeHere, writeThere } from './write-sides.ts';

/** How often a session is compared again because it was written meanwhile. */
const tries = 12;

/**
 * Brings one session in step: reads both sides, does what `planOf` returns, and begins again until nothing is left to do.
 *
 * Invariant: each step is one write that expects what was read, so that another write makes it fail. After a crash between two steps
 * the next call continues. The caller has the lease for comparing the session: see `create-synced-store.ts`.
 *
 * @param isKnown whether the remote store has not reported a change since the base was noted: then it is not read before a write
 * @param isHot asked before text alone is sent: `true` postpones it
 * @returns the base, or `undefined` where neither side has the session; `postponed` where text waits
 * @throws what the stores reject with, and AgentError `STORAGE_CORRUPT` for a log that must not be taken over
 */
export async function syncSession(
  id: string,
  env: SyncEnv,
  isKnown: boolean,
  isHot: () => boolean = () => false,
): Promise<Base | 'postponed' | undefined> {
  let isTrusted = isKnown;
  let isWhole = false;
  for (let nth = 0; nth < tries; nth++) {
    const sides = await readSides(id, env, isTrusted, isWhole);
    const plan = planOf(sides.here, sides.there, sides.base, sides.from);
    if (plan.do === 'rest') return settle(sides, env);
    isTrusted &&= plan.do === 'write' && plan.to === 'there';
    if (plan.do === 'read-whole') {
      isWhole = true;
      continue;
    }
    if (plan.do === 'write' && plan.to === 'there' && plan.events.every(isDelta) && isHot()) return 'postponed';
    try {
      await perform(plan, sides, env);
    } catch (thrown) {
      if (toAgentError(thrown).code !== 'STORAGE_CONFLICT') throw thrown;
      isTrusted = false;
    }
  }
  throw new AgentError(`Session ${id} changes faster than it can be synchronized.`, { code: 'STORAGE_FAILED' });
}

async function perform(plan: Exclude<Plan, { do: 'rest' | 'read-whole' }>, sides: Sides, env: SyncEnv): Promise<void> {
  switch (plan.do) {
    case 'write':
      return plan.to === 'here' ? writeHere(plan, sides, env) : writeThere(plan, sides, env);
    case 'fork':
      await keepAsFork(plan, sides, env);
      // The next step finds both sides the same, and a fork that is done: as it would after a crash.
      return writeHere(plan, sides, env, false);
    case 'remove':
      await checkRemoval(plan.from, sides, env);
      return removeFrom(plan.from, sides, env);
  }
}

/**
 * Signs a removal by this device before it is stored there; checks a removal by another device before it counts here.
 *
 * @throws AgentError `STORAGE_CORRUPT` for a removal that no known device has signed
 */
async function checkRemoval(from: Place, { id, base, there }: Sides, { devices }: SyncEnv): Promise<void> {
  const { removals } = devices ?? {};
  if (removals === undefined) return;
  if (from === 'there') {
    if (typeof there === 'object') await removals.note(id, { seq: there.summary.seq, writeId: there.writeId });
    return;
  }
  const why = await removals.vet(id, { seq: base?.seq ?? 0, writeId: base?.theirs });
  if (why !== undefined)
    throw new AgentError(
      `Session ${id} was removed on the remote store, and no known device has signed the removal (${why}). The session stays on this device: remove it here too, or continue it, which stores it there again.`,
      { code: 'STORAGE_CORRUPT' },
    );
}
