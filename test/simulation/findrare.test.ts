import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { createBundler } from '../../scripts/simulation/bundle.mjs';
import { bugs } from './bugs/index.ts';
import { runSeeds } from './run-seeds.ts';
const names = ['a flush of a lost run resolves','a follower ends the run of a living tab','a message that was stored after all is added again','a prompt that was stored after all is sent again','no tab hears of changes','the events of a run are kept after its end'];
test('find', { timeout: 3_000_000 }, async () => {
  const bundler = await createBundler('tabs');
  for (const name of names) {
    const folder = await mkdtemp(join(tmpdir(), 'rare-'));
    const script = join(folder, 'simulation.js');
    await writeFile(script, await bundler((bugs as any)[name]));
    let found = '';
    for (let from = 1; from < 1500 && !found; from += 500) {
      const { output } = await runSeeds('--play', 'tabs', '--from', String(from), '--count', '500', '--script', script);
      found = /^seed (\d+):$/mu.exec(output)?.[1] ?? '';
    }
    (await import('node:fs')).appendFileSync('/tmp/rare.txt', `${name}\t${found}\n`);
  }
});
