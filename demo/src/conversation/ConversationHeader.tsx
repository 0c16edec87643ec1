import type { AgentSession } from 'brooklet';
import { type ReactElement, type ReactNode, Suspense } from 'react';
import type { Connection } from '../model/connection.ts';
import { reviewHref } from '../base/route.ts';
import { ChatChip } from '../settings/ChatChip.tsx';
import { ContextMeter, SessionSync, TakeOutMenu } from './firstRooms.ts';
import { Icon } from '../ui/Icon.tsx';
import { useTexts } from '../texts/useTexts.ts';

interface ConversationHeaderProps {
  readonly session: AgentSession | undefined;
  readonly title: string;
  /** Whether other devices may have the conversation. */
  readonly isShared: boolean;
  readonly isEmpty: boolean;
  readonly connection: Connection;
  readonly menu: ReactNode;
}

/** The title of a conversation, its context, its review, and the model. */
export function ConversationHeader(props: ConversationHeaderProps): ReactElement {
  const { session, title, isShared, isEmpty, connection, menu } = props;
  const { conversation: words, takeOut } = useTexts();
  return (
    <header className="top">
      {menu}
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {isShared && session && (
        <Suspense fallback={null}>
          <SessionSync is="chip" session={session} />
        </Suspense>
      )}
      {session && (
        <Suspense fallback={null}>
          <ContextMeter session={session} showAbove={0} />
        </Suspense>
      )}
      {session && !isEmpty && (
        <a
          className="quiet review-link"
          href={reviewHref({ sessionId: session.id })}
          title={words.reviewTitle}
          aria-label={words.review}
        >
          <Icon name="history" />
          <span>{words.review}</span>
        </a>
      )}
      {session && !isEmpty && (
        <Suspense fallback={null}>
          <TakeOutMenu label={takeOut.chat} session={session} />
        </Suspense>
      )}
      <ChatChip session={session} connection={connection} />
    </header>
  );
}
