import { type KeyboardEvent, type ReactElement, useMemo, useRef, useState } from 'react';
import type { SessionSummary } from '../../index.ts';
import { part } from '../base/part.ts';
import { SearchField } from '../base/SearchField.tsx';
import { useToday } from '../base/useToday.ts';
import { useListLabels } from '../labels/LabelsContext.ts';
import { sessionsEnglish } from '../labels/sessions-english.ts';
import { useSay } from '../notice/say.ts';
import { RemovedBar, SelectionBar } from './Bars.tsx';
import { toLines } from './lines.ts';
import { Blocks } from './Blocks.tsx';
import { toGroups } from './groups.ts';
import { ListEnd } from './ListEnd.tsx';
import { onListKey } from './listKeys.ts';
import type { SessionListProps } from './props.ts';
import { toLine, usualActions } from './sessionActions.ts';
import { SessionRow } from './SessionRow.tsx';
import { useBlocks } from './useBlocks.ts';
import { useFocusOn } from './useFocusOn.ts';
import { useRemoval } from './useRemoval.ts';
import { useSelection } from './useSelection.ts';
import { useUnread } from './useUnread.ts';

const archive: ReadonlySet<string> = new Set(['archived']);
const nothing: ReadonlySet<string> = new Set();

/**
 * The stored sessions: a link each, with its state and a menu; groups by age, search, several at once, undo. It fills the height of its
 * container, and has only those rows in the page that are near the visible ones.
 *
 *     const list = useSessions({ search });
 *     <SessionList sessions={list} current={id} href={(id) => `#/${id}`} search={search} onSearch={setSearch} />
 */
export function SessionList(props: SessionListProps): ReactElement {
  const { sessions: source, current, href, onOpen, actions, groupBy = 'age', search = '', onSearch } = props;
  const { slots, empty, labels, className } = props;
  const words = useListLabels('sessions', sessionsEnglish, labels);
  const say = useSay();
  const today = useToday();
  const root = useRef<HTMLElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const removal = useRemoval(props);
  const [isArchiveOpen, setIsArchiveOpen] = useState(false);
  const [active, setActive] = useState<string>();
  const [renaming, setRenaming] = useState<string>();

  const { listed } = removal;
  const isArchiveShown = isArchiveOpen || search !== '';
  const lines = useMemo(() => {
    const groups = toGroups(listed, groupBy, { today, words });
    return toLines(groups, isArchiveShown ? nothing : archive);
  }, [listed, groupBy, today, words, isArchiveShown]);
  const rows = useMemo(() => lines.flatMap((line) => (line.is === 'row' ? [line.session] : [])), [lines]);
  const indexOf = (id: string | undefined): number => rows.findIndex((row) => row.id === id);
  const at = [indexOf(active), indexOf(current), 0].find((index) => index >= 0) ?? 0;
  const activeRow = rows[at];
  const kept = useMemo(
    () => lines.findIndex((line) => line.is === 'row' && line.session === activeRow),
    [lines, activeRow],
  );
  const { blocks, below } = useBlocks(list, lines, kept);
  const selection = useSelection(rows);
  const { selected } = selection;
  const isUnreadHere = useUnread(listed, current);
  const isUnread = props.isUnread ?? isUnreadHere;

  const focusOn = useFocusOn(root);
  const goToRow = (session: SessionSummary | undefined): void => {
    setActive(session?.id);
    focusOn(session?.id);
  };
  const remove =
    removal.remove &&
    ((some: readonly SessionSummary[]): void => {
      const ids = new Set(some.map(({ id }) => id));
      const last = Math.max(...some.map(({ id }) => indexOf(id)));
      const stays = ({ id }: SessionSummary): boolean => !ids.has(id);
      goToRow(rows.slice(last + 1).find(stays) ?? rows.slice(0, Math.max(last, 0)).findLast(stays));
      selection.clear();
      removal.remove?.(some);
      const [first] = some;
      say(first && some.length === 1 ? words.removed(first.title || words.untitled) : words.removedMany(some.length));
    });
  const undo =
    removal.undo &&
    ((): void => {
      goToRow(removal.removed[0]);
      removal.undo?.();
    });
  const verbs = {
    setMetadata: source.setMetadata,
    rename: source.rename && (({ id }: SessionSummary): void => setRenaming(id)),
    select: ({ id }: SessionSummary): void => selection.toggle(id),
    isSelected: ({ id }: SessionSummary): boolean => selection.has(id),
    remove,
  };
  const linesOf = (some: readonly SessionSummary[]) => {
    const usual = usualActions(some, verbs, words);
    return (actions?.(some, usual) ?? usual).map(toLine);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!activeRow) return;
    onListKey(event, {
      rows,
      at,
      goTo: (index, isSelecting) => {
        const row = rows[index];
        if (!row) return;
        if (isSelecting && selected.length === 0) selection.toggle(activeRow.id);
        if (isSelecting) selection.toggle(row.id, true);
        goToRow(row);
      },
      toggle: () => selection.toggle(activeRow.id),
      selectAll: selection.selectAll,
      clear: selected.length > 0 ? selection.clear : undefined,
      rename: verbs.rename && (() => verbs.rename?.(activeRow)),
      remove: remove && (() => remove(selected.includes(activeRow) ? selected : [activeRow])),
      undo,
      openMenu: () =>
        root.current?.querySelector<HTMLElement>('.bk-session [aria-haspopup=menu][tabindex="0"]')?.click(),
    });
  };

  const state = source.error ? 'failed' : source.isLoading ? 'loading' : rows.length === 0 ? 'empty' : 'ready';
  return (
    <nav
      {...part('session-list', className, selected.length > 0 ? 'selecting' : state)}
      ref={root}
      aria-label={words.label}
      aria-busy={source.isLoading}
      tabIndex={-1}
    >
      {slots?.search ??
        (onSearch && (
          <SearchField
            label={words.search}
            clearLabel={words.clearSearch}
            value={search}
            onChange={onSearch}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown' || !activeRow) return;
              event.preventDefault();
              goToRow(rows[0]);
            }}
          />
        ))}
      {selected.length > 0 && (
        <SelectionBar count={selected.length} lines={linesOf(selected)} onClear={selection.clear} words={words} />
      )}
      <div className="bk-session-scroller">
        <div ref={list} role="none" onKeyDown={onKeyDown}>
          <Blocks
            blocks={blocks}
            below={below}
            isArchiveOpen={isArchiveShown}
            onArchive={() => setIsArchiveOpen(!isArchiveOpen)}
            renderRow={({ session, number }) => (
              <SessionRow
                key={session.id}
                session={session}
                href={href?.(session.id)}
                number={number}
                count={rows.length}
                isCurrent={session.id === current}
                isActive={session === activeRow}
                isUnread={isUnread(session)}
                isSelected={selection.has(session.id)}
                isRenaming={session.id === renaming}
                linesOf={() => linesOf([session])}
                onOpen={(event) => onOpen?.(session, event)}
                onToggle={(isRange) => selection.toggle(session.id, isRange)}
                onRename={(title, byKey) => {
                  setRenaming(undefined);
                  if (byKey) goToRow(session);
                  if (title !== undefined) source.rename?.(session.id, title);
                }}
                onActive={() => setActive(session.id)}
                words={words}
              />
            )}
          />
        </div>
        <ListEnd source={source} count={listed.length} search={search} empty={empty} words={words} />
        {slots?.end}
      </div>
      <RemovedBar removal={removal} onUndo={() => undo?.()} words={words} />
    </nav>
  );
}
