import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { readLocal, writeLocal } from '../base/local.ts';
import { route$ } from '../base/route.ts';
import { useIsNarrow } from '../ui/useIsNarrow.ts';

const hiddenKey = 'brooklet-studio:sidebar';

interface Drawer {
  /** Whether the sessions are in a drawer over the page, and not beside it. */
  readonly isNarrow: boolean;
  /** Whether the sessions are shown. */
  readonly isOpen: boolean;
  readonly drawer: RefObject<HTMLElement | null>;
  readonly menuButton: RefObject<HTMLButtonElement | null>;
  readonly open: () => void;
  /** Closes the drawer. Sessions beside the page stay. */
  readonly close: () => void;
  readonly toggle: () => void;
}

/**
 * The sessions: beside the page, where they can be hidden, or in a drawer of a narrow window. A drawer takes the focus when it opens, and
 * returns it to the button when it closes. Sessions that are hidden beside the page are hidden after a reload, too.
 */
export function useDrawer(): Drawer {
  const isNarrow = useIsNarrow();
  const [isDrawn, setIsDrawn] = useState(false);
  const [isHidden, setIsHidden] = useState(() => readLocal(hiddenKey) !== null);
  const drawer = useRef<HTMLElement>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const isOpen = isNarrow ? isDrawn : !isHidden;
  const close = useCallback(() => setIsDrawn(false), []);

  // Back and Forward show another page, which the drawer would cover.
  useEffect(() => {
    const subscription = route$.subscribe(close);
    return () => subscription.unsubscribe();
  }, [close]);

  const show = (isShown: boolean): void => {
    if (isNarrow) return setIsDrawn(isShown);
    setIsHidden(!isShown);
    writeLocal(hiddenKey, isShown ? undefined : 'hidden');
  };

  const isOver = isNarrow && isOpen;
  useEffect(() => {
    if (!isOver) return undefined;
    const opener = menuButton.current;
    drawer.current?.querySelector('a')?.focus();
    return () => opener?.focus();
  }, [isOver]);

  // The element with the focus has just disappeared: the one that stands for it takes the focus.
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (isHidden && drawer.current?.contains(activeElement) === true) menuButton.current?.focus();
    if (!isHidden && activeElement === menuButton.current) drawer.current?.querySelector('a')?.focus();
  }, [isHidden]);

  return { isNarrow, isOpen, drawer, menuButton, open: () => show(true), close, toggle: () => show(!isOpen) };
}
