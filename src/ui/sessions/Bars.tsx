import type { ReactElement } from 'react';
import { Glyph } from '../base/Glyph.tsx';
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
      <span className="bk-space" />
      {lines.map(({ name, label, icon, href, onSelect }) => {
        const its = { className: 'bk-icon-button', 'aria-label': label, title: label, onClick: onSelect };
        const content = icon ? <Glyph name={icon} /> : label;
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
      <button
        type="button"
        className="bk-icon-button"
        aria-label={words.clearSelection}
        title={words.clearSelection}
        onClick={onClear}
      >
        <Glyph name="close" />
      </button>
    </div>
  );
}

interface RemovedBarProps {
  readonly removal: Removal;
  readonly onUndo: () => void;
  readonly words: SessionsLabels;
}

/** What was removed, and the way back. */
export function RemovedBar({ removal, onUndo, words }: RemovedBarProps): ReactElement | null {
  const { removed, problem, undo, dismiss } = removal;
  const [first] = removed;
  if (!first && problem === undefined) return null;
  return (
    <div className="bk-session-bar" data-state={problem === undefined ? undefined : 'failed'}>
      {problem === undefined && first ? (
        <span>
          {removed.length === 1 ? words.removed(first.title || words.untitled) : words.removedMany(removed.length)}
        </span>
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
      {undo && (
        <button type="button" className="bk-button" data-state="quiet" onClick={onUndo}>
          {words.undo}
        </button>
      )}
      <button
        type="button"
        className="bk-icon-button"
        aria-label={words.dismiss}
        title={words.dismiss}
        onClick={dismiss}
      >
        <Glyph name="close" />
      </button>
    </div>
  );
}
