import { exportSession, readExport } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { record } from '../review/recorded.ts';

describe('reading an exported file without a store', () => {
  test('returns the events of each session unchanged', async () => {
    const { stored } = await record();
    const file = exportSession(stored);
    const { sessions, problem } = await readExport(new Blob([file]));
    expect(sessions).toEqual([{ id: stored.summary.id, events: stored.events }]);
    expect(problem).toBeUndefined();
  });

  test('returns what is before the first line that cannot be read, and why', async () => {
    const { stored } = await record();
    const lines = exportSession(stored).split('\n');
    const cut = await readExport([...lines.slice(0, 6), lines[6]?.slice(0, 9)].join('\n'));
    expect(cut.sessions[0]?.events).toEqual(stored.events.slice(0, 5));
    expect(cut.problem).toEqual({ line: 7, field: '', reason: 'is not JSON' });

    const forged = await readExport(lines.with(4, '{"type":"message.added","seq":4,"at":1,"v":2}').join('\n'));
    expect(forged.sessions[0]?.events).toEqual(stored.events.slice(0, 3));
    expect(forged.problem?.line).toBe(5);
  });

  test.each([
    ['an empty file', ''],
    ['another file', '{"a":1}\n{"b":2}'],
    ['a newer file', '{"format":"brooklet","version":9,"head":{"id":"s"}}\n{}'],
  ])('returns no session of %s, and why', async (_name, text) => {
    const { sessions, problem } = await readExport(text);
    expect(sessions).toEqual([]);
    expect(problem?.line).toBe(1);
  });
});
