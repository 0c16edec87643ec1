import type { ReactNode } from 'react';
import type { MetadataFilter } from '../../core/model/index.ts';
import type { AgentError, JsonObject, SessionSummary } from '../../index.ts';
import type { SessionsLabels } from '../labels/sessions-english.ts';

/**
 * The sessions of a list and what can be done with them: the result of `useSessions` of `brooklet/react/lists`, or what the page has in its
 * place. An action that is missing is not offered.
 */
export interface SessionListSource {
  /** In their order, each id once. */
  readonly sessions: readonly SessionSummary[];
  /** `false`: there is no store, and nothing will ever be listed. */
  readonly hasStore?: boolean | undefined;
  readonly isLoading?: boolean | undefined;
  readonly error?: AgentError | undefined;
  readonly hasMore?: boolean | undefined;
  readonly isLoadingMore?: boolean | undefined;
  readonly loadMore?: (() => void) | undefined;
  readonly rename?: ((sessionId: string, title: string) => unknown) | undefined;
  /** Merges fields into the metadata of a session; `null` removes a field. The list uses `pinned`, `archived` and `labels`. */
  readonly setMetadata?: ((sessionId: string, change: JsonObject) => unknown) | undefined;
  readonly remove?: ((sessionId: string) => unknown) | undefined;
  readonly restore?: ((sessionId: string) => unknown) | undefined;
}

/** What can be done with a session, or with all that are selected. */
export interface SessionAction {
  /** `pin`, `unpin`, `rename`, `label`, `archive`, `unarchive`, `select`, `remove`, or a name of the page's own. */
  readonly name: string;
  readonly label: string;
  /** Of an action of the page's own. Without one the bar of several sessions shows the label. */
  readonly icon?: ReactNode;
  /** Makes it a link. */
  readonly href?: string | undefined;
  readonly isDangerous?: boolean | undefined;
  readonly onSelect?: (() => void) | undefined;
}

/** What was done with sessions, and the way back. */
export interface UndoableChange {
  /** What happened, for a person: “Bakery” archived. */
  readonly text: string;
  readonly undo: () => void;
}

/** Props of `SessionList`. */
export interface SessionListProps {
  readonly sessions: SessionListSource;
  /** Id of the session that the page shows. */
  readonly current?: string | undefined;
  /** Returns the address of a session. Without this function its row is a button. */
  readonly href?: ((sessionId: string) => string) | undefined;
  /** Called when a person opens a session. With `event.preventDefault()` the page shows it without following the link. */
  readonly onOpen?: ((session: SessionSummary, event: { preventDefault(): void }) => void) | undefined;
  /** Returns what the menu of a session offers, or that of the selected ones; `usual` is what it offers by itself. */
  readonly actions?:
    | ((sessions: readonly SessionSummary[], usual: readonly SessionAction[]) => readonly SessionAction[])
    | undefined;
  /**
   * Headings: pinned ones and the age (`age`, default), none, or what the function returns for a session; `undefined` is a group without
   * heading. Groups stand in the order of their first session. Archived sessions have a group of their own, which is closed, unless a
   * function decides.
   */
  readonly groupBy?: 'age' | 'none' | ((session: SessionSummary) => string | undefined) | undefined;
  /** Whether a session has something that the person has not seen. Default: it has more messages than when this list showed it first or last as the current one. */
  readonly isUnread?: ((session: SessionSummary) => boolean) | undefined;
  /** In the place of `sessions.remove`. A promise that rejects, or resolves with `false`, brings the rows back. */
  readonly onRemove?: ((sessions: readonly SessionSummary[]) => unknown) | undefined;
  /** In the place of `sessions.restore`. A promise that resolves with `false`: the sessions could not be brought back. */
  readonly onUndo?: ((sessions: readonly SessionSummary[]) => unknown) | undefined;
  /** Called after sessions were removed, archived or labelled, in the place of the bar with which the list says so and offers Undo. */
  readonly onUndoable?: ((change: UndoableChange) => void) | undefined;
  /** What the list is filtered by: what the page passes to `useSessions({ where })`. Needs `onWhere`. */
  readonly where?: MetadataFilter | undefined;
  /** Called as the person chooses all sessions, those with a label, or the archived ones: shows a button for each. */
  readonly onWhere?: ((where: MetadataFilter) => void) | undefined;
  /** The labels that are offered. Default: those of the listed sessions. */
  readonly allLabels?: readonly string[] | undefined;
  /** Returns what stands after the title of a session; `usual` is its first label, and the number of the others. */
  readonly renderNote?: ((session: SessionSummary, usual: ReactNode) => ReactNode) | undefined;
  /** What the list was searched for. Needs `onSearch`. */
  readonly search?: string | undefined;
  /** Called as the person types: shows the search field. The page passes the words to `useSessions({ search })`. */
  readonly onSearch?: ((words: string) => void) | undefined;
  /** The key of the page that moves the focus to the search field: shown in the field, and announced. */
  readonly searchKey?: string | undefined;
  /** The page's own: in the place of the search field, and after the list. */
  readonly slots?: { readonly search?: ReactNode; readonly end?: ReactNode } | undefined;
  /** Shown where there is no session. */
  readonly empty?: ReactNode;
  readonly labels?: Partial<SessionsLabels> | undefined;
  readonly className?: string | undefined;
}
