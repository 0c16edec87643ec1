import type { ErrorTexts } from './errors-english.ts';
import { shortDate } from './shortDate.ts';

const count = (value: number): string => value.toLocaleString('en');

const sessionCures: ErrorTexts = {
  QUOTA_EXCEEDED: 'The storage is full. Delete conversations that you no longer need.',
  STORAGE_UNAVAILABLE: 'This browser stores nothing for this page: a private window, or blocked site data.',
  STORAGE_BLOCKED: 'Another tab of this page has an older version open. Close or reload it.',
  STORAGE_LOCKED: 'The conversations are encrypted. Unlock them first.',
  STORAGE_CONFLICT: 'Another tab has changed this conversation at the same time. Try again.',
  SESSION_BUSY: 'Another tab is working on this conversation. Wait until it has finished.',
  SESSION_REMOVED: 'This conversation was deleted.',
  SESSION_NOT_FOUND: 'This conversation is no longer in this browser.',
  SESSION_READ_ONLY: 'This conversation can only be read.',
};

const sessionTexts = {
  label: 'Conversations',
  untitled: 'New conversation',
  search: 'Search conversations',
  clearSearch: 'Clear the search',
  found: (sessions: number, hasMore: boolean): string =>
    sessions === 0 ? 'Nothing found' : `${count(sessions)}${hasMore ? '+' : ''} found`,
  filters: 'Which conversations',
  all: 'All',
  inArchive: 'Archive',
  pinned: 'Pinned',
  today: 'Today',
  yesterday: 'Yesterday',
  lastWeek: 'Last seven days',
  older: 'Older',
  archived: (sessions: number): string => `Archived (${count(sessions)})`,
  loading: 'Loading…',
  more: 'Show older',
  end: (sessions: number): string => (sessions === 1 ? '1 conversation' : `${count(sessions)} conversations`),
  empty: 'Your conversations appear here.',
  notFound: (words: string): string => `No conversation contains “${words}”.`,
  noStore: 'This page stores no conversations.',
  /** @param today the start of today, in ms since the epoch */
  shortDate: (at: number, today: number): string => shortDate('en', at, today),
  date: (at: number): string => new Date(at).toLocaleString('en', { dateStyle: 'full', timeStyle: 'short' }),
  running: 'Working',
  waiting: 'Waiting for your decision',
  waitingFor: (calls: readonly string[]): string => `Waiting for your decision: ${calls.join(', ')}`,
  unread: 'Unread',
  unfinished: 'Did not finish',
  actions: (title: string): string => `Actions for ${title}`,
  pin: 'Pin',
  unpin: 'Unpin',
  rename: 'Rename',
  archive: 'Archive',
  unarchive: 'Move out of the archive',
  setLabels: 'Labels…',
  labelsOf: (title: string): string => `Labels of ${title}`,
  labelsOfMany: (sessions: number): string => `Labels of ${count(sessions)} conversations`,
  labelField: 'Find or add a label',
  addLabel: (label: string): string => `Add “${label}”`,
  labels: (labels: readonly string[]): string => `Labels: ${labels.join(', ')}`,
  noLabels: 'No label yet. Type the first one.',
  tooManyLabels: (most: number): string => `A conversation has at most ${count(most)} labels.`,
  done: 'Done',
  selectOne: 'Select',
  deselect: 'Deselect',
  remove: 'Delete',
  titleField: 'Title',
  select: (title: string): string => `Select ${title}`,
  selected: (sessions: number): string => `${count(sessions)} selected`,
  actionsForSelected: 'Actions for the selected conversations',
  clearSelection: 'Clear the selection',
  removed: (title: string): string => `“${title}” deleted`,
  removedMany: (sessions: number): string => `${count(sessions)} conversations deleted`,
  archivedNow: (title: string): string => `“${title}” archived`,
  archivedMany: (sessions: number): string => `${count(sessions)} conversations archived`,
  unarchivedNow: (title: string): string => `“${title}” moved out of the archive`,
  unarchivedMany: (sessions: number): string => `${count(sessions)} conversations moved out of the archive`,
  labelled: (label: string, sessions: number): string =>
    sessions === 1 ? `Label “${label}” added` : `Label “${label}” added to ${count(sessions)} conversations`,
  unlabelled: (label: string, sessions: number): string =>
    sessions === 1 ? `Label “${label}” removed` : `Label “${label}” removed from ${count(sessions)} conversations`,
  undo: 'Undo',
  dismiss: 'Dismiss',
  notRemoved: 'Not deleted.',
  notRestored: 'This conversation could not be brought back: the time for it is over.',
  failed: 'The list could not be read or changed.',
};

/** The texts of `SessionList`. */
export type SessionsLabels = typeof sessionTexts & {
  /** What helps, by the code of the error. Without a text here, the message of the error is shown. */
  readonly cures: ErrorTexts;
};

export const sessionsEnglish: SessionsLabels = { ...sessionTexts, cures: sessionCures };
