import type { ListOptions } from '../core/model/store.ts';
import { named, type OptionNames } from '../core/model/shapes/named.ts';
import { AgentError, fail } from '../core/error.ts';
import { parseJson } from '../core/json.ts';
import { checkWhere } from './where.ts';

/** Where a page of the list ends: the row's `updatedAt`, and its id to order rows of the same time. */
export type Place = [updatedAt: number, id: string];

export function toCursor(place: IDBValidKey | Readonly<Place>): string {
  return JSON.stringify(place);
}

/** @throws AgentError `INVALID_INPUT` for a limit that is not a whole number from 1 on */
export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1)
    fail('INVALID_INPUT', `The limit of a list must be a whole number from 1 on.`);
}

const listNames: OptionNames<ListOptions> = {
  limit: true,
  cursor: true,
  search: true,
  where: true,
  waiting: true,
  children: true,
  signal: true,
  onProgress: true,
};

/**
 * Returns the options of a list.
 *
 * @throws AgentError `INVALID_CONFIG` for an unknown name: a filter that is ignored would show every session; `INVALID_INPUT` for a value that
 * cannot be filtered by
 */
export function checkList(options: ListOptions = {}): ListOptions {
  const { where } = named(options, listNames, 'list');
  checkWhere(where);
  return options;
}

/** @throws AgentError `INVALID_INPUT` for a string that `toCursor` did not return */
export function parseCursor(cursor: string): Place {
  const place = parseJson(cursor);
  if (Array.isArray(place)) {
    const [updatedAt, id]: readonly unknown[] = place;
    if (typeof updatedAt === 'number' && typeof id === 'string') return [updatedAt, id];
  }
  throw new AgentError('The cursor is invalid: pass the `cursor` of a page of this list.', {
    code: 'INVALID_INPUT',
  });
}
