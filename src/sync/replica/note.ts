import { defined } from '../../core/json.ts';
import { type Base, type Doubts, doubtsOf } from './base.ts';
import { finishFork } from './forks.ts';
import type { Sides, SyncEnv } from './sides.ts';

/** Notes two sides that are the same, where that is not noted yet. Returns the base; `undefined` where neither side has the session. */
export async function settle(sides: Sides, env: SyncEnv): Promise<Base | undefined> {
  const { id, base, here, there, doubts } = sides;
  if (typeof here !== 'object' || typeof there !== 'object') {
    if (base !== undefined) await env.bases.set(id, undefined);
    return undefined;
  }
  const tip = { seq: here.summary.seq, mine: here.writeId, theirs: there.writeId };
  const isSame = base?.seq === tip.seq && base.mine === tip.mine && base.theirs === tip.theirs;
  const isAsHeld = doubts === undefined || JSON.stringify(doubts) === JSON.stringify(doubtsOf(base));
  return isSame && isAsHeld && base.forking === undefined ? base : note(id, tip, base, env, doubts);
}

type Tip = Pick<Base, 'seq'> & { readonly [Key in 'mine' | 'theirs']: string | undefined };

/** Notes that both sides are the same up to here, and that a fork is done which was begun. */
export async function note(
  id: string,
  tip: Tip,
  base: Base | undefined,
  env: SyncEnv,
  doubts: Doubts = doubtsOf(base),
): Promise<Base> {
  const keptAs = base?.forking === undefined ? base?.keptAs : await finishFork(id, base.forking, env);
  const noted: Base = {
    seq: tip.seq,
    ...defined({ mine: tip.mine, theirs: tip.theirs, keptAs: keptAs ?? base?.keptAs }),
    ...doubts,
  };
  await env.bases.set(id, noted);
  if (keptAs !== undefined && keptAs !== base?.keptAs) env.onFork({ sessionId: id, keptAs, device: env.device });
  return noted;
}
