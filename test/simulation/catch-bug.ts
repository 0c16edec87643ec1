import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Mutation } from '../../scripts/mutation.mjs';
import { createBundler } from '../../scripts/simulation/bundle.mjs';
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

const bundlers = new Map<string, ReturnType<typeof createBundler>>();

/** Expects that one of the seeds fails with the bug. The seed that caught the bug before is played first. */
export async function catchBug(
  { name, changes, seeds, last = seeds, play = 'tabs' }: Search,
  witnesses: Witnesses,
): Promise<void> {
  const first = Math.max(1, last - seeds + 1);
  const bundler = bundlers.get(play) ?? createBundler(play);
  bundlers.set(play, bundler);
  const folder = await mkdtemp(join(tmpdir(), 'planted-bug-'));
  const script = join(folder, 'simulation.js');
  const findFailing = async (from: number, count: number): Promise<string> => {
    const range = ['--from', String(from), '--count', String(count)];
    const { output } = await runSeeds('--play', play, ...range, '--script', script);
    return output;
  };
  try {
    await writeFile(script, await (await bundler)(changes));
    const witness = Number(witnesses.get(name));
    // A seed that is none of these would show less than the test says.
    if (witness >= first && witness <= last && failing.test(await findFailing(witness, 1))) return;
    const output = await findFailing(first, seeds);
    expect(output).toMatch(failing);
    witnesses.note(name, failing.exec(output)?.[1] ?? '');
  } finally {
    await rm(folder, { recursive: true });
  }
}

const failing = /^seed (\d+):$/mu;
