import { rebuildRequest } from 'brooklet/context';
import { createReview } from 'brooklet/review';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { play, schedules } from '../support/schedule.ts';
import { seeded } from '../support/seeded.ts';

test('the steps of any session have the requests that were sent', { timeout: 120_000 }, async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const { log, asked } = await play(schedule, {
        agent: {
          instructions: 'Be brief.',
          contextWindow: 900,
          context: { strategy: () => 'They talked.', toolOutput: 4, trigger: 0.3, target: 0.2 },
        },
      });
      const stored: typeof log = JSON.parse(JSON.stringify(log));
      const { steps } = createReview(stored);
      for (const { messageId, request } of steps) {
        const sent = asked.find((one) => one.messageId === messageId);
        expect(request).toEqual(rebuildRequest(log, messageId));
        if (sent) expect(request).toEqual(JSON.parse(JSON.stringify(sent.request)));
        compared++;
      }
    }),
    seeded(40, 8),
  );
  expect(compared).toBeGreaterThan(5);
});
