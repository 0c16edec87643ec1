import type { RefObject } from 'react';
import type { SessionSummary } from '../../index.ts';

/** Returns the function that finds the element beside which labels are chosen: the row of one session, the bar of several. */
export function useOpener(
  root: RefObject<HTMLElement | null>,
): (sessions: readonly SessionSummary[]) => HTMLElement | undefined {
  return (sessions) => {
    const list = root.current;
    const [first] = sessions;
    if (!list || !first) return undefined;
    const rows = [...list.querySelectorAll<HTMLElement>('[data-session]')];
    const row = sessions.length === 1 ? rows.find(({ dataset }) => dataset['session'] === first.id) : undefined;
    return row ?? list.querySelector<HTMLElement>('.bk-session-bar') ?? list;
  };
}
