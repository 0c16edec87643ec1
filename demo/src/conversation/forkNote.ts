import type { JsonObject } from 'brooklet';

/** Where a conversation comes from. */
export interface Fork {
  readonly id: string;
  readonly title: string;
}

/** Reads where a conversation comes from; `undefined` for one that is no fork. A file from elsewhere may contain anything. */
export function readFork({ forkedFrom, forkedFromId }: JsonObject = {}): Fork | undefined {
  return typeof forkedFromId === 'string' && typeof forkedFrom === 'string'
    ? { id: forkedFromId, title: forkedFrom.slice(0, 200) }
    : undefined;
}
