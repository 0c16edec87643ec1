import { describe, expect, test } from 'vitest';
import { isSummary, readSummary } from '../../../src/storage/rows/rows.ts';
import { toLog } from '../../../src/storage/rows/to-log.ts';

const row = {
  id: 's',
  title: 'T',
  createdAt: 1,
  updatedAt: 2,
  status: 'idle',
  messageCount: 3,
  usage: { input: 4, output: 5 },
  seq: 6,
};
const event = { type: 'session.renamed', title: 'x', seq: 2, at: 1, v: 2 };

describe('the row of a session', () => {
  test('is read as it is', () => {
    expect(isSummary(row)).toBe(true);
    expect(readSummary(row)).toBe(row);
  });

  test.each([
    ['nothing', null],
    ['a text', 'Ann'],
    ['no id of a write', { device: 'Ann' }],
    ['a device that is no text', { writeId: 'L/1', device: 7 }],
    ['a kind that is no text', { writeId: 'L/1', kind: {} }],
  ])('is read without an origin that is %s', (_what, origin) => {
    expect(readSummary({ ...row, origin })).toEqual(row);
  });

  test('is read with its origin, also of a kind that a newer version states', () => {
    for (const origin of [
      { writeId: 'L/1', device: 'Ann', kind: 'mark' },
      { writeId: 'L/1', kind: 'newer' },
    ])
      expect(readSummary({ ...row, origin })).toEqual({ ...row, origin });
  });

  test.each(Object.keys(row))('cannot be shown without %s', (key) => {
    expect(isSummary({ ...row, [key]: undefined })).toBe(false);
    expect(isSummary({ ...row, [key]: null })).toBe(false);
  });

  test('that is damaged yields its keys, so that its session can be exported and removed', () => {
    const readable = { title: '', status: 'idle', messageCount: 0, usage: { input: 0, output: 0 } };
    expect(readSummary({ ...row, title: 7 })).toEqual({ ...readable, id: 's', createdAt: 2, updatedAt: 2, seq: 6 });
    expect(readSummary({ id: 's', seq: 6, updatedAt: 'never' })).toEqual({
      ...readable,
      id: 's',
      createdAt: 0,
      updatedAt: 0,
      seq: 6,
    });
    for (const none of [undefined, null, 'text', [row], { id: 7 }])
      expect(readSummary(none)).toEqual({ ...readable, id: '', createdAt: 0, updatedAt: 0, seq: NaN });
  });
});

describe('the rows of events', () => {
  test('are one event or a list each, sorted by number, from a number on', () => {
    const at = (seq: number) => ({ ...event, seq });
    const rows = [[at(1), at(2), at(5)], at(3), at(4)];
    expect(toLog(rows).events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(toLog(rows, 2).events.map(({ seq }) => seq)).toEqual([3, 4, 5]);
    expect(toLog(rows).unread).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['no object', 'text'],
    ['an empty list', []],
    ['without a type', { ...event, type: undefined }],
    ['without a number', { ...event, seq: '2' }],
    ['without a time', { ...event, at: undefined }],
    ['without a version', { ...event, v: undefined }],
  ])('are counted where they cannot be read: %s', (_what, odd) => {
    expect(toLog([event, odd])).toEqual({ events: [event], unread: [odd] });
  });
});
