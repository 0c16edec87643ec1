import { type KeyboardEvent, type ReactElement, type ReactNode, useCallback, useId, useState } from 'react';
import { Glyph } from './Glyph.tsx';
import { usePageEffect } from './usePageEffect.ts';
import { usePopover } from './usePopover.ts';

/** One line of a menu: an action, or a link. */
export interface MenuLine {
  /** Another one for each line. */
  readonly name: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDangerous?: boolean | undefined;
  /** Makes it a link. */
  readonly href?: string | undefined;
  /** Called when the menu is closed, and its button has the focus. */
  readonly onSelect?: (() => void) | undefined;
}

/** Props of `Menu`. */
export interface MenuProps {
  /** The accessible name of the button and of the menu. */
  readonly label: string;
  readonly lines: readonly MenuLine[];
  /** Whether Tab stops at the button. Default `true`. */
  readonly isStop?: boolean | undefined;
}

/** A button that opens a menu. Arrow keys move, Escape and a press outside close, and the focus returns to the button. */
export function Menu({ label, lines, isStop = true }: MenuProps): ReactElement {
  const [opener, setOpener] = useState<HTMLElement>();
  const id = useId();
  const leave = useCallback(() => setOpener(undefined), []);
  const close = (): void => {
    leave();
    opener?.focus();
  };
  return (
    <>
      <button
        type="button"
        className="bk-icon-button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={opener !== undefined}
        aria-controls={opener && id}
        tabIndex={isStop ? 0 : -1}
        onClick={({ currentTarget }) => setOpener(opener ? undefined : currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || opener) return;
          event.preventDefault();
          event.stopPropagation();
          setOpener(event.currentTarget);
        }}
      >
        <Glyph name="more" />
      </button>
      {opener && <Lines id={id} label={label} lines={lines} opener={opener} onClose={close} onLeave={leave} />}
    </>
  );
}

interface LinesProps extends Pick<MenuProps, 'label' | 'lines'> {
  readonly id: string;
  readonly opener: HTMLElement;
  /** Closes the menu and returns the focus. */
  readonly onClose: () => void;
  /** Closes the menu; the focus is elsewhere. */
  readonly onLeave: () => void;
}

function Lines({ id, label, lines, opener, onClose, onLeave }: LinesProps): ReactElement {
  const menu = usePopover(opener, onLeave);
  usePageEffect(() => menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus(), [menu]);

  const onKeyDown = (event: KeyboardEvent): void => {
    // What a key does in the menu, it does not do in the list around it.
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onClose();
      return;
    }
    const all = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = all.findIndex((line) => line.matches(':focus'));
    const to = targetOf(event.key, at, all);
    if (to === undefined) return;
    event.preventDefault();
    all[to]?.focus();
  };

  return (
    <div
      ref={menu}
      id={id}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className="bk-popover bk-menu"
      onKeyDown={onKeyDown}
    >
      {lines.map(({ name, label, icon, isDangerous = false, href, onSelect }) => {
        const select = (): void => {
          onClose();
          onSelect?.();
        };
        const its = {
          role: 'menuitem',
          tabIndex: -1,
          className: 'bk-menu-line',
          'data-state': isDangerous ? 'danger' : undefined,
          onClick: select,
        };
        const content = (
          <>
            {icon}
            <span>{label}</span>
          </>
        );
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
    </div>
  );
}

/** Returns the line that a key moves to: the next one, or one that begins with the letter; `undefined` for any other key. */
function targetOf(key: string, from: number, lines: readonly HTMLElement[]): number | undefined {
  const count = lines.length;
  if (key === 'ArrowDown') return (from + 1) % count;
  if (key === 'ArrowUp') return (from - 1 + count) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if ([...key].length !== 1 || key === ' ') return undefined;
  const startsWith = (at: number): boolean =>
    (lines[at]?.textContent ?? '').toLocaleLowerCase().startsWith(key.toLocaleLowerCase());
  return lines.map((_line, step) => (from + 1 + step) % count).find(startsWith);
}
