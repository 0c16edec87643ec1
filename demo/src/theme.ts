import { readLocal, writeLocal } from './local.ts';

export type Theme = 'system' | 'light' | 'dark';

const key = 'brooklet-studio:theme';

export function getTheme(): Theme {
  const theme = readLocal(key);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function setTheme(theme: Theme): void {
  writeLocal(key, theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}
