import type { AgentSession } from 'brooklet';
import { useMessageIds, useObservable } from 'brooklet/react';
import { lazy, memo, type ReactElement, type RefObject, Suspense } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { BrookFlow } from '../ui/Brook.tsx';
import { CompactionMarker, firstSeenId } from './CompactionMarker.tsx';
import { type MessageActions, MessageRow } from './MessageRow.tsx';
import { type Row, toRows } from './rows.ts';
import { StepGroup } from './StepGroup.tsx';
import { findContinuations } from './turn.ts';

const VirtualRows = lazy(async () => ({ default: (await import('./VirtualRows.tsx')).VirtualRows }));

interface MessageListProps {
  readonly session: AgentSession;
  /** The element that scrolls the list. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly isWorking: boolean;
  /** Whether the run may still add to the last answer. */
  readonly isBusy: boolean;
  readonly actions: MessageActions;
}

/**
 * Rows above which only those near the viewport are in the page. Up to here the browser's search finds every message, and a screen
 * reader reads them in one pass.
 */
const maxRows = 120;

/** All messages. Each row subscribes to its own message: while a reply streams, this list is not rendered. */
export const MessageList = memo(function MessageList(props: MessageListProps): ReactElement {
  // React Compiler would keep the messages of the first render: `ids` says when they are others.
  'use no memo';
  const { session, scroller, isWorking, isBusy, actions } = props;
  const { conversation: words } = useTexts();
  const ids = useMessageIds(session);
  const firstSeen = useObservable(session.context$, () => firstSeenId(session));
  const pinned = useObservable(session.context$, () => session.getContext()?.pinned.join(' ') ?? '').split(' ');
  // The content of a message but the last does not change any more, so the rows change only with the ids.
  const messages = session.getMessages();
  const nextRole = new Map(messages.map(({ id }, index) => [id, messages[index + 1]?.role]));
  const continuations = findContinuations(messages);
  const lastId = ids.at(-1);

  const renderMessage = (id: string): ReactElement => {
    const isLast = id === lastId;
    const continuation = continuations.get(id);
    return (
      <MessageRow
        key={id}
        session={session}
        messageId={id}
        lead={continuation?.lead ?? ''}
        isContinued={continuation?.isContinued ?? false}
        isLast={isLast}
        endsTurn={isLast ? !isBusy : nextRole.get(id) !== 'assistant'}
        isPinned={pinned.includes(id)}
        isBusy={isBusy}
        actions={actions}
      />
    );
  };
  const renderRow = (row: Row): ReactElement => (
    <>
      {row.id === firstSeen && <CompactionMarker session={session} />}
      {row.kind === 'message' ? (
        renderMessage(row.id)
      ) : (
        <StepGroup steps={row.steps} renderSteps={() => row.steps.messageIds.map(renderMessage)} />
      )}
    </>
  );

  const rows = toRows(messages);
  return (
    // Not live: the sentences of an answer are announced one by one, see `narrate`.
    <div role="log" aria-live="off" aria-label={words.messages}>
      {rows.length > maxRows ? (
        <Suspense>
          <VirtualRows rows={rows} scroller={scroller} renderRow={renderRow} />
        </Suspense>
      ) : (
        <ol className="messages">
          {rows.map((row) => (
            <li key={row.id} className="row">
              {renderRow(row)}
            </li>
          ))}
        </ol>
      )}
      {isWorking && (
        <div className="working">
          <BrookFlow />
        </div>
      )}
    </div>
  );
});
