import type { SessionSummary } from 'brooklet';

/** Sessions of the same age. */
export interface AgeGroup {
  readonly label: string;
  readonly sessions: readonly SessionSummary[];
}

const day = 86_400_000;

/** Groups sessions by their last change, in the given order. `today`: the start of today, in ms since the epoch. */
export function groupByAge(sessions: readonly SessionSummary[], today: number): readonly AgeGroup[] {
  const labelOf = ({ updatedAt }: SessionSummary): string => {
    if (updatedAt >= today) return 'Today';
    if (updatedAt >= today - day) return 'Yesterday';
    if (updatedAt >= today - 7 * day) return 'Last seven days';
    return 'Older';
  };
  const groups = new Map<string, SessionSummary[]>();
  for (const session of sessions) {
    const label = labelOf(session);
    const group = groups.get(label);
    if (group) group.push(session);
    else groups.set(label, [session]);
  }
  return [...groups].map(([label, group]) => ({ label, sessions: group }));
}
