import { useEffect } from 'react';
import { undoLast } from '../toast/toasts.ts';
import { type Combination, isPressed, keys, type ShellActions } from '../base/shortcuts.ts';
import { getOverlay, type Overlay, openOverlay } from '../base/overlay.ts';

/** Overlays that the keys of the page may replace: the others hold what the user has typed. */
const replaceable: ReadonlySet<Overlay['is']> = new Set(['none', 'palette', 'help']);

/** Reacts to the keys of the whole page. */
export function useShellKeys({ sessionId, onNewChat, onSearch, onSidebar, onAnswerAgain }: ShellActions): void {
  useEffect(() => {
    const actions: readonly (readonly [Combination, () => void])[] = [
      [keys.palette, () => openOverlay({ is: 'palette' })],
      [keys.newChat, onNewChat],
      [keys.search, onSearch],
      [keys.settings, () => openOverlay({ is: 'settings' })],
      [keys.chatSettings, () => openOverlay({ is: 'chat', sessionId })],
      [keys.sidebar, onSidebar],
      [keys.answerAgain, onAnswerAgain],
      [keys.help, () => openOverlay({ is: 'help' })],
    ];
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || !replaceable.has(getOverlay().is)) return;
      if (isPressed(event, keys.undo) && undoLast()) event.preventDefault();
      for (const [combination, act] of actions) {
        if (!isPressed(event, combination)) continue;
        event.preventDefault();
        act();
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}
