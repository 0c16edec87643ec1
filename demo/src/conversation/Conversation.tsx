import type { Message, ToolPart } from 'brooklet';
import { useObservable, useStorageStatus } from 'brooklet/react';
import {
  Announcer,
  type BeforeDecision,
  Composer,
  type ComposerDraft,
  ErrorBoundary,
  QueueChips,
  useEscape,
  useFocusKeeper,
} from 'brooklet/ui';
import {
  type ReactElement,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { callReady } from '../agent/callReady.ts';
import type { Connection } from '../model/connection.ts';
import { useDraft } from './drafts.ts';
import { encryption } from '../base/encryption.ts';
import { goTo } from '../base/route.ts';
import { closePane, getPane, pane$ } from '../pane/pane.ts';
import { ChatModel, Messages, PartOf, ServerOffers, SessionSync, SidePane } from './firstRooms.ts';
import { asked } from '../devices/asked.ts';
import { isConnected, isConnected$ } from '../devices/store.ts';
import { tabName } from '../base/tab.ts';
import { useTexts } from '../texts/useTexts.ts';
import { contextWindow } from '../agent/setup.ts';
import { billingURL } from './billing.ts';
import { ComposerNote } from './ComposerNote.tsx';
import { ConversationHeader } from './ConversationHeader.tsx';
import { StorageNotice } from './StorageNotice.tsx';
import { Suggestions } from './Suggestions.tsx';
import { tokensOf } from './tokensOf.ts';
import { useStudioChat } from './useStudioChat.ts';
import { Welcome } from './Welcome.tsx';

/** Beside the message field: what the servers of the user offer. */
const renderOffers = (message: ComposerDraft): ReactElement => (
  <Suspense>
    <ServerOffers message={message} />
  </Suspense>
);

/** Characters of a pasted text above which it becomes a file. */
const pasteAsFile = 4_000;

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
  const { common, shell } = useTexts();
  const chat = useStudioChat(sessionId);
  const { session, status, error } = chat;
  const storage = useStorageStatus(session, ({ state }) =>
    state === 'stale' || state === 'read-only' ? state : undefined,
  );
  const isReadOnly = storage === 'read-only';
  const isSaidAbove = isReadOnly && (error?.code === 'STORAGE_CORRUPT' || error?.code === 'SESSION_READ_ONLY');
  const title = useObservable(session?.state$, () => session?.getState().title ?? '');
  const isShared = useObservable(isConnected$, isConnected);
  const isBelow = useObservable(session?.state$, () => session?.getState().path !== undefined);
  const [draft, setDraft] = useDraft(chat.sessionId ?? 'new');
  const isBusy = status === 'running' || status === 'waiting';
  const isEmpty = chat.messages.length === 0 && !chat.isLoading && !error;
  const beside = useObservable(pane$, getPane);
  // It belongs to what was said.
  useEffect(() => closePane, [sessionId]);
  const page = useRef<HTMLDivElement>(null);
  useFocusKeeper(page, page);
  // Only what runs: a decision that is waited for stays.
  useEscape(page, status === 'running' ? chat.stop : undefined);

  useLayoutEffect(() => {
    // The browser writes the title of a page into its history.
    document.title = title === '' || encryption !== 'off' ? common.app : shell.pageTitle(title);
  }, [title, common, shell]);

  useEffect(() => {
    // Not on a touch screen: the keyboard would cover the conversation.
    if (matchMedia('(hover: hover)').matches) composer.current?.focus();
  }, [sessionId, composer]);

  const id = session?.id ?? '';
  const beforeDecision: BeforeDecision = useCallback(
    async (call: ToolPart, verdict) => {
      if (verdict !== 'rejected') await callReady(call);
      // What another device has asked, that device carries out.
      return { userName: tabName, drive: !asked.has(id) };
    },
    [id],
  );
  const notice = {
    billingURL: 'endpoint' in connection ? billingURL(connection.endpoint.baseURL) : undefined,
    onSettings,
  };
  const copy = async (): Promise<void> => {
    const copyId = await chat.fork();
    if (copyId !== undefined) goTo(copyId);
  };
  const sendNow = async ({ id: messageId, content }: Message): Promise<void> => {
    if (await chat.unqueue(messageId)) await chat.send({ content }, { whenBusy: 'queue' });
  };

  const conversation = (
    <div
      ref={page}
      className={`conversation${isEmpty ? ' is-empty' : ''}${beside ? ' has-pane' : ''}`}
      // Files that are dropped anywhere on it are attached.
      data-part="chat"
      tabIndex={-1}
    >
      <ConversationHeader
        session={session}
        title={
          title || (chat.sessionId === undefined ? common.newChat : chat.isLoading ? common.opening : common.untitled)
        }
        isShared={isShared}
        isEmpty={isEmpty}
        connection={connection}
        menu={menu}
      />
      {session && isBelow && (
        <Suspense fallback={null}>
          <PartOf key={session.id} session={session} />
        </Suspense>
      )}
      <StorageNotice session={session} onCopy={() => void copy()} />
      {isShared && session && (
        <Suspense fallback={null}>
          <SessionSync is="note" session={session} />
        </Suspense>
      )}
      <div className="bk-chat">
        {isEmpty ? (
          <Welcome />
        ) : (
          <Suspense fallback={<div className="bk-thread" />}>
            <Messages
              chat={chat}
              empty={chat.isLoading && <p className="hint loading">{common.opening}</p>}
              beforeDecision={beforeDecision}
              // Why a conversation can only be read, and what can be done, is in the strip above.
              notice={isSaidAbove ? undefined : notice}
            />
          </Suspense>
        )}
        <QueueChips
          queue={chat.queue}
          isBusy={isBusy}
          onRemove={(messageId) => void chat.unqueue(messageId)}
          onSendNow={(message) => void sendNow(message)}
        />
        <Composer
          chat={chat}
          fieldRef={composer}
          value={draft}
          onValue={setDraft}
          isClosed={
            connection.kind === 'keyless' ||
            error?.code === 'SESSION_NOT_FOUND' ||
            error?.code === 'SESSION_REMOVED' ||
            storage === 'stale' ||
            isReadOnly
          }
          tokensOf={tokensOf}
          maxTokens={session?.getContext()?.usable ?? contextWindow}
          pasteAsFile={pasteAsFile}
          slots={{
            start: renderOffers,
            end: 'endpoint' in connection && connection.kind !== 'keyless' && (
              <Suspense fallback={null}>
                <ChatModel session={session} endpoint={connection.endpoint} />
              </Suspense>
            ),
            note: <ComposerNote connection={connection} onSettings={onSettings} />,
          }}
        />
        {isEmpty && <Suggestions isOffline={connection.kind === 'offline'} onPick={(text) => void chat.send(text)} />}
      </div>
      {session && <Announcer key={session.id} session={session} />}
    </div>
  );
  return (
    <>
      {conversation}
      {beside && (
        <ErrorBoundary shows={beside} renderFallback={() => null}>
          <Suspense fallback={null}>
            <SidePane key={beside.text} shown={beside} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}
