import type { ChatInput, Message, WhenBusy } from 'brooklet';
import { useChat, useObservable, useStorageStatus } from 'brooklet/react';
import {
  lazy,
  type ReactElement,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { toolsAdded } from '../agent.ts';
import { runOptionsOf } from '../chatSettings.ts';
import { type Connection, retrying } from '../connection.ts';
import { encryption } from '../encryption/setting.ts';
import { goTo } from '../route.ts';
import { SessionSync } from '../shell/rooms.ts';
import { getReplica, replica$ } from '../switchable.ts';
import { Icon } from '../ui/Icon.tsx';
import { useFocusKeeper } from '../ui/useFocusKeeper.ts';
import { Announcer } from './Announcer.tsx';
import { Composer } from './Composer.tsx';
import { ComposerNote } from './ComposerNote.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import { DropZone } from './DropZone.tsx';
import { MessageList } from './MessageList.tsx';
import { Queue } from './Queue.tsx';
import { billingURL } from './remedies.ts';
import { RetryNotice } from './RetryNotice.tsx';
import { RunNotice } from './RunNotice.tsx';
import { StorageNotice } from './StorageNotice.tsx';
import { Suggestions } from './Suggestions.tsx';
import { useAttachments } from './useAttachments.ts';
import { useEscapeToStop } from './useEscapeToStop.ts';
import { useStickToBottom } from './useStickToBottom.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Welcome } from './Welcome.tsx';

const LatestMessages = lazy(async () => ({
  default: (await import('./LatestMessages.tsx')).LatestMessages,
}));

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
  const { common, shell, conversation: words } = useTexts();
  const chat = useChat({ sessionId, onSessionCreated: goTo });
  const { session, status, error, edit, fork, regenerate, selectAlternative } = chat;
  const messageActions = useMemo(
    () => ({ edit, fork, regenerate, selectAlternative }),
    [edit, fork, regenerate, selectAlternative],
  );
  const storage = useStorageStatus(session, ({ state }) =>
    state === 'stale' || state === 'read-only' ? state : undefined,
  );
  const isReadOnly = storage === 'read-only';
  const isSaidAbove = isReadOnly && (error?.code === 'STORAGE_CORRUPT' || error?.code === 'SESSION_READ_ONLY');
  const title = useObservable(session?.state$, () => session?.getState().title ?? '');
  const retry = useObservable(retrying.retries$, retrying.getRetries).get(session?.id ?? '');
  const replica = useObservable(replica$, getReplica);
  const isBusy = status === 'running' || status === 'waiting';
  const isEmpty = chat.messages.length === 0 && !chat.isLoading && !error;
  const { scroller, content, isAtBottom, toBottom } = useStickToBottom(chat.sessionId, isEmpty);
  const attachments = useAttachments();
  const page = useRef<HTMLDivElement>(null);
  useFocusKeeper(page, scroller);
  useEscapeToStop(page, isBusy ? chat.stop : undefined);

  useLayoutEffect(() => {
    // The browser writes the title of a page into its history.
    document.title = title === '' || encryption !== 'off' ? common.app : shell.pageTitle(title);
  }, [title, common, shell]);

  useEffect(() => {
    // Not on a touch screen: the keyboard would cover the conversation.
    if (matchMedia('(hover: hover)').matches) composer.current?.focus();
  }, [sessionId, composer]);

  const send = async (input: string | ChatInput, whenBusy: WhenBusy = 'queue'): Promise<boolean> => {
    toBottom();
    await toolsAdded(true);
    return (await chat.send(input, { whenBusy, ...runOptionsOf(session) })) !== undefined;
  };

  const copy = async (): Promise<void> => {
    const id = await fork();
    if (id !== undefined) goTo(id);
  };

  const sendNow = async ({ id, content }: Message): Promise<void> => {
    if (await chat.unqueue(id)) await send({ content });
  };

  return (
    <DropZone ref={page} className={isEmpty ? 'conversation is-empty' : 'conversation'} onFiles={attachments.add}>
      <ConversationHeader
        session={session}
        title={
          title || (chat.sessionId === undefined ? common.newChat : chat.isLoading ? common.opening : common.untitled)
        }
        replica={replica}
        isEmpty={isEmpty}
        connection={connection}
        menu={menu}
      />
      <StorageNotice session={session} onCopy={() => void copy()} />
      {replica && session && (
        <Suspense fallback={null}>
          <SessionSync is="note" replica={replica} session={session} />
        </Suspense>
      )}
      <div className="scroll-frame">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
        <section className="scroller" ref={scroller} tabIndex={0} aria-label={words.label}>
          <div className="column" ref={content}>
            {isEmpty && <Welcome />}
            {chat.isLoading && (
              <Suspense fallback={null}>
                {chat.messages.length > 0 ? (
                  <LatestMessages messages={chat.messages} />
                ) : (
                  <p className="hint loading">{common.opening}</p>
                )}
              </Suspense>
            )}
            {session && (
              <MessageList
                key={session.id}
                session={session}
                scroller={scroller}
                isWorking={status === 'running'}
                isBusy={isBusy}
                actions={messageActions}
              />
            )}
            {retry && <RetryNotice key={retry.attempt} retry={retry} onStop={chat.stop} />}
            {/* Why a conversation can only be read, and what can be done, is in the strip above. */}
            {!isSaidAbove && (
              <RunNotice
                chat={chat}
                billingURL={'endpoint' in connection ? billingURL(connection.endpoint.baseURL) : undefined}
                onSettings={onSettings}
              />
            )}
          </div>
        </section>
        {!isAtBottom && !isEmpty && (
          <button type="button" className="jump" onClick={() => toBottom('smooth')}>
            <Icon name="arrowDown" />
            <span>{words.jump}</span>
          </button>
        )}
      </div>
      <Composer
        ref={composer}
        draftId={chat.sessionId ?? 'new'}
        status={status}
        isClosed={
          connection.kind === 'keyless' ||
          error?.code === 'SESSION_NOT_FOUND' ||
          error?.code === 'SESSION_REMOVED' ||
          storage === 'stale' ||
          isReadOnly
        }
        attachments={attachments}
        onSend={send}
        onStop={chat.stop}
        queue={
          <Queue
            queue={chat.queue}
            isBusy={isBusy}
            onRemove={(messageId) => void chat.unqueue(messageId)}
            onSendNow={(message) => void sendNow(message)}
          />
        }
        note={<ComposerNote connection={connection} onSettings={onSettings} />}
      />
      {isEmpty && <Suggestions isOffline={connection.kind === 'offline'} onPick={(text) => void send(text)} />}
      {session && <Announcer key={session.id} session={session} />}
    </DropZone>
  );
}
