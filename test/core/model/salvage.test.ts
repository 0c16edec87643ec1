import { type EventBody, eventVersion, type SessionEvent } from 'brooklet/core';
import { expect, test } from 'vitest';
import { salvage } from '../../../src/core/model/salvage.ts';
import { foldBodies, stamp, userMessage } from '../../support/events.ts';
import type { StoredSession } from '../../../src/core/model/store.ts';
import { toSummary } from '../../../src/core/model/summary.ts';

const bodies: readonly EventBody[] = [
  { type: 'session.started', sessionId: 's', title: 'Otters' },
  { type: 'message.added', message: { ...userMessage('a'), role: 'assistant' } },
];
const summary = toSummary(foldBodies(...bodies));

test('a whole log has no damage', () => {
  const { state, damage } = salvage('s', { summary, events: stamp(bodies) });
  expect([state.title, damage]).toEqual(['Otters', undefined]);
});

test('a log that lost its first event keeps the title of the list', () => {
  const { state, damage } = salvage('s', { summary, events: stamp(bodies).slice(1), damage: 'event 1' });
  expect([state.title, state.messages.length, damage?.code]).toEqual(['Otters', 1, 'STORAGE_CORRUPT']);
});

test('a log that lost another event keeps its title', () => {
  const { state } = salvage('s', { summary: { ...summary, title: '' }, events: stamp(bodies), damage: 'event 3' });
  expect(state.title).toBe('Otters');
});

test('a log whose events have all lost their beginning is damaged, although each can be read', () => {
  const { damage } = salvage('s', { summary, events: stamp(bodies), damage: 'the first block' });
  expect(damage?.message).toContain('the first block cannot be read');
});

/** A stored log of these records, whatever they are. */
const stored = (records: readonly unknown[]): StoredSession => {
  const events: readonly SessionEvent[] = JSON.parse(JSON.stringify(records));
  return { summary, events };
};

test('an event of a newer version makes the session read-only, and the others are shown', () => {
  const [first, second, third] = stamp([...bodies, { type: 'session.renamed', title: 'Last' }]);
  const { state, damage } = salvage('s', stored([first, { ...second, v: eventVersion + 1 }, third]));
  expect([state.title, state.messages.length, damage?.code]).toEqual(['Last', 0, 'SESSION_READ_ONLY']);
});

test('an event of an older version that nobody can convert is counted as damage', () => {
  const [first, second] = stamp(bodies);
  const { state, damage } = salvage('s', stored([{ ...first, v: -1 }, second]));
  expect([state.title, state.messages.length, damage?.code]).toEqual(['Otters', 1, 'STORAGE_CORRUPT']);
  expect(damage?.message).toContain('1 of its events');
});

test('what is no event, and a message without a list of parts, is left out and counted', () => {
  const message = { ...userMessage('b'), content: 'text' };
  const records = [...stamp(bodies), 'text', { type: 'message.added', message, seq: 3, at: 1, v: eventVersion }];
  const { state, damage } = salvage('s', stored(records));
  expect(state.messages.map(({ id }) => id)).toEqual(['a']);
  expect(damage?.message).toContain('2 of its events');
});
