import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldLog } from '../../src/core/model/fold.ts';
import { latestMessages } from '../../src/core/model/latest-messages.ts';
import { patient } from '../support/events.ts';
import { play, schedules } from '../support/schedule.ts';
import { seeded } from '../support/seeded.ts';

test('the end of a log shows the end of its conversation, wherever it begins', patient, async () => {
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const { log } = await play(schedule);
      const { messages } = foldLog('s', log);
      for (const place of log.keys()) {
        const shown = latestMessages('s', log.slice(place));
        expect(shown).toEqual(messages.slice(messages.length - shown.length));
      }
    }),
    seeded(40),
  );
});
