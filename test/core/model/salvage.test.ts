import type { EventBody } from 'brooklet/core';
import { expect, test } from 'vitest';
import { salvage } from '../../../src/core/model/salvage.ts';
import { foldBodies, stamp, userMessage } from '../../support/events.ts';
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
