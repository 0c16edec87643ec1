import type { KeyboardEvent } from 'react';
import type { SessionSummary } from '../../index.ts';

/** What keys do in the list. */
export interface KeyVerbs {
  readonly rows: readonly SessionSummary[];
  /** Index of the row that has the focus. */
  readonly at: number;
  readonly goTo: (index: number, isSelecting: boolean) => void;
  readonly toggle: () => void;
  readonly selectAll: () => void;
  /** `undefined` where nothing is selected. */
  readonly clear: (() => void) | undefined;
  readonly rename: (() => void) | undefined;
  readonly remove: (() => void) | undefined;
  readonly undo: (() => void) | undefined;
  readonly openMenu: () => void;
}

/** Rows of Page Up and Page Down. */
const page = 10;

/** Handles a key on a row: arrows, Home, End and pages move, with Shift they select; F2, Delete, Escape, Ctrl+A, Ctrl+Z, Space, and the key of menus. */
export function onListKey(event: KeyboardEvent, verbs: KeyVerbs): void {
  const action = actionOf(event, verbs);
  if (!action) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

function actionOf(event: KeyboardEvent, verbs: KeyVerbs): (() => void) | undefined {
  const { key, shiftKey, target } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  const to = isCommand || event.altKey ? undefined : targetOf(key, verbs);
  if (to !== undefined) return () => verbs.goTo(to, shiftKey);
  switch (key) {
    case 'F2':
      return verbs.rename;
    case 'Delete':
      return verbs.remove;
    case 'Escape':
      return verbs.clear;
    case 'ContextMenu':
      return verbs.openMenu;
    case 'F10':
      return shiftKey ? verbs.openMenu : undefined;
    case 'a':
      return isCommand ? verbs.selectAll : undefined;
    case 'z':
      return isCommand && !shiftKey ? verbs.undo : undefined;
    case ' ': {
      // A button is pressed by the space bar; a link is not.
      const isOnLink = target instanceof Element && target.matches('a.bk-session-link');
      const isOnRow = target instanceof Element && target.matches('.bk-session-link');
      return isOnLink || (shiftKey && isOnRow) ? verbs.toggle : undefined;
    }
    default:
      return undefined;
  }
}

function targetOf(key: string, { rows, at }: KeyVerbs): number | undefined {
  const last = rows.length - 1;
  const within = (index: number): number => Math.max(0, Math.min(last, index));
  switch (key) {
    case 'ArrowDown':
      return within(at + 1);
    case 'ArrowUp':
      return within(at - 1);
    case 'PageDown':
      return within(at + page);
    case 'PageUp':
      return within(at - page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
