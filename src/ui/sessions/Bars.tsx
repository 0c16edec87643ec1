import type { ReactElement } from 'react';
import { CloseButton } from '../base/CloseButton.tsx';
import type { MenuLine } from '../base/Menu.tsx';
import type { SessionsLabels } from '../labels/sessions-english.ts';
import type { Removal } from './useRemoval.ts';

interface SelectionBarProps {
  readonly count: number;
  readonly lines: readonly MenuLine[];
  readonly onClear: () => void;
  readonly words: SessionsLabels;
}

/** How many sessions are selected, and what can be done with all of them. */
export function SelectionBar({ count, lines, onClear, words }: SelectionBarProps): ReactElement {
  return (
    <div className="bk-session-bar" role="group" aria-label={words.actionsForSelected}>
      <span>{words.selected(count)}</span>
      <span className="bk-session-bar-verbs">
        {lines.map(({ name, label, icon, href, onSelect }) => {
          const its = { className: 'bk-icon-button', 'aria-label': label, title: label, onClick: onSelect };
          const content = icon ?? label;
          return href === undefined ? (
            <button key={name} type="button" {...its}>
              {content}
            </button>
          ) : (
            <a key={name} href={href} {...its}>
              {content}
            </a>
          );
        })}
        <CloseButton label={words.clearSelection} onClick={onClear} />
      </span>
    </div>
  );
}

interface UndoBarProps {
  /** What was changed last; without `undo` where it cannot be undone. */
  readonly change: { readonly text: string; readonly undo?: (() => void) | undefined } | undefined;
  readonly problem: Removal['problem'];
  readonly onDismiss: () => void;
  readonly words: SessionsLabels;
}

/** What was done with sessions and the way back, or why it failed. */
export function UndoBar({ change, problem, onDismiss, words }: UndoBarProps): ReactElement | null {
  if (!change && problem === undefined) return null;
  return (
    <div className="bk-session-bar" data-state={problem === undefined ? undefined : 'failed'}>
      {problem === undefined ? (
        <span>{change?.text}</span>
      ) : (
        <span className="bk-bad" role="alert">
          {problem === 'not-restored' ? (
            words.notRestored
          ) : (
            <>
              {words.notRemoved} {problem && (words.cures[problem.code] ?? problem.message)}
            </>
          )}
        </span>
      )}
      <span className="bk-space" />
      {change?.undo && problem === undefined && (
        <button type="button" className="bk-button" data-state="quiet" onClick={change.undo}>
          {words.undo}
        </button>
      )}
      <CloseButton label={words.dismiss} onClick={onDismiss} />
    </div>
  );
}
