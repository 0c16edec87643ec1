import type { SessionSummary } from 'brooklet';

export interface AgeGroup {
  readonly label: string;
  readonly heads: readonly SessionSummary[];
}

const day = 86_400_000;

/** Sessions by when something last happened in them, in the order given. `today`: its beginning, ms since the epoch. */
export function groupByAge(heads: readonly SessionSummary[], today: number): readonly AgeGroup[] {
  const labelOf = ({ updatedAt }: SessionSummary): string => {
    if (updatedAt >= today) return 'Today';
    if (updatedAt >= today - day) return 'Yesterday';
    if (updatedAt >= today - 7 * day) return 'Last seven days';
    return 'Older';
  };
  const groups = new Map<string, SessionSummary[]>();
  for (const head of heads) {
    const label = labelOf(head);
    const group = groups.get(label);
    if (group) group.push(head);
    else groups.set(label, [head]);
  }
  return [...groups].map(([label, inGroup]) => ({ label, heads: inGroup }));
}
