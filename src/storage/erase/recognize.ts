import type { IDBPDatabase } from 'idb';

/** What a database of this package stores. */
export type DatabaseKind = 'sessions' | 'keys' | 'notes' | 'devices';

/** The tables that a database of sessions has in every version. */
const sessionTables = ['events', 'blobs', 'meta', 'sessions'];

/** The only table of each other database. A page may have such a table of its own: the name of the database decides, too. */
const onlyTables: Readonly<Record<string, DatabaseKind>> = { vault: 'keys', notes: 'notes', device: 'devices' };

/**
 * Returns what a database stores, by its tables; `undefined` for a database of the page or of another package.
 *
 * @param isOurs whether its name says that this package made it: then its only table decides
 */
export function recognize(
  { objectStoreNames }: Pick<IDBPDatabase, 'objectStoreNames'>,
  isOurs: boolean,
): DatabaseKind | undefined {
  const tables = Array.from(objectStoreNames);
  if (sessionTables.every((table) => tables.includes(table))) return 'sessions';
  const [only = ''] = tables;
  return isOurs && tables.length === 1 && Object.hasOwn(onlyTables, only) ? onlyTables[only] : undefined;
}
