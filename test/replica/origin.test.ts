import type { StoredSession } from 'brooklet/core';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { classify, type Place } from '../../src/sync/replica/classify.ts';
import { factsOf, nameOf, stamp, upcastName } from '../../src/sync/replica/origin.ts';

/** A row that a version before `SessionSummary.origin` has stored, and what that version read in its id. */
interface OldRow {
  readonly place: Place;
  readonly states: { readonly device?: string; readonly kind?: 'mark' | 'row' | 'kept' };
  readonly stored: StoredSession;
}

// Written by the version before, and never changed: these rows are in databases.
const rows: readonly OldRow[] = JSON.parse(await readFile('test/replica/golden/old-rows.json', 'utf8'));

test('an old row states in its id what that version read there', () => {
  expect(new Set(rows.map(({ states }) => states.kind))).toEqual(new Set([undefined, 'mark', 'row', 'kept']));
  for (const { states, stored } of rows) {
    const { of: _of, ...facts } = factsOf(stored);
    expect({ id: stored.writeId, ...facts }).toEqual({ id: stored.writeId, ...states });
  }
});

test('an old row is what it was on its side', () => {
  for (const { place, states, stored } of rows) {
    const is = states.kind === 'mark' || (states.kind === 'row' && place === 'here') ? states.kind : 'log';
    const state = classify(place, stored, false);
    expect([stored.writeId, state.is]).toEqual([stored.writeId, is]);
    if (state.is !== 'log') continue;
    expect(state.device).toBe(states.device);
    expect(state.isUntouchedFork).toBe(states.kind === 'kept');
  }
});

test.each([
  ['', { name: '' }],
  ['no lineage', { name: 'no lineage' }],
  ['L/1', { name: '1' }],
  ['L/Ann%3A:1', { name: '1', device: 'Ann:' }],
  ['L/100%:1', { name: '1', device: '100%' }],
  ['L/Ann:listed-1', { name: 'listed-1', device: 'Ann' }],
  ['L/removing-1', { name: 'removing-1', kind: 'mark' }],
  ['L/Ann:removing-1', { name: 'removing-1', device: 'Ann', kind: 'mark' }],
  ['L/kept-1', { name: 'kept-1', kind: 'kept', of: '1' }],
] as const)('reads the old id %j', (writeId, content) => {
  expect(upcastName(writeId)).toEqual(content);
});

test('a write has the same name on both sides, whatever is stated of it', () => {
  for (const name of ['1', 'kept-1']) {
    const { writeId } = stamp('L', name, {});
    expect(nameOf(stamp('other', nameOf(writeId), { device: 'Ann: 1/2 %' }).writeId)).toBe(name);
  }
  const mark = stamp('L', '1', { kind: 'mark' });
  expect(nameOf(stamp('L', nameOf(mark.writeId), { kind: 'mark', device: 'Ann' }).writeId)).toBe(nameOf(mark.writeId));
});

test('the fields of a row are read, not its id', () => {
  const [{ stored } = expect.unreachable()] = rows;
  const origin = { writeId: 'L/Bob:removing-1', device: 'Ann' };
  const state = { ...stored, writeId: origin.writeId, summary: { ...stored.summary, origin } };
  expect(factsOf(state)).toEqual(origin);
  expect(classify('here', state, false)).toMatchObject({ is: 'log', device: 'Ann' });
});

test('a row that is older than the last write states nothing of it', () => {
  const [{ stored } = expect.unreachable()] = rows;
  const origin = { writeId: 'L/1', device: 'Ann', kind: 'kept' } as const;
  expect(factsOf({ ...stored, writeId: 'L/2', summary: { ...stored.summary, origin } })).toEqual({});
});

test('a mark of the remote store needs the content of a mark', () => {
  const mark = rows.find(({ place, states }) => place === 'there' && states.kind === 'mark') ?? expect.unreachable();
  const { stored } = mark;
  expect(classify('there', stored, false).is).toBe('mark');
  const summary = { ...stored.summary, messageCount: 1 };
  expect(classify('there', { ...stored, summary }, false).is).toBe('log');
  expect(classify('there', { ...stored, events: [] }, false).is).toBe('log');
});

test('a side without a log was removed, or is missing', () => {
  expect(classify('here', undefined, true)).toEqual({ is: 'removed' });
  expect(classify('there', undefined, false)).toEqual({ is: 'missing' });
});
