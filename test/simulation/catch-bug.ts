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
  const from = Math.max(1, last - seeds + 1);
  const witness = witnesses.get(name);
  // A seed that is none of these would show less than the test says.
  const isOneOf = witness !== undefined && Number(witness) >= from && Number(witness) <= last;
  const args = ['--play', play, '--from', String(from), '--count', String(seeds), '--changes', JSON.stringify(changes)];
  const { output } = await runSeeds(...args, ...(isOneOf ? ['--first', witness] : []));
  expect(output).toMatch(/^seed \d+:$/mu);
  const [, seed = ''] = /^seed (\d+):$/mu.exec(output) ?? [];
  witnesses.note(name, seed);
}
