import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ValidForm } from '../../demo/src/ui/ValidForm.tsx';

test('says what is missing in the words of the page, one field at a time, and then submits', () => {
  const onSubmit = vi.fn<() => void>();
  render(
    <ValidForm aria-label="Sign in" onSubmit={onSubmit}>
      <label>
        <span>User</span>
        <input required />
      </label>
      <label>
        <span>Passphrase</span>
        <input type="password" required />
      </label>
      <button type="submit">Connect</button>
    </ValidForm>,
  );
  const press = () => fireEvent.click(screen.getByText('Connect'));
  press();
  const user = screen.getByLabelText('User');
  expect(screen.getByRole('alert').textContent).toBe('User: fill this in.');
  expect(user.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(user);
  fireEvent.input(user, { target: { value: 'ada' } });
  expect(screen.queryByRole('alert')).toBeNull();
  expect(user.hasAttribute('aria-invalid')).toBe(false);
  press();
  expect(screen.getByRole('alert').textContent).toBe('Passphrase: fill this in.');
  fireEvent.input(screen.getByLabelText('Passphrase'), { target: { value: 'secret' } });
  press();
  expect(onSubmit).toHaveBeenCalledOnce();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('says what the page has found by itself', () => {
  render(
    <ValidForm onSubmit={() => {}}>
      <input aria-label="Again" ref={(field) => field?.setCustomValidity('The two passphrases are different.')} />
      <button type="submit">Save</button>
    </ValidForm>,
  );
  fireEvent.click(screen.getByText('Save'));
  expect(screen.getByRole('alert').textContent).toBe('The two passphrases are different.');
});
