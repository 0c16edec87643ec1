import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { tools } from '../../demo/src/tools/tools.ts';
import { countPrimes } from '../../demo/src/tools/primes.ts';
import { frameScript } from '../../src/tools/sandbox-frame.ts';
import { asks, run } from '../tools/run.ts';

describe('the demo’s own tools', () => {
  it.each([
    [2, 0],
    [3, 1],
    [100, 25],
    [1_000_000, 78_498],
  ])('count the primes below %i, and say how far they are', async (below, primes) => {
    const told: unknown[] = [];
    const { output, presentation } = await run(countPrimes, { below }, { progress: (news) => void told.push(news) });
    expect(output).toEqual({ below, primes });
    expect(presentation.summary).toBe(`${primes.toLocaleString('en')} primes below ${below.toLocaleString('en')}`);
    expect(told.at(-1)).toEqual({ done: below, total: below });
  });

  it('stop counting when they are told to', async () => {
    const stop = new AbortController();
    let told = 0;
    const progress = (): void => {
      told += 1;
      stop.abort();
    };
    await expect(run(countPrimes, { below: 100_000_000 }, { signal: stop.signal, progress })).rejects.toThrow(
      'aborted',
    );
    expect(told).toBe(1);
  });

  it('ask before they change something', async () => {
    const inputs = {
      add_note: { text: 'a' },
      delete_note: { id: 1, begins: 'a' },
      edit_file: { path: 'poem.txt', old_string: 'a', new_string: 'b' },
    };
    for (const [name, input] of Object.entries(inputs)) {
      const tool = tools.find((one) => one.name === name);
      expect({ name, asks: tool && (await asks(tool, input)) }).toEqual({ name, asks: true });
    }
  });
});

it('the page’s policy allows the one script of the sandbox', () => {
  const page = readFileSync(new URL('../../demo/index.html', import.meta.url), 'utf8');
  expect(page).toContain(`'sha256-${createHash('sha256').update(frameScript).digest('base64')}'`);
});
