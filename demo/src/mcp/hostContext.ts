import type { JsonObject } from 'brooklet';
import { distinctUntilChanged, fromEvent, map, merge, Observable, startWith } from 'rxjs';

/** The names of the specification for the colours and fonts of this page. */
const variables: Readonly<Record<string, string>> = {
  '--color-background-primary': '--surface',
  '--color-background-secondary': '--sunken',
  '--color-text-primary': '--ink',
  '--color-text-secondary': '--ink-soft',
  '--color-text-tertiary': '--ink-faint',
  '--color-text-info': '--water',
  '--color-text-danger': '--red',
  '--color-text-success': '--green',
  '--color-border-primary': '--line-strong',
  '--color-border-secondary': '--line',
  '--color-ring-primary': '--water',
  '--font-sans': '--sans',
  '--font-mono': '--mono',
  '--border-radius-md': '--radius-small',
  '--border-radius-lg': '--radius',
};

/** Returns what an interface is told about this page: its theme, its language, its colours and fonts. */
export function hostContext(): JsonObject {
  const root = document.documentElement;
  const style = getComputedStyle(root);
  const chosen = root.dataset['theme'];
  const theme = chosen === 'light' || chosen === 'dark' ? chosen : prefersDark().matches ? 'dark' : 'light';
  return {
    theme,
    locale: root.lang,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    styles: {
      variables: Object.fromEntries(
        Object.entries(variables).map(([name, own]) => [name, style.getPropertyValue(own).trim()]),
      ),
    },
  };
}

/** Emits what has changed about the theme and the language. Emits the current values on subscription. */
export const hostChanges$: Observable<JsonObject> = merge(
  new Observable<void>((subscriber) => {
    const observer = new MutationObserver(() => subscriber.next());
    observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'lang'] });
    return () => observer.disconnect();
  }),
  new Observable<void>((subscriber) => fromEvent(prefersDark(), 'change').subscribe(() => subscriber.next())),
).pipe(
  startWith(undefined),
  map(() => {
    const { theme = '', locale = '' } = hostContext();
    return { theme, locale };
  }),
  distinctUntilChanged((a, b) => a.theme === b.theme && a.locale === b.locale),
);

function prefersDark(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}
