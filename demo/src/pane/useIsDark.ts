import { useSyncExternalStore } from 'react';

const dark = '(prefers-color-scheme: dark)';

function subscribe(notify: () => void): () => void {
  const query = matchMedia(dark);
  const observer = new MutationObserver(notify);
  query.addEventListener('change', notify);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    query.removeEventListener('change', notify);
    observer.disconnect();
  };
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === 'dark' || (theme !== 'light' && matchMedia(dark).matches);
}

/** Returns whether the page is dark: as the person has chosen, else as the system is. */
export const useIsDark = (): boolean => useSyncExternalStore(subscribe, isDark);
