import { type ReactElement, useRef } from 'react';
import type { Message } from '../core/model/index.ts';
import { AgentProvider, useChat, useStorageStatus } from '../react/index.ts';
import { part } from './base/part.ts';
import { useEscape } from './base/useEscape.ts';
import { useFocusKeeper } from './base/useFocusKeeper.ts';
import { Composer } from './composer/Composer.tsx';
import { QueueChips } from './composer/QueueChips.tsx';
import { useLabels } from './labels/useLabels.ts';
import { Announcer } from './notice/Announcer.tsx';
import { RunNotice } from './notice/RunNotice.tsx';
import { PartsProvider } from './PartsProvider.tsx';
import type { ChatProps, Components } from './props.ts';
import { Thread } from './thread/Thread.tsx';

const noParts: Components = {};

/**
 * A chat with an agent: messages with Markdown, tools and approvals, the message field, what happened to the run and what helps. Needs
 * `agent`, or an `AgentProvider` around it, and the style sheet `brooklet/ui/style.css`. It fills the height of its container.
 *
 *     <Chat agent={agent} />
 */
export function Chat({ agent, labels, components = noParts, ...props }: ChatProps): ReactElement {
  const view = (
    <PartsProvider labels={labels} components={components}>
      <View {...props} components={components} />
    </PartsProvider>
  );
  return agent === undefined ? view : <AgentProvider agent={agent}>{view}</AgentProvider>;
}

type ViewProps = Omit<ChatProps, 'agent' | 'labels' | 'components'> & { readonly components: Components };

function View(props: ViewProps): ReactElement {
  const {
    components,
    empty,
    renderPart,
    renderVerbs,
    onOpenSession,
    composer,
    onSettings,
    onNewChat,
    billingURL,
    className,
  } = props;
  const { sessionId, create, onSessionCreated, initialMessages, onFinish, onError, onToolCall, onApproval } = props;
  const {
    Thread: Messages = Thread,
    RunNotice: Ending = RunNotice,
    QueueChips: Waiting = QueueChips,
    Composer: Field = Composer,
  } = components;
  const words = useLabels('chat', undefined);
  const chat = useChat({
    sessionId,
    create,
    onSessionCreated,
    initialMessages,
    onFinish,
    onError,
    onToolCall,
    onApproval,
  });
  const { session, status, error } = chat;
  const isClosed = useStorageStatus(session, ({ state }) => state === 'stale' || state === 'read-only') ?? false;
  const isBusy = status === 'running' || status === 'waiting';
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root, root);
  // Only what runs: a decision that is waited for stays.
  useEscape(root, status === 'running' ? chat.stop : undefined);

  const sendNow = async ({ id, content }: Message): Promise<void> => {
    if (await chat.unqueue(id)) await chat.send({ content }, { whenBusy: 'queue' });
  };

  return (
    <div {...part('chat', className, status)} ref={root} role="group" aria-label={words.label} tabIndex={-1}>
      <Announcer session={session}>
        <Messages
          chat={chat}
          renderPart={renderPart}
          renderVerbs={renderVerbs}
          onOpenSession={onOpenSession}
          empty={
            chat.isLoading ? <p className="bk-hint">{words.opening}</p> : (empty ?? <Welcome text={words.welcome} />)
          }
        >
          <Ending chat={chat} onSettings={onSettings} onNewChat={onNewChat} billingURL={billingURL} />
        </Messages>
        <Waiting
          queue={chat.queue}
          isBusy={isBusy}
          onRemove={(messageId) => void chat.unqueue(messageId)}
          onSendNow={(message) => void sendNow(message)}
        />
        <Field
          {...composer}
          chat={chat}
          isClosed={isClosed || error?.code === 'SESSION_NOT_FOUND' || error?.code === 'SESSION_REMOVED'}
        />
      </Announcer>
    </div>
  );
}

function Welcome({ text }: { readonly text: string }): ReactElement {
  return <p className="bk-welcome">{text}</p>;
}
