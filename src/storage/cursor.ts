import { AgentError } from '../core/error.ts';
import { parseJson } from '../core/json.ts';

/** Where a page of the list ends: the row's time and its id, for rows of the same time. */
export type Place = [updatedAt: number, id: string];

export function toCursor(place: IDBValidKey | Readonly<Place>): string {
  return JSON.stringify(place);
}

/** @throws AgentError `INVALID_INPUT` for what `toCursor` has not made */
export function parseCursor(cursor: string): Place {
  const place = parseJson(cursor);
  if (Array.isArray(place)) {
    const [updatedAt, id]: readonly unknown[] = place;
    if (typeof updatedAt === 'number' && typeof id === 'string') return [updatedAt, id];
  }
  throw new AgentError('The cursor is not one that this list gave.', { code: 'INVALID_INPUT' });
}
