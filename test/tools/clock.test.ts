import { clockTool } from 'brooklet/tools';
import { describe, expect, it } from 'vitest';
import { run } from './run.ts';

const now = (): number => Date.UTC(2025, 0, 31, 23, 5, 9);

describe('clockTool', () => {
  it.each([
    ['Asia/Tokyo', '2025-02-01', '08:05:09', 'Saturday', '+09:00'],
    ['America/St_Johns', '2025-01-31', '19:35:09', 'Friday', '-03:30'],
    ['UTC', '2025-01-31', '23:05:09', 'Friday', '+00:00'],
  ])('returns the time in %s', async (timeZone, date, time, weekday, offset) => {
    const { output } = await run(clockTool({ now }), { timeZone });
    expect(output).toEqual({ date, time, weekday, timeZone, offset, utc: '2025-01-31T23:05:09.000Z' });
  });

  it('returns midnight as 00, not 24', async () => {
    const midnight = clockTool({ now: () => Date.UTC(2025, 0, 1), timeZone: 'UTC' });
    expect((await run(midnight, {})).output).toMatchObject({ date: '2025-01-01', time: '00:00:00' });
  });

  it('uses its time zone option, else the browser’s time zone', async () => {
    expect((await run(clockTool({ now, timeZone: 'Asia/Tokyo' }), {})).output).toMatchObject({
      timeZone: 'Asia/Tokyo',
    });
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect((await run(clockTool(), {})).output).toMatchObject({ timeZone });
  });

  it('reports an unknown time zone', async () => {
    await expect(run(clockTool({ now }), { timeZone: 'Mars/Olympus' })).rejects.toThrow(
      'There is no time zone "Mars/Olympus". Give an IANA name, such as Asia/Tokyo.',
    );
  });

  it('makes a summary of one line', async () => {
    const { presentation } = await run(clockTool({ now }), { timeZone: 'Asia/Tokyo' });
    expect(presentation.summary).toBe('Saturday, 2025-02-01 08:05:09 (Asia/Tokyo)');
  });
});
