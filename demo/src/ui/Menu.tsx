import {
  type KeyboardEvent,
  type ReactElement,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Icon, type IconName } from './Icon.tsx';

/** One line of a menu: an action, or a link. */
interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly isDangerous?: boolean;
  readonly href?: string;
  readonly onSelect?: () => void;
}

interface MenuProps {
  /** The accessible name of the button and of the menu. */
  readonly label: string;
  readonly title: string;
  readonly items: readonly MenuItem[];
}

/** A button that opens a menu. Arrow keys move, Escape and a click outside close, and the focus returns to the button. */
export function Menu({ label, title, items }: MenuProps): ReactElement {
  const [opener, setOpener] = useState<HTMLElement>();
  const isOpen = opener !== undefined;
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
        className="quiet small"
        aria-label={label}
        title={title}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={(event) => setOpener(isOpen ? undefined : event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpener(event.currentTarget);
        }}
      >
        <Icon name="more" />
      </button>
      {opener && <MenuList id={id} label={label} items={items} opener={opener} onClose={close} onLeave={leave} />}
    </>
  );
}

interface MenuListProps extends Pick<MenuProps, 'label' | 'items'> {
  readonly id: string;
  readonly opener: HTMLElement;
  /** Closes the menu and returns the focus. */
  readonly onClose: () => void;
  /** Closes the menu; the focus is elsewhere. */
  readonly onLeave: () => void;
}

function MenuList({ id, label, items, opener, onClose, onLeave }: MenuListProps): ReactElement {
  const list = useRef<HTMLDivElement>(null);

  // In the top layer, so that no scrolling box cuts the menu off.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    // Browsers without popovers show the menu in its place.
    element.popover = 'manual';
    element.showPopover?.();
    place(element, opener);
    element.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  }, [opener]);

  useEffect(() => {
    const onPointerDown = (event: PointerEvent): void => {
      const { target } = event;
      if (target instanceof Node && !list.current?.contains(target) && !opener.contains(target)) onLeave();
    };
    addEventListener('pointerdown', onPointerDown, true);
    addEventListener('resize', onLeave);
    return () => {
      removeEventListener('pointerdown', onPointerDown, true);
      removeEventListener('resize', onLeave);
    };
  }, [opener, onLeave]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.stopPropagation();
      if (event.key === 'Escape') event.preventDefault();
      onClose();
      return;
    }
    const lines = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const to = targetOf(
      event.key,
      lines.findIndex((line) => line === document.activeElement),
      lines.length,
    );
    if (to === undefined) return;
    event.preventDefault();
    lines[to]?.focus();
  };

  return (
    <div ref={list} id={id} role="menu" tabIndex={-1} aria-label={label} className="menu" onKeyDown={onKeyDown}>
      {items.map(({ label, icon, isDangerous = false, href, onSelect }) => {
        const content = (
          <>
            <Icon name={icon} />
            <span>{label}</span>
          </>
        );
        const select = (): void => {
          onClose();
          onSelect?.();
        };
        const className = isDangerous ? 'menu-item dangerous' : 'menu-item';
        return href === undefined ? (
          <button key={label} type="button" role="menuitem" tabIndex={-1} className={className} onClick={select}>
            {content}
          </button>
        ) : (
          <a key={label} href={href} role="menuitem" tabIndex={-1} className={className} onClick={select}>
            {content}
          </a>
        );
      })}
    </div>
  );
}

/** Returns the line that a key moves to; `undefined` for any other key. */
function targetOf(key: string, from: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (from + 1) % count;
    case 'ArrowUp':
      return (from - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Places the menu below its button, or above where there is no room below, within the window. */
function place(menu: HTMLElement, opener: HTMLElement): void {
  const margin = 8;
  const button = opener.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const isRightToLeft = getComputedStyle(opener).direction === 'rtl';
  const left = isRightToLeft ? button.right - width : button.left;
  const below = button.bottom + 4;
  const top = below + height > innerHeight - margin ? Math.max(margin, button.top - height - 4) : below;
  menu.style.left = `${Math.max(margin, Math.min(left, innerWidth - width - margin))}px`;
  menu.style.top = `${top}px`;
}
