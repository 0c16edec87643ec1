import { replay } from 'brooklet/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { record } from '../../review/recorded.ts';
import { play, schedules } from '../../support/schedule.ts';
import { seeded } from '../../support/seeded.ts';

describe('a replay', () => {
  test('repeats a session with approvals, an edited input, a failed tool, a compaction and a failed run', async () => {
    const { stored, requests } = await record();
    const replayed = await replay(stored.events);
    expect(JSON.parse(JSON.stringify(replayed.requests))).toEqual(JSON.parse(JSON.stringify(requests)));
  });

  test('repeats every session of random people, tabs and answers', { timeout: 240_000 }, async () => {
    let replayed = 0;
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const { log } = await play(schedule, { agent: { instructions: 'Be brief.' } });
        await replay(JSON.parse(JSON.stringify(log)));
        replayed++;
      }),
      seeded(40, 8),
    );
    expect(replayed).toBeGreaterThan(5);
  });
});
