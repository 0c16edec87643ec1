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
  ])('count the primes below %i, and report their progress', async (below, primes) => {
    const reported: unknown[] = [];
    const { output, presentation } = await run(
      countPrimes,
      { below },
      { progress: (value) => void reported.push(value) },
    );
    expect(output).toEqual({ below, primes });
    expect(presentation.summary).toBe(`${primes.toLocaleString('en')} primes below ${below.toLocaleString('en')}`);
    expect(reported.at(-1)).toEqual({ done: below, total: below });
  });

  it('stop counting when they are cancelled', async () => {
    const controller = new AbortController();
    let reports = 0;
    const progress = (): void => {
      reports += 1;
      controller.abort();
    };
    await expect(run(countPrimes, { below: 100_000_000 }, { signal: controller.signal, progress })).rejects.toThrow(
      'aborted',
    );
    expect(reports).toBe(1);
  });

  it('ask for an approval before they change something', async () => {
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

it('the page’s content security policy allows the script of the sandbox', () => {
  const page = readFileSync(new URL('../../demo/index.html', import.meta.url), 'utf8');
  expect(page).toContain(`'sha256-${createHash('sha256').update(frameScript).digest('base64')}'`);
});
