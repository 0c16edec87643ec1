import { createStored } from '../base/stored.ts';

/** The conversations that were kept from this device, and whose note the user has closed. */
export const seenForks = createStored<readonly string[]>('brooklet-studio:seen-forks', {
  read(text) {
    try {
      const ids: unknown = JSON.parse(text ?? '[]');
      return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
    } catch {
      return [];
    }
  },
  write: (ids) => (ids.length === 0 ? undefined : JSON.stringify(ids)),
});
