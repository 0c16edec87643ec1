import { firstSeq } from '../../core/model/coalesce.ts';
import type { SessionEvent } from '../../core/model/event.ts';

/** Returns the ranges that a write above `common` replaces: what the other side has stored of a text that has grown. */
export function replacedBy(events: readonly SessionEvent[], common: number): readonly (readonly [number, number])[] {
  const [first] = events;
  return first !== undefined && firstSeq(first) <= common ? [[firstSeq(first), common]] : [];
}
