import type { SessionSummary } from '../../index.ts';
import type { SessionsLabels } from '../labels/sessions-english.ts';
import type { SessionListProps, UndoableChange } from './props.ts';
import { type Changes, useChanges } from './useChanges.ts';
import type { Removal } from './useRemoval.ts';

interface Undoable {
  /** `undefined` where nothing can be removed. */
  readonly remove: ((sessions: readonly SessionSummary[]) => void) | undefined;
  readonly archive: Changes['archive'];
  readonly label: Changes['label'];
  /** What was done last; without `undo` where it cannot be undone. `undefined` where the page says it. */
  readonly last: (Pick<UndoableChange, 'text'> & { readonly undo?: (() => void) | undefined }) | undefined;
  readonly dismiss: () => void;
}

interface UndoableWays {
  readonly removal: Removal;
  /** Moves the focus to a neighbour of rows that leave the list. */
  readonly leave: (sessions: readonly SessionSummary[]) => void;
  readonly goToRow: (session: SessionSummary | undefined) => void;
  readonly words: SessionsLabels;
  readonly say: (text: string) => void;
}

/** What a person can do with sessions and undo: the last thing at a time. */
export function useUndoable(
  { sessions: { setMetadata }, onUndoable }: Pick<SessionListProps, 'sessions' | 'onUndoable'>,
  { removal, leave, goToRow, words, say }: UndoableWays,
): Undoable {
  const changes = useChanges({ setMetadata, report: onUndoable, say, words });
  const { removed, undo } = removal;
  const isReported = onUndoable !== undefined && undo !== undefined;
  const textOf = (some: readonly SessionSummary[]): string => {
    const [first] = some;
    return first && some.length === 1 ? words.removed(first.title || words.untitled) : words.removedMany(some.length);
  };
  const undoHere =
    undo &&
    ((): void => {
      goToRow(removed[0]);
      undo(removed);
    });
  const lastRemoval = removed.length > 0 && !isReported ? { text: textOf(removed), undo: undoHere } : undefined;
  return {
    remove:
      removal.remove &&
      ((some) => {
        leave(some);
        changes.forget();
        removal.remove?.(some);
        if (isReported) onUndoable({ text: textOf(some), undo: () => undo(some) });
        else say(textOf(some));
      }),
    archive(some, isOn) {
      leave(some);
      removal.dismiss();
      changes.archive(some, isOn);
    },
    label(...change) {
      removal.dismiss();
      changes.label(...change);
    },
    last: changes.last ?? lastRemoval,
    dismiss() {
      removal.dismiss();
      changes.forget();
    },
  };
}
