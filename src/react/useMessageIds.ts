import { useMemo } from 'react';
import type { Message } from '../core/model/message.ts';
import type { AgentSession } from '../core/session/session.ts';
import { useObservable } from './useObservable.ts';

const none: readonly Message[] = [];

/**
 * Returns the ids of a session's messages, in order. The list changes when a message is added or removed, not when a
 * message grows: with `useMessage` in each row, the list is not rendered while a reply streams.
 *
 *     return useMessageIds(session).map((id) => <Row key={id} session={session} id={id} />);
 */
export function useMessageIds(session: AgentSession | undefined): readonly string[] {
  const toIds = useMemo(() => keepSame((messages: readonly Message[]) => messages.map(({ id }) => id)), []);
  return useObservable(session?.messages$, () => toIds(session?.getMessages() ?? none));
}

/**
 * Wraps a selector of lists: the wrapped selector returns the previous list while the items are the same, and does not
 * run at all while its input is the same. A snapshot for `useSyncExternalStore` must keep its identity.
 */
function keepSame<From, Item>(select: (from: From) => readonly Item[]): (from: From) => readonly Item[] {
  let lastFrom: From | undefined;
  let items: readonly Item[] = [];
  return (from) => {
    if (from === lastFrom) return items;
    lastFrom = from;
    const selected = select(from);
    const isSame = selected.length === items.length && selected.every((item, i) => items[i] === item);
    if (!isSame) items = selected;
    return items;
  };
}
