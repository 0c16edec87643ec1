import { type RefObject, useRef } from 'react';
import { usePageEffect } from '../base/usePageEffect.ts';

/**
 * Returns the function that moves the focus to the row of a session, at once or when the row is in the page; `undefined`: to the list itself. A
 * focus that the person has moved out of the list meanwhile stays.
 */
export function useFocusOn(root: RefObject<HTMLElement | null>): (sessionId: string | undefined) => void {
  const wanted = useRef<string>(undefined);
  usePageEffect(() => {
    const list = root.current;
    if (wanted.current === undefined || !list) return;
    const isDone = isElsewhere(list) || focusRow(list, wanted.current);
    if (isDone) wanted.current = undefined;
  });
  return (sessionId) => {
    const list = root.current;
    wanted.current = undefined;
    if (!list) return;
    if (sessionId === undefined) list.focus();
    else if (!focusRow(list, sessionId)) wanted.current = sessionId;
  };
}

/** Returns whether the row is in the page, and has the focus now. */
function focusRow(list: HTMLElement, sessionId: string): boolean {
  const row = [...list.querySelectorAll<HTMLElement>('[data-session]')].find(
    ({ dataset }) => dataset['session'] === sessionId,
  );
  const link = row?.querySelector<HTMLElement>('.bk-session-link');
  link?.focus();
  return link !== undefined && link !== null;
}

function isElsewhere(list: HTMLElement): boolean {
  const root = list.getRootNode();
  const { activeElement } = root instanceof ShadowRoot ? root : document;
  return activeElement !== null && activeElement !== document.body && !list.contains(activeElement);
}
