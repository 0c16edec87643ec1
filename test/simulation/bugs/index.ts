import type { Bugs } from './bug.ts';
import { effectBugs } from './effects.ts';
import { engineBugs } from './engines.ts';
import { evolveBugs } from './evolve.ts';
import { nextBugs } from './next.ts';
import { sessionBugs } from './session.ts';
import { syncBugs } from './sync.ts';

/** What somebody might get wrong and not see, one at a time. */
export const bugs: Bugs = { ...nextBugs, ...evolveBugs, ...syncBugs, ...sessionBugs, ...effectBugs, ...engineBugs };
