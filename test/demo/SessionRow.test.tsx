import { render, screen } from '@testing-library/react';
import type { SessionStatus } from 'brooklet';
import { expect, test } from 'vitest';
import { SessionRow } from '../../demo/src/sessions/SessionRow.tsx';

const nothing = (): void => {};

function show(status: SessionStatus): void {
  const usage = { input: 0, output: 0 };
  const summary = { id: 's', title: 'Pay', createdAt: 0, updatedAt: 0, status, messageCount: 2, usage, seq: 9 };
  render(<SessionRow summary={summary} isCurrent={false} onOpen={nothing} onRename={nothing} onRemove={nothing} />);
}

test('marks a session whose calls await a decision', () => {
  show('waiting');
  expect(screen.getByRole('img', { name: 'waiting for you' }).closest('a')?.title).toBe('Pay');
});

test('marks no session that is idle', () => {
  show('idle');
  expect(screen.getByRole('link', { name: 'Pay' })).toBeTruthy();
  expect(screen.queryByRole('img')).toBeNull();
});
