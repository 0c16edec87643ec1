import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { NotificationsSwitch } from '../../demo/src/notify/NotificationsSwitch.tsx';
import { notifications } from '../../demo/src/notify/notifications.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  notifications.change(() => false);
});

const choose = (): HTMLInputElement => screen.getByRole('checkbox', { name: 'Notify me' });

test('asks for the permission in the gesture that switches the notifications on, and says where it is refused', async () => {
  const requestPermission = vi.fn(async () => 'denied' as const);
  vi.stubGlobal('Notification', { permission: 'default', requestPermission });
  render(<NotificationsSwitch />);
  expect(choose().checked).toBe(false);
  fireEvent.click(choose());
  await waitFor(() => expect(requestPermission).toHaveBeenCalledTimes(1));
  await screen.findByText(/the title of the page has a number instead/u);
  expect([choose().checked, notifications.get()]).toEqual([true, true]);
  fireEvent.click(choose());
  expect(notifications.get()).toBe(false);
  expect(requestPermission).toHaveBeenCalledTimes(1);
});
