import { expect } from 'vitest';
import type { Mutation } from '../../scripts/mutation.mjs';
import type { Witnesses } from '../support/witnesses.ts';
import { runSeeds } from './run-seeds.ts';

/** A bug to plant, and the seeds that have to catch it. */
export interface Search {
  readonly name: string;
  readonly changes: readonly Mutation[];
  /** How many seeds are played at most. */
  readonly seeds: number;
  /** The last of these seeds, for a bug that none of the first seeds meets. */
  readonly last?: number | undefined;
  /** `--play` of `scripts/simulate.mjs`. */
  readonly play?: string;
}

/** Expects that one of the seeds fails with the bug. The seed that caught the bug before is played first. */
export async function catchBug(
  { name, changes, seeds, last = seeds, play = 'tabs' }: Search,
  witnesses: Witnesses,
): Promise<void> {
  const first = Math.max(1, last - seeds + 1);
  const findFailing = async (from: number, count: number): Promise<string> => {
    const range = ['--from', String(from), '--count', String(count)];
    const { output } = await runSeeds('--play', play, ...range, '--changes', JSON.stringify(changes));
    return output;
  };
  const witness = Number(witnesses.get(name));
  // A seed that is none of these would show less than the test says.
  if (witness >= first && witness <= last && failing.test(await findFailing(witness, 1))) return;
  const output = await findFailing(first, seeds);
  expect(output).toMatch(failing);
  witnesses.note(name, failing.exec(output)?.[1] ?? '');
}

const failing = /^seed (\d+):$/mu;
