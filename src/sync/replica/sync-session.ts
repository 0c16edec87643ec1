import { AgentError, toAgentError } from '../../core/error.ts';
import { isDelta } from '../../core/model/event.ts';
import type { Base } from './base.ts';
import { keepAsFork } from './forks.ts';
import { type End, planOf, type Step } from './plan.ts';
import { finishRemoval, removeHere, removeThere } from './remove-sides.ts';
import { readSides, type Sides, type SyncEnv } from './sides.ts';
import { toWriteHere, writeHere, writeThere } from './write-sides.ts';

/** How often a session is compared again because another page or device wrote meanwhile. */
const tries = 12;

/**
 * Brings one session in step: reads both sides, does what `planOf` returns, and begins again until nothing is left to do.
 *
 * Invariant: each step is one write that expects what was read, so a rival makes it fail, and a crash between two steps leaves what the
 * next call finds. The caller has the session's place in the queue: see `create-synced-store.ts`.
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
    const plan = planOf(sides);
    if (isEnd(plan)) return end(plan, sides, env);
    isTrusted &&= plan.do === 'write-there';
    isWhole ||= plan.do === 'read-whole';
    if (plan.do === 'write-there' && plan.events.every(isDelta) && isHot()) return 'postponed';
    try {
      await perform(plan, sides, env);
    } catch (thrown) {
      if (toAgentError(thrown).code !== 'STORAGE_CONFLICT') throw thrown;
      isTrusted = false;
    }
  }
  throw new AgentError(`Session ${id} changes faster than it can be synchronized.`, { code: 'STORAGE_FAILED' });
}

function isEnd(plan: Step | End): plan is End {
  return plan.do === 'rest' || plan.do === 'note' || plan.do === 'forget-base' || plan.do === 'refuse';
}

async function perform(plan: Step, sides: Sides, env: SyncEnv): Promise<void> {
  const { id } = sides;
  switch (plan.do) {
    case 'read-whole':
      return;
    case 'write-here':
      return writeHere(plan, sides, env);
    case 'write-there':
      return writeThere(plan, sides, env);
    case 'fork':
      await keepAsFork(plan, sides, env);
      // The next step finds both sides the same, and a fork that is done: as it would after a crash.
      return env.local.write(toWriteHere(plan, sides, env));
    case 'remove':
      return plan.from === 'here' ? removeHere(sides, env) : removeThere(sides, env);
    case 'finish-removal':
    case 'drop-row':
      return finishRemoval(id, env);
    case 'forget-mark':
      return void (await env.remote.remove(id));
    case 'note-spent':
      return env.bases.set(id, plan.base);
  }
}

/** Performs what is left when both sides are the same. Resolves with the base. @throws AgentError `STORAGE_CORRUPT` for what is refused */
async function end(plan: End, { id, base }: Sides, env: SyncEnv): Promise<Base | undefined> {
  switch (plan.do) {
    case 'rest':
      return base;
    case 'forget-base':
      await env.bases.set(id, undefined);
      return undefined;
    case 'note':
      if (plan.unneeded !== undefined) await env.local.remove(plan.unneeded);
      await env.bases.set(id, plan.base);
      if (plan.keptAs !== undefined) env.onFork({ sessionId: id, keptAs: plan.keptAs, device: env.device });
      return plan.base;
    case 'refuse':
      throw new AgentError(sentenceOf(id, plan), { code: 'STORAGE_CORRUPT' });
  }
}

function sentenceOf(id: string, { why, detail }: Extract<End, { do: 'refuse' }>): string {
  if (why === 'damaged') return `Session ${id} is damaged on this device: ${detail}.`;
  return `Session ${id} was removed on the remote store, and no known device has signed the removal (${detail}). The session stays on this device: remove it here too, or continue it, which stores it there again.`;
}
