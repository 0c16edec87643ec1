import { readFileSync, writeFileSync } from 'node:fs';
import { root } from '../../scripts/manifest.mjs';

/**
 * Seeds that have caught planted bugs, by the name of the bug. A test plays the seed of a bug first: a bug that this seed catches is caught within
 * the seeds, without a search. Where the seed has stopped catching it, the test searches all seeds, as without a witness.
 */
export interface Witnesses {
  /** Returns the seed to play first, or `undefined` where all seeds have to be searched. */
  get(name: string): string | undefined;
  /** Notes which seed caught a bug. Does nothing unless `WITNESSES=write`. */
  note(name: string, seed: string): void;
}

/**
 * Reads the witnesses of a file of tests. `WITNESSES=write npm run test:landing -- --all` searches all seeds and writes what they show.
 *
 * @param path from the project's root, of a JSON object
 */
export function readWitnesses(path: string): Witnesses {
  const isWriting = process.env.WITNESSES === 'write';
  const known: Record<string, string> = JSON.parse(readFileSync(root + path, 'utf8'));
  return {
    get: (name) => (isWriting ? undefined : known[name]),
    note(name, seed) {
      if (!isWriting) return;
      known[name] = seed;
      writeFileSync(root + path, `${JSON.stringify(known, null, 2)}\n`);
    },
  };
}
