import { useEffect } from 'react';
import { undoLast } from '../toast/toasts.ts';
import { isPressed, keys } from './keys.ts';
import { getOverlay, type Overlay, openOverlay } from './overlay.ts';

interface ShellActions {
  readonly onNewChat: () => void;
  readonly onSearch: () => void;
}

/** Overlays that the keys of the page may replace: the others hold what the user has typed. */
const replaceable: ReadonlySet<Overlay['is']> = new Set(['none', 'palette', 'help']);

/** Reacts to the keys of the whole page. */
export function useShellKeys({ onNewChat, onSearch }: ShellActions): void {
  useEffect(() => {
    const actions = {
      palette: () => openOverlay({ is: 'palette' }),
      newChat: onNewChat,
      search: onSearch,
      settings: () => openOverlay({ is: 'settings' }),
      help: () => openOverlay({ is: 'help' }),
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !replaceable.has(getOverlay().is)) return;
      if (isPressed(event, keys.undo) && undoLast()) event.preventDefault();
      for (const name of ['palette', 'newChat', 'search', 'settings', 'help'] as const) {
        if (!isPressed(event, keys[name])) continue;
        event.preventDefault();
        actions[name]();
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}
