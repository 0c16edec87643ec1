import { type KeyboardEvent, type ReactElement, type ReactNode, useMemo, useRef, useState } from 'react';
import type { SessionSummary } from '../../index.ts';
import { part } from '../base/part.ts';
import { SearchField } from '../base/SearchField.tsx';
import { useToday } from '../base/useToday.ts';
import { useListLabels } from '../labels/LabelsContext.ts';
import { sessionsEnglish } from '../labels/sessions-english.ts';
import { useSay } from '../notice/say.ts';
import { SelectionBar, UndoBar } from './Bars.tsx';
import { toLines } from './lines.ts';
import { Blocks } from './Blocks.tsx';
import { Filters, labelOf } from './Filters.tsx';
import { toGroups } from './groups.ts';
import { LabelEditor } from './LabelEditor.tsx';
import { LabelNote } from './LabelNote.tsx';
import { ListEnd } from './ListEnd.tsx';
import { onListKey } from './listKeys.ts';
import type { SessionListProps } from './props.ts';
import { toLine, usualActions } from './sessionActions.tsx';
import { SessionRow } from './SessionRow.tsx';
import { useBlocks } from './useBlocks.ts';
import { useFocusOn } from './useFocusOn.ts';
import { useKnownLabels } from './useKnownLabels.ts';
import { useOpener } from './useOpener.ts';
import { useRemoval } from './useRemoval.ts';
import { useUndoable } from './useUndoable.ts';
import { useSelection } from './useSelection.ts';
import { useUnread } from './useUnread.ts';

const archiveOnly: ReadonlySet<string> = new Set(['archived']);
const nothing: ReadonlySet<string> = new Set();

/** The sessions whose labels are chosen, and beside what. */
interface Labelling {
  readonly sessions: readonly SessionSummary[];
  readonly opener: HTMLElement;
}

/**
 * The stored sessions: a link each, with its state and a menu; groups by age, search, several at once, undo. It fills the height of its
 * container, and has only those rows in the page that are near the visible ones.
 *
 *     const list = useSessions({ search });
 *     <SessionList sessions={list} current={id} href={(id) => `#/${id}`} search={search} onSearch={setSearch} />
 */
export function SessionList(props: SessionListProps): ReactElement {
  const { sessions: source, current, href, onOpen, actions, groupBy = 'age', search = '', onSearch } = props;
  const { slots, empty, where, onWhere, searchKey, labels, className } = props;
  const words = useListLabels('sessions', sessionsEnglish, labels);
  const say = useSay();
  const today = useToday();
  const root = useRef<HTMLElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const removal = useRemoval(props);
  const [labelling, setLabelling] = useState<Labelling>();
  const [isArchiveOpen, setIsArchiveOpen] = useState(false);
  const [active, setActive] = useState<string>();
  const [renaming, setRenaming] = useState<string>();

  const { listed } = removal;
  const isArchiveShown = isArchiveOpen || search !== '';
  const isArchive = where?.['archived'] === true;
  const label = labelOf(where);
  const allLabels = useKnownLabels(props.allLabels, listed, isArchive || label !== undefined || search !== '');
  const lines = useMemo(() => {
    const groups = toGroups(listed, groupBy, { today, words, isArchive });
    return toLines(groups, isArchiveShown ? nothing : archiveOnly);
  }, [listed, groupBy, today, words, isArchive, isArchiveShown]);
  const rows = useMemo(() => lines.flatMap((line) => (line.is === 'row' ? [line.session] : [])), [lines]);
  const indexOf = (id: string | undefined): number => rows.findIndex((row) => row.id === id);
  const at = [indexOf(active), indexOf(current), 0].find((index) => index >= 0) ?? 0;
  const activeRow = rows[at];
  const kept = useMemo(
    () => lines.findIndex((line) => line.is === 'row' && line.session === activeRow),
    [lines, activeRow],
  );
  const { blocks, below } = useBlocks(list, lines, kept);
  const selection = useSelection(rows, current);
  const { selected } = selection;
  const isUnreadHere = useUnread(listed, current);
  const isUnread = props.isUnread ?? isUnreadHere;

  const focusOn = useFocusOn(root);
  const openerOf = useOpener(root);
  const goToRow = (session: SessionSummary | undefined): void => {
    setActive(session?.id);
    focusOn(session?.id);
  };
  /** The focus would leave the page with the rows: a neighbour takes it. */
  const leave = (some: readonly SessionSummary[]): void => {
    const ids = new Set(some.map(({ id }) => id));
    const last = Math.max(...some.map(({ id }) => indexOf(id)));
    const stays = ({ id }: SessionSummary): boolean => !ids.has(id);
    goToRow(rows.slice(last + 1).find(stays) ?? rows.slice(0, Math.max(last, 0)).findLast(stays));
  };
  const {
    remove,
    archive,
    label: setLabel,
    last,
    dismiss,
  } = useUndoable(props, { removal, leave, goToRow, words, say });
  const verbs = {
    setMetadata: source.setMetadata,
    rename: source.rename && (({ id }: SessionSummary): void => setRenaming(id)),
    select: ({ id }: SessionSummary): void => selection.toggle(id),
    isSelected: ({ id }: SessionSummary): boolean => selection.has(id),
    setLabels: (some: readonly SessionSummary[]): void => {
      const opener = openerOf(some);
      if (opener) setLabelling({ sessions: some, opener });
    },
    archive,
    remove:
      remove &&
      ((some: readonly SessionSummary[]): void => {
        selection.clear();
        remove(some);
      }),
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
      remove: remove && (() => verbs.remove?.(selected.includes(activeRow) ? selected : [activeRow])),
      undo: last?.undo,
      openMenu: () =>
        root.current?.querySelector<HTMLElement>('.bk-session [aria-haspopup=menu][tabindex="0"]')?.click(),
    });
  };

  const noteOf = (session: SessionSummary): ReactNode => {
    const usual = <LabelNote session={session} except={label} words={words} />;
    return props.renderNote ? props.renderNote(session, usual) : usual;
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
            keyOfPage={searchKey}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown' || !activeRow) return;
              event.preventDefault();
              goToRow(rows[0]);
            }}
          />
        ))}
      {onWhere && where && <Filters where={where} onWhere={onWhere} labels={allLabels} words={words} />}
      {selected.length > 0 && (
        <SelectionBar count={selected.length} lines={linesOf(selected)} onClear={selection.clear} words={words} />
      )}
      <div className="bk-session-scroller">
        {search.trim() !== '' && (
          <output className="bk-hint bk-session-note">
            {source.isLoading === true ? words.loading : words.found(listed.length, source.hasMore ?? false)}
          </output>
        )}
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
                isSelecting={selected.length > 0}
                today={today}
                note={noteOf(session)}
                linesOf={() => linesOf([session])}
                onOpen={(event) => {
                  selection.begin(session.id);
                  onOpen?.(session, event);
                }}
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
      <UndoBar change={last} problem={removal.problem} onDismiss={dismiss} words={words} />
      {labelling && (
        <LabelEditor
          {...labelling}
          known={allLabels}
          onChange={setLabel}
          onClose={(byKey) => {
            setLabelling(undefined);
            if (byKey) goToRow(labelling.sessions.find(({ id }) => indexOf(id) >= 0) ?? activeRow);
          }}
          words={words}
        />
      )}
    </nav>
  );
}
