import type { SessionSummary } from '../../index.ts';
import type { SessionsLabels } from '../labels/sessions-english.ts';
import type { SessionListProps } from './props.ts';

/** Sessions under one heading. */
export interface Group {
  readonly key: string;
  /** Without one the group has no heading. */
  readonly label?: string;
  readonly sessions: readonly SessionSummary[];
  /** Whether its heading opens and closes it. */
  readonly isArchive?: boolean;
}

const day = 86_400_000;

export const isPinned = ({ metadata }: SessionSummary): boolean => metadata?.['pinned'] === true;
export const isArchived = ({ metadata }: SessionSummary): boolean => metadata?.['archived'] === true;

interface GroupWays {
  /** The start of today, in ms since the epoch. */
  readonly today: number;
  readonly words: SessionsLabels;
  /** Whether the list is that of the archived ones: they need no group of their own. */
  readonly isArchive?: boolean;
}

/** Groups sessions in their given order. With ages: pinned ones first, archived ones last. */
export function toGroups(
  sessions: readonly SessionSummary[],
  groupBy: NonNullable<SessionListProps['groupBy']>,
  { today, words, isArchive = false }: GroupWays,
): readonly Group[] {
  const groups = new Map<string, { label: string | undefined; sessions: SessionSummary[] }>();
  const add = (key: string, label: string | undefined, session: SessionSummary): void => {
    const group = groups.get(key);
    if (group) group.sessions.push(session);
    else groups.set(key, { label, sessions: [session] });
  };
  const archived: SessionSummary[] = [];
  const pinned: SessionSummary[] = [];
  for (const session of sessions)
    if (typeof groupBy === 'function') {
      const label = groupBy(session);
      add(label === undefined ? 'own' : `own:${label}`, label, session);
    } else if (!isArchive && isArchived(session)) archived.push(session);
    else if (isPinned(session)) pinned.push(session);
    else if (groupBy === 'none') add('all', undefined, session);
    else {
      const age = ageOf(session, today);
      add(age, words[age], session);
    }
  return [
    ...(pinned.length > 0 ? [{ key: 'pinned', label: words.pinned, sessions: pinned }] : []),
    ...[...groups].map(([key, { label, sessions }]) => ({ key, ...(label !== undefined && { label }), sessions })),
    ...(archived.length > 0
      ? [{ key: 'archived', label: words.archived(archived.length), sessions: archived, isArchive: true }]
      : []),
  ];
}

function ageOf({ updatedAt }: SessionSummary, today: number): 'today' | 'yesterday' | 'lastWeek' | 'older' {
  if (updatedAt >= today) return 'today';
  if (updatedAt >= today - day) return 'yesterday';
  return updatedAt >= today - 7 * day ? 'lastWeek' : 'older';
}
