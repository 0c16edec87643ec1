import { createStored } from '../base/stored.ts';

/** Names of the skills that the user has switched off. */
export const switchedOff = createStored<readonly string[]>('brooklet-studio:skills-off', {
  read(text) {
    try {
      const names: unknown = JSON.parse(text ?? '[]');
      return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
    } catch {
      return [];
    }
  },
  write: (names) => (names.length === 0 ? undefined : JSON.stringify(names)),
});
