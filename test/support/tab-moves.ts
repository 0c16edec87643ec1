import fc from 'fast-check';
import type { Deed } from './person.ts';

/** One thing that happens in one of three tabs. `kill` takes the tab away without a word; `close` and `reload` let it say one. */
export interface Move {
  readonly tab: number;
  readonly what: Deed | 'reload' | 'close' | 'kill';
  /** Turns until the next move. */
  readonly turns: number;
  /** ms that go by before it. */
  readonly ms: number;
}

const move: fc.Arbitrary<Move> = fc.record({
  tab: fc.nat({ max: 2 }),
  what: fc.constantFrom<Move['what'][]>(
    'send',
    'send',
    'cancel',
    'approve',
    'approve',
    'approve',
    'reject',
    'reload',
    'close',
    'kill',
    'add',
    'rename',
    'wait',
    'regenerate',
    'resume',
  ),
  turns: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 300 }), fc.constant(600)),
  ms: fc.constantFrom(0, 0, 50, 100),
});

/** What comes first: something that runs, something that waits for a person, or nothing. */
const opening = fc.constantFrom<readonly Move[]>(
  [],
  [{ tab: 0, what: 'send', turns: 60, ms: 0 }],
  [{ tab: 0, what: 'send', turns: 900, ms: 0 }],
);

/** What people do in three tabs on one session, in order. */
export const moves: fc.Arbitrary<readonly Move[]> = fc
  .tuple(opening, fc.array(move, { minLength: 3, maxLength: 14, size: 'max' }))
  .map((its) => its.flat());
