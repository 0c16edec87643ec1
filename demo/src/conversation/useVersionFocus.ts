import type { AgentSession } from 'brooklet';
import { type RefObject, useLayoutEffect } from 'react';

/** A step between two versions: `back` or `on`. */
export type VersionStep = 'back' | 'on';

interface Awaited {
  readonly session: AgentSession;
  /** Position of the message, which all its versions have. */
  readonly position: number;
  readonly step: VersionStep;
}

/** The step whose version is about to be shown. */
let awaited: Awaited | undefined;

/**
 * Lets the focus follow a step: another version is another message, whose row replaces the row with the focus.
 *
 * @returns runs a step, which resolves when the other version is shown
 */
export function useVersionFocus(
  session: AgentSession,
  messageId: string,
  group: RefObject<HTMLElement | null>,
): (step: VersionStep, show: () => Promise<void>) => Promise<void> {
  useLayoutEffect(() => {
    if (awaited?.session !== session || awaited.position !== positionOf(session, messageId)) return;
    group.current?.querySelector<HTMLElement>(`[data-step=${awaited.step}]`)?.focus();
  }, [session, messageId, group]);

  return async (step, show) => {
    const begun: Awaited = { session, position: positionOf(session, messageId), step };
    awaited = begun;
    await show();
    // The row is rendered within the next frames.
    setTimeout(() => {
      if (awaited === begun) awaited = undefined;
    }, 500);
  };
}

function positionOf(session: AgentSession, messageId: string): number {
  return session.getMessages().findIndex(({ id }) => id === messageId);
}
