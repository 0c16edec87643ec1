import { type ReactElement, type ReactNode, useMemo, useRef, useState } from 'react';
import { Icon } from '../base/Icon.tsx';
import { part } from '../base/part.ts';
import { usePageEffect } from '../base/usePageEffect.ts';
import { usePrinting, WholeContext } from '../base/whole.ts';
import type { Message } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import type { ThreadProps, ThreadRows } from './props.ts';
import { Earlier } from './Earlier.tsx';
import { heldOf } from './heldOf.ts';
import { MessageRow } from './MessageRow.tsx';
import { placesOf } from './places.ts';
import { type Row, toRows } from './rows.ts';
import { StepGroup } from './StepGroup.tsx';
import { type AwaitedVersion, ThreadContext } from './threadContext.ts';
import { useStickToEnd } from './useStickToEnd.ts';
import { useWindow } from './useWindow.ts';

/** The messages of a chat, which scroll by themselves and follow the end while an answer streams. */
export function Thread(props: ThreadProps): ReactElement {
  const { chat, renderPart, renderVerbs, renderRow, renderRows, keepInView, beforeDecision, onOpenSession } = props;
  const { empty, virtualAbove = 120, isWhole = false, working, children, labels, className } = props;
  const { session, sessionId, status, messages } = chat;
  const words = useLabels('thread', labels);
  const isBusy = status === 'running' || status === 'waiting';
  const held = heldOf(chat);
  const { scroller, content, isAtEnd, toEnd, onCorrected } = useStickToEnd(sessionId);
  const list = useRef<HTMLOListElement>(null);
  const showsAll = usePrinting() || isWhole;
  const { start: firstShown, showEarlier } = useWindow({
    messages,
    owner: session,
    limit: renderRows ? Number.POSITIVE_INFINITY : virtualAbove,
    isAtEnd,
    list,
    scroller,
  });
  const start = showsAll ? 0 : firstShown;

  const { edit, regenerate, selectAlternative, approve, reject, answer } = chat;
  const [awaited, setAwaited] = useState<AwaitedVersion>();
  const thread = useMemo(
    () => ({
      session,
      actions: { edit, regenerate, selectAlternative, approve, reject, answer },
      isBusy,
      held,
      renderPart,
      renderVerbs,
      beforeDecision,
      onOpenSession,
      awaited,
      setAwaited,
    }),
    [
      session,
      edit,
      regenerate,
      selectAlternative,
      approve,
      reject,
      answer,
      isBusy,
      held,
      renderPart,
      renderVerbs,
      beforeDecision,
      onOpenSession,
      awaited,
    ],
  );

  const shown = useMemo(() => (start === 0 ? messages : messages.slice(start)), [messages, start]);
  const rows = useMemo(() => toRows(shown, keepInView), [shown, keepInView]);
  const places = useMemo(() => placesOf(shown), [shown]);
  const lastId = messages.at(-1)?.id;

  // A person who sends a message wants to see its answer. Another version of a message is not a new one.
  const questionId = messages.findLast(({ role }) => role === 'user')?.id;
  const before = useRef({ questionId, count: messages.length });
  usePageEffect(() => {
    const isNew = before.current.questionId !== questionId && messages.length > before.current.count;
    before.current = { questionId, count: messages.length };
    if (isNew) toEnd();
  }, [questionId, messages.length, toEnd]);

  const renderMessage = (message: Message): ReactElement | null => {
    const place = places.get(message.id);
    return place === undefined ? null : <MessageRow message={message} isLast={message.id === lastId} {...place} />;
  };
  const renderItem = (message: Message): ReactElement => (
    <li key={message.id} className="bk-row">
      {renderMessage(message)}
    </li>
  );
  const contentOf = (row: Row): ReactNode => {
    const usual =
      row.kind === 'message' ? (
        renderMessage(row.message)
      ) : (
        <StepGroup steps={row.steps} labels={words} renderSteps={() => row.steps.messages.map(renderItem)} />
      );
    const first = firstOf(row);
    return renderRow && first ? renderRow(first, usual) : usual;
  };
  const isVirtual = renderRows !== undefined && rows.length > virtualAbove && !showsAll;

  return (
    <ThreadContext.Provider value={thread}>
      <WholeContext.Provider value={showsAll}>
        <div {...part('thread', className, messages.length === 0 ? 'empty' : status)}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
          <section className="bk-scroller" ref={scroller} tabIndex={0} aria-label={words.label}>
            <div className="bk-column" ref={content}>
              {messages.length === 0 && empty}
              {start > 0 && (
                <button type="button" className="bk-more" onClick={showEarlier}>
                  {words.earlier(start)}
                </button>
              )}
              {start > 0 && <Earlier messages={messages} count={start} />}
              {/* Not live: `Announcer` reads an answer sentence by sentence. */}
              <div role="log" aria-live="off" aria-busy={chat.isLoading} aria-label={words.messages}>
                {isVirtual ? (
                  <ManyRows
                    render={renderRows}
                    keys={rows.map((row) => firstOf(row)?.id ?? '')}
                    renderRow={(index) => rows[index] && contentOf(rows[index])}
                    scroller={scroller}
                    onCorrected={onCorrected}
                  />
                ) : (
                  <ol className="bk-messages" ref={list}>
                    {rows.map((row) => (
                      <li key={firstOf(row)?.id} className="bk-row">
                        {contentOf(row)}
                      </li>
                    ))}
                  </ol>
                )}
                {status === 'running' && (
                  <p className="bk-working" data-state={chat.isStreaming ? 'streaming' : 'waiting'}>
                    <span aria-hidden="true">{working ?? <span className="bk-dots" />}</span>
                    <span className="bk-hidden">{words.working}</span>
                  </p>
                )}
              </div>
              {children}
            </div>
          </section>
          {!isAtEnd && messages.length > 0 && (
            <button type="button" className="bk-jump" onClick={() => toEnd('smooth')}>
              <Icon name="arrowDown" />
              <span>{words.jump}</span>
            </button>
          )}
        </div>
      </WholeContext.Provider>
    </ThreadContext.Provider>
  );
}

interface ManyRowsProps extends ThreadRows {
  readonly render: (rows: ThreadRows) => ReactNode;
}

/** The rows as the page's virtualizer shows them. Invariant: it is asked once there is an element that scrolls, which React mounts after its children. */
function ManyRows({ render, ...rows }: ManyRowsProps): ReactNode {
  const [isMounted, setIsMounted] = useState(false);
  usePageEffect(() => setIsMounted(true), []);
  return isMounted ? render(rows) : null;
}

/** Returns the message with which a row begins. */
function firstOf(row: Row): Message | undefined {
  return row.kind === 'message' ? row.message : row.steps.messages[0];
}
