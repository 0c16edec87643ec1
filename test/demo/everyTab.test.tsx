import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { followTheme } from '../../demo/src/base/theme.ts';
import { Appearance } from '../../demo/src/settings/Appearance.tsx';
import { followLanguage } from '../../demo/src/texts/language.ts';
import { until } from '../support/until.ts';

afterEach(cleanup);

/** What the browser does in this tab when another one has written a setting. */
function writeElsewhere(name: string, value: string | null): void {
  const key = `brooklet-studio:${name}`;
  if (value === null) localStorage.removeItem(key);
  else localStorage.setItem(key, value);
  act(() => void dispatchEvent(new StorageEvent('storage', { key, newValue: value, storageArea: localStorage })));
}

it('shows the language and the theme that another tab has chosen', async () => {
  followTheme();
  await followLanguage();
  render(<Appearance />);
  const { documentElement: root } = document;
  expect(root.lang).toBe('en');

  writeElsewhere('language', 'zh');
  writeElsewhere('theme', 'dark');
  await act(() => until(() => expect(root.lang).toBe('zh-CN')));
  expect(root.dataset['theme']).toBe('dark');
  expect(await screen.findByRole('group', { name: '主题' })).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '深色' }).checked).toBe(true);

  writeElsewhere('language', null);
  writeElsewhere('theme', null);
  await act(() => until(() => expect(root.lang).toBe('en')));
  expect(root.dataset['theme']).toBe('system');
});

it('stays in the language that was chosen last, though its texts come first', async () => {
  await followLanguage();
  writeElsewhere('language', 'zh');
  writeElsewhere('language', 'en');
  // The texts of both are there then.
  await import('../../demo/src/texts/zh/zh.ts');
  await Promise.resolve();
  expect(document.documentElement.lang).toBe('en');
});
