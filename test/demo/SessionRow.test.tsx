import { fireEvent, render, screen } from '@testing-library/react';
import type { JsonObject, SessionStatus, SessionSummary, WaitingCall } from 'brooklet';
import { expect, test, vi } from 'vitest';
import { SessionRow, type SessionRowActions } from '../../demo/src/sessions/SessionRow.tsx';

const today = new Date(2026, 10, 22).getTime();

function show(status: SessionStatus, metadata: JsonObject = {}, more: Pick<SessionSummary, 'waiting'> = {}) {
  const usage = { input: 0, output: 0 };
  const counted = { status, messageCount: 2, usage, seq: 9 };
  const summary = { id: 's', title: 'Pay', createdAt: 0, updatedAt: today, metadata, ...counted, ...more };
  const actions = {
    onOpen: vi.fn<SessionRowActions['onOpen']>(),
    onRename: vi.fn<SessionRowActions['onRename']>(),
    onPin: vi.fn<SessionRowActions['onPin']>(),
    onExport: vi.fn<SessionRowActions['onExport']>(),
    onRemove: vi.fn<SessionRowActions['onRemove']>(),
  };
  render(<SessionRow summary={summary} isCurrent={false} today={today} actions={actions} />);
  return { summary, actions };
}

const openMenu = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Actions for Pay' }));
const menuItem = (name: string): HTMLElement => screen.getByRole('menuitem', { name });

test('marks a session whose calls await a decision', () => {
  show('waiting');
  expect(screen.getByRole('img', { name: 'Waiting for your decision' }).closest('a')?.title).toBe('Pay');
});

test('says what a session waits for, also beside a call that runs', () => {
  const call: WaitingCall = { callId: 'c', name: 'edit_file', kind: 'approval', requestedAt: today };
  const question: WaitingCall = { ...call, callId: 'q', name: 'ask_user', kind: 'question', label: 'Which card?' };
  show('running', {}, { waiting: [call, question] });
  expect(screen.getByText('Edit a file +1')).toBeTruthy();
  expect(screen.getByRole('img', { name: 'Waiting for your decision: Edit a file, Which card?' })).toBeTruthy();
});

test('marks no session that is idle, and shows when it was changed', () => {
  show('idle');
  expect(screen.getByRole('link', { name: /^Pay/ })).toBeTruthy();
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByText('12:00 AM').closest('time')?.dateTime).toBe(new Date(today).toISOString());
});

test('offers to pin a session, and to unpin a pinned one', () => {
  const { summary, actions } = show('idle', { pinned: true });
  openMenu();
  fireEvent.click(menuItem('Unpin'));
  expect(actions.onPin).toHaveBeenCalledWith(summary, true);
});

test('renames in place, and keeps the title after Escape', () => {
  const { summary, actions } = show('idle');
  for (const [key, title] of [
    ['Escape', 'No'],
    ['Enter', 'Yes'],
  ] as const) {
    openMenu();
    fireEvent.click(menuItem('Rename'));
    const field = screen.getByRole('textbox', { name: 'Title' });
    fireEvent.change(field, { target: { value: title } });
    fireEvent.keyDown(field, { key });
  }
  expect(actions.onRename.mock.calls).toEqual([[summary, 'Yes']]);
});

test('moves through the menu by keyboard, and returns the focus', () => {
  show('idle');
  openMenu();
  expect(document.activeElement).toBe(menuItem('Pin'));
  const menu = screen.getByRole('menu');
  fireEvent.keyDown(menu, { key: 'ArrowUp' });
  expect(document.activeElement).toBe(menuItem('Delete'));
  fireEvent.keyDown(menu, { key: 'Home' });
  expect(document.activeElement).toBe(menuItem('Pin'));
  fireEvent.keyDown(menu, { key: 'Escape' });
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Actions for Pay' }));
});
