import type { AgentSession } from 'brooklet';
import { useMessageIds, useObservable } from 'brooklet/react';
import { Fragment, memo, type ReactElement, useState } from 'react';
import { BrookFlow } from '../ui/Brook.tsx';
import { CompactionMarker, firstSeenId } from './CompactionMarker.tsx';
import { MessageRow } from './MessageRow.tsx';
import { findContinuations } from './turn.ts';

interface MessageListProps {
  readonly session: AgentSession;
  readonly isWorking: boolean;
  /** Whether the run may still add to the last answer. */
  readonly isBusy: boolean;
  readonly onRegenerate: () => unknown;
}

/** Rows that are rendered at first, and added by each click: a long history costs nothing until the user asks for it. */
const pageSize = 100;

/** All messages. Each row subscribes to its own message: while a reply streams, this list is not rendered. */
export const MessageList = memo(function MessageList({
  session,
  isWorking,
  isBusy,
  onRegenerate,
}: MessageListProps): ReactElement {
  const allIds = useMessageIds(session);
  const firstSeen = useObservable(session.context$, () => firstSeenId(session));
  const newest = Math.max(0, allIds.length - pageSize);
  const [chosen, setFirst] = useState(newest);
  const first = Math.min(chosen, newest);
  const ids = allIds.slice(first);
  // Only ids, roles and interruptions are read here. They change only when a message is added or removed.
  const messages = session.getMessages();
  const roles = new Map(messages.map(({ id, role }) => [id, role]));
  const continuations = findContinuations(messages);

  return (
    <ol className="messages" start={first + 1}>
      {first > 0 && (
        <li className="earlier">
          <button type="button" className="quiet" onClick={() => setFirst(Math.max(0, first - pageSize))}>
            Show earlier messages ({first})
          </button>
        </li>
      )}
      {ids.map((id, index) => {
        const next = ids[index + 1];
        const endsTurn = next === undefined ? !isBusy : roles.get(next) !== 'assistant';
        const continuation = continuations.get(id);
        return (
          <Fragment key={id}>
            {id === firstSeen && <CompactionMarker session={session} />}
            <MessageRow
              session={session}
              messageId={id}
              lead={continuation?.lead ?? ''}
              isContinued={continuation?.isContinued ?? false}
              endsTurn={endsTurn}
              onRegenerate={next === undefined && !isBusy ? onRegenerate : undefined}
            />
          </Fragment>
        );
      })}
      {isWorking && (
        <li className="working">
          <BrookFlow />
        </li>
      )}
    </ol>
  );
});
