import type { Usage } from 'brooklet';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromTokenUsage, toTokenUsage } from '../../src/agui/token-usage.ts';
import { totalInput } from '../../src/core/model/message.ts';

const count = fc.nat({ max: 1_000_000 });

test('tokens keep their totals on the way out and back', () => {
  const usage = fc.record(
    { input: count, output: count, cached: count, reasoning: count, cacheRead: count, cacheWritten: count },
    { requiredKeys: ['input', 'output'] },
  );
  fc.assert(
    fc.property(usage, (given: Usage) => {
      const back = fromTokenUsage([toTokenUsage(given, 'm')]);
      expect(totalInput(back)).toBe(totalInput(given));
      expect([back.output, back.reasoning]).toEqual([given.output, given.reasoning]);
      expect(back.cached ?? 0).toBe((given.cached ?? 0) + (given.cacheRead ?? 0));
    }),
  );
});
