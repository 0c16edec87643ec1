import { type MouseEvent, type ReactElement, type ReactNode, useMemo } from 'react';
import type { SessionSummary } from '../../index.ts';
import { Menu, type MenuLine } from '../base/Menu.tsx';
import type { SessionsLabels } from '../labels/sessions-english.ts';
import { isArchived, isPinned } from './groups.ts';
import { StateMark } from './StateMark.tsx';
import { TitleField } from './TitleField.tsx';

interface SessionRowProps {
  readonly session: SessionSummary;
  readonly href: string | undefined;
  /** From 1, among all that are listed. */
  readonly number: number;
  readonly count: number;
  readonly isCurrent: boolean;
  /** Whether Tab stops here. */
  readonly isActive: boolean;
  readonly isUnread: boolean;
  readonly isSelected: boolean;
  readonly isRenaming: boolean;
  /** Whether any row is selected: then Ctrl and a click select, too. */
  readonly isSelecting: boolean;
  /** The start of today, in ms since the epoch. */
  readonly today: number;
  readonly note: ReactNode;
  readonly linesOf: () => readonly MenuLine[];
  /** Called at a click that the browser does not use for another tab or window. */
  readonly onOpen: (event: MouseEvent) => void;
  /** @param isRange whether all rows since the last selected one are selected */
  readonly onToggle: (isRange: boolean) => void;
  /** Called with the new title, or without one where nothing has changed. */
  readonly onRename: (title: string | undefined, byKey: boolean) => void;
  /** Called when something in the row gets the focus. */
  readonly onActive: () => void;
  readonly words: SessionsLabels;
}

/** One session: a box that selects it, its link, its state, and a menu. */
export function SessionRow(props: SessionRowProps): ReactElement {
  const { session, href, number, count, isCurrent, isActive, isUnread, isSelected, isRenaming, words } = props;
  const { isSelecting, today, note, linesOf, onOpen, onToggle, onRename, onActive } = props;
  const { id, updatedAt } = session;
  const title = session.title || words.untitled;
  const lines = linesOf();
  // To write a date takes longer than to render the row.
  const date = useMemo(() => words.date(updatedAt), [words, updatedAt]);
  const shortDate = useMemo(() => words.shortDate(updatedAt, today), [words, updatedAt, today]);
  const its = {
    className: 'bk-session-link',
    title: `${title}\n${date}`,
    tabIndex: isActive ? 0 : -1,
    'aria-current': isCurrent ? ('page' as const) : undefined,
    onClick: (event: MouseEvent): void => {
      const isCommand = event.ctrlKey || event.metaKey;
      if (event.altKey || (isCommand && !isSelecting)) return;
      if (!event.shiftKey && !isCommand) onOpen(event);
      else {
        event.preventDefault();
        onToggle(event.shiftKey);
      }
    },
  };
  const content = (
    <>
      <bdi className="bk-session-title">{title}</bdi>
      {note}
      <StateMark session={session} isUnread={isUnread} words={words} />
    </>
  );
  return (
    <li
      className="bk-session"
      data-session={id}
      data-state={stateOf(props)}
      data-pinned={isPinned(session) ? '' : undefined}
      data-archived={isArchived(session) ? '' : undefined}
      aria-posinset={number}
      aria-setsize={count}
      onFocus={onActive}
    >
      {isRenaming ? (
        <TitleField title={session.title} label={words.titleField} onDone={onRename} />
      ) : (
        <>
          <input
            type="checkbox"
            className="bk-session-box"
            tabIndex={-1}
            aria-label={words.select(title)}
            checked={isSelected}
            onChange={() => {}}
            onClick={(event) => onToggle(event.shiftKey)}
          />
          {href === undefined ? (
            <button type="button" {...its}>
              {content}
            </button>
          ) : (
            <a href={href} {...its}>
              {content}
            </a>
          )}
          {/* The name of the row has the whole date. */}
          <time className="bk-session-date" aria-hidden="true" dateTime={new Date(updatedAt).toISOString()}>
            {shortDate}
          </time>
          {lines.length > 0 && <Menu label={words.actions(title)} lines={lines} isStop={isActive} />}
        </>
      )}
    </li>
  );
}

function stateOf({ isCurrent, isSelected, isUnread }: SessionRowProps): string | undefined {
  if (isSelected) return 'selected';
  if (isCurrent) return 'current';
  return isUnread ? 'unread' : undefined;
}
