import type { WhenBusy } from 'brooklet';
import { useChat, useObservable, useStorageStatus } from 'brooklet/react';
import { type ReactElement, type ReactNode, type RefObject, useEffect, useLayoutEffect } from 'react';
import { runOptionsOf } from '../chatSettings.ts';
import { type Connection, retrying } from '../connection.ts';
import { goTo, reviewHref } from '../route.ts';
import { ChatChip } from '../settings/ChatChip.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Announcer } from './Announcer.tsx';
import { Composer } from './Composer.tsx';
import { ContextMeter } from './ContextMeter.tsx';
import { MessageList } from './MessageList.tsx';
import { Queue } from './Queue.tsx';
import { RetryNotice } from './RetryNotice.tsx';
import { RunNotice } from './RunNotice.tsx';
import { StorageNotice } from './StorageNotice.tsx';
import { useStickToBottom } from './useStickToBottom.ts';
import { Welcome } from './Welcome.tsx';

interface ConversationProps {
  readonly sessionId: string | undefined;
  readonly connection: Connection;
  readonly composer: RefObject<HTMLTextAreaElement | null>;
  readonly onSettings: () => void;
  /** The button that opens the drawer with the sessions. */
  readonly menu: ReactNode;
}

/** One conversation: its messages, its status, and the message field. Without a session id: a new conversation. */
export function Conversation({ sessionId, connection, composer, onSettings, menu }: ConversationProps): ReactElement {
  const chat = useChat({ sessionId, onSessionCreated: goTo });
  const { session, status, error } = chat;
  const isStale = useStorageStatus(session, ({ state }) => state === 'stale');
  const title = useObservable(session?.state$, () => session?.getState().title ?? '');
  const retry = useObservable(retrying.retries$, retrying.getRetries).get(session?.id ?? '');
  const isBusy = status === 'running' || status === 'waiting';
  const isEmpty = chat.messages.length === 0 && !chat.isLoading && !error;
  const { scroller, content, isAtBottom, toBottom } = useStickToBottom(chat.sessionId, isEmpty);
  const locked = connection.kind === 'locked';

  useLayoutEffect(() => {
    document.title = title === '' ? 'Brooklet Studio' : `${title} — Brooklet Studio`;
  }, [title]);

  useEffect(() => {
    // Not on a touch screen: the keyboard would cover the conversation.
    if (matchMedia('(hover: hover)').matches) composer.current?.focus();
  }, [sessionId, composer]);

  const send = async (text: string, whenBusy: WhenBusy = 'queue'): Promise<boolean> => {
    toBottom();
    return (await chat.send(text, { whenBusy, ...runOptionsOf(session) })) !== undefined;
  };

  const sendNow = async (messageId: string, text: string): Promise<void> => {
    if (await chat.unqueue(messageId)) await send(text);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape stops the run from anywhere
    <div
      className="conversation"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isBusy && !event.defaultPrevented) chat.stop();
      }}
    >
      <header className="top">
        {menu}
        <h1>
          <bdi>{title || (chat.sessionId === undefined ? 'New chat' : '')}</bdi>
        </h1>
        {session && <ContextMeter session={session} />}
        {session && !isEmpty && (
          <a
            className="quiet review-link"
            href={reviewHref({ sessionId: session.id })}
            title="See what happened, step by step"
          >
            <Icon name="history" />
            <span>Review</span>
          </a>
        )}
        <ChatChip session={session} connection={connection} />
      </header>
      <StorageNotice session={session} />
      <div className="scroll-frame">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
        <section className="scroller" ref={scroller} tabIndex={0} aria-label="Conversation">
          <div className="column" ref={content}>
            {isEmpty && (
              <Welcome
                isOffline={connection.kind === 'offline'}
                onPick={(text) => void send(text)}
                onSettings={onSettings}
              />
            )}
            {chat.isLoading && <p className="hint loading">Opening…</p>}
            {session && (
              <MessageList
                key={session.id}
                session={session}
                isWorking={status === 'running'}
                isBusy={isBusy}
                onRegenerate={chat.regenerate}
              />
            )}
            {retry && <RetryNotice key={retry.attempt} retry={retry} onStop={chat.stop} />}
            <RunNotice chat={chat} onSettings={onSettings} />
          </div>
        </section>
        {!isAtBottom && !isEmpty && (
          <button type="button" className="jump" onClick={() => toBottom('smooth')}>
            <Icon name="arrowDown" />
            <span>Jump to latest</span>
          </button>
        )}
      </div>
      <Composer
        ref={composer}
        draftId={chat.sessionId ?? 'new'}
        status={status}
        isClosed={locked || error?.code === 'SESSION_NOT_FOUND' || isStale === true}
        onSend={send}
        onStop={chat.stop}
        queue={
          <Queue
            queue={chat.queue}
            isBusy={isBusy}
            onRemove={(messageId) => void chat.unqueue(messageId)}
            onSendNow={(messageId, text) => void sendNow(messageId, text)}
          />
        }
        note={
          locked ? (
            <>
              Enter the key for {new URL(connection.endpoint.baseURL).host} again: the reload cleared it.{' '}
              <button type="button" className="link" onClick={onSettings}>
                Enter the key
              </button>
            </>
          ) : connection.kind === 'offline' ? (
            <>
              <strong>Offline demo model</strong> — scripted, not a real AI.{' '}
              <button type="button" className="link" onClick={onSettings}>
                Connect a model
              </button>
            </>
          ) : (
            'Models make mistakes. Check important answers.'
          )
        }
      />
      {session && <Announcer key={session.id} session={session} />}
    </div>
  );
}
