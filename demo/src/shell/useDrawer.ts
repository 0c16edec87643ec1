import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useIsNarrow } from '../ui/useIsNarrow.ts';

interface Drawer {
  /** Whether the sessions are in a drawer. */
  readonly isNarrow: boolean;
  readonly isOpen: boolean;
  readonly drawer: RefObject<HTMLElement | null>;
  readonly menuButton: RefObject<HTMLButtonElement | null>;
  readonly open: () => void;
  readonly close: () => void;
}

/** The drawer of a narrow window: it takes the focus when it opens, and returns it to the button when it closes. */
export function useDrawer(): Drawer {
  const isNarrow = useIsNarrow();
  const [isOpen, setIsOpen] = useState(false);
  const drawer = useRef<HTMLElement>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const isShown = isNarrow && isOpen;
  const open = useCallback(() => setIsOpen(true), []);
  const close = useCallback(() => setIsOpen(false), []);

  useEffect(() => {
    if (!isShown) return undefined;
    const opener = menuButton.current;
    drawer.current?.querySelector('a')?.focus();
    return () => opener?.focus();
  }, [isShown]);

  return { isNarrow, isOpen, drawer, menuButton, open, close };
}
