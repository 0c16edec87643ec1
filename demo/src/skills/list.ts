import { isJsonObject } from 'brooklet/core';
import { createStored } from '../base/stored.ts';

/** A source in the list. Its content is in the database. */
interface ListedSource {
  readonly label: string;
  /** ms since the epoch */
  readonly addedAt: number;
}

/** The list of the sources of the user. */
export const skillSources = createStored<readonly ListedSource[]>('brooklet-studio:skills', {
  read(text) {
    try {
      const list: unknown = JSON.parse(text ?? '[]');
      return Array.isArray(list) ? list.flatMap(readListed) : [];
    } catch {
      return [];
    }
  },
  write: (list) => (list.length === 0 ? undefined : JSON.stringify(list)),
});

function readListed(value: unknown): readonly ListedSource[] {
  if (!isJsonObject(value) || typeof value['label'] !== 'string') return [];
  return [{ label: value['label'], addedAt: Number(value['addedAt']) || 0 }];
}
