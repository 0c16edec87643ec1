import type { SessionSummary } from 'brooklet';
import { readMetadata } from './metadata.ts';

/** The age of a session, or that it is pinned. Also the name of its heading in the texts. */
type Age = 'pinned' | 'today' | 'yesterday' | 'lastWeek' | 'older';

/** Sessions of the same age. */
export interface AgeGroup {
  readonly age: Age;
  readonly sessions: readonly SessionSummary[];
}

const day = 86_400_000;

/**
 * Groups sessions by their last change, in the given order; pinned sessions come first. `today`: the start of today, in ms since the epoch.
 */
export function groupByAge(sessions: readonly SessionSummary[], today: number): readonly AgeGroup[] {
  const ageOf = ({ updatedAt, metadata }: SessionSummary): Age => {
    if (readMetadata(metadata).isPinned) return 'pinned';
    if (updatedAt >= today) return 'today';
    if (updatedAt >= today - day) return 'yesterday';
    if (updatedAt >= today - 7 * day) return 'lastWeek';
    return 'older';
  };
  const groups = new Map<Age, SessionSummary[]>([['pinned', []]]);
  for (const session of sessions) {
    const age = ageOf(session);
    const group = groups.get(age);
    if (group) group.push(session);
    else groups.set(age, [session]);
  }
  return [...groups].flatMap(([age, sessions]) => (sessions.length > 0 ? [{ age, sessions }] : []));
}
