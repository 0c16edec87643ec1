import { createStored } from './stored.ts';

/** The colour theme; `system` follows the browser. */
export type Theme = 'system' | 'light' | 'dark';

const stored = createStored<Theme>('brooklet-studio:theme', {
  read: (text) => (text === 'light' || text === 'dark' ? text : 'system'),
  write: (theme) => (theme === 'system' ? undefined : theme),
});

/** The stored theme; emits when any tab changes it. */
export const theme$ = stored.value$;
export const getTheme = stored.get;

/** Stores and applies a theme, in all tabs. */
export function setTheme(theme: Theme): void {
  stored.change(() => theme);
  applyTheme(theme);
}

/** Applies the stored theme, now and when any tab changes it. */
export function followTheme(): void {
  theme$.subscribe(applyTheme);
}

/** The style sheets read the theme from the root element. */
function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}
