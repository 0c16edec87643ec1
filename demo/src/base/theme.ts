import { readLocal, writeLocal } from './local.ts';

/** The colour theme; `system` follows the browser. */
export type Theme = 'system' | 'light' | 'dark';

const key = 'brooklet-studio:theme';

/** Returns the stored theme. */
export function getTheme(): Theme {
  const theme = readLocal(key);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Stores and applies a theme. */
export function setTheme(theme: Theme): void {
  writeLocal(key, theme);
  applyTheme(theme);
}

/** The style sheets read the theme from the root element. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}
