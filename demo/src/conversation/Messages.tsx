import { type Components, PartsProvider, Thread, type ThreadProps } from 'brooklet/ui';
import { type ReactElement, type ReactNode, Suspense } from 'react';
import { Markdown } from '../markdown/Markdown.tsx';
import { hasInterface } from '../mcp/interfaces.ts';
import { getCallId, goTo } from '../base/route.ts';
import { InterfaceMessage, VirtualRows } from './rooms.ts';
import { CodeBeside } from '../pane/CodeBeside.tsx';
import { BrookFlow } from '../ui/Brook.tsx';
import { CallCard } from './CallCard.tsx';
import { CompactionMarker } from './CompactionMarker.tsx';
import { Decision } from './Decision.tsx';
import { ForkNote } from './ForkNote.tsx';
import { FallbackNote } from './FallbackNote.tsx';
import { MessageVerbs } from './MessageVerbs.tsx';
import { RunNotice, type StudioNoticeProps } from './RunNotice.tsx';
import { ShownChatContext, useChatToShow, useShownChat } from '../model/ShownChat.ts';
import '../styles/tools.css';

/** Keep it here: a new value would render all parts again. */
const components: Components = { Markdown, CodeBlock: CodeBeside, ToolCall: CallCard, Approval: Decision };

interface MessagesProps extends Pick<ThreadProps, 'chat' | 'empty' | 'beforeDecision'> {
  /** What the notice of a run that has not completed can offer; `undefined` shows none. */
  readonly notice?: Omit<StudioNoticeProps, 'chat'> | undefined;
}

/** The messages of a conversation, as Studio shows them. */
export function Messages({ chat, notice, ...props }: MessagesProps): ReactElement {
  return (
    <PartsProvider components={components}>
      <ShownChatContext value={useChatToShow(chat)}>
        <Thread {...props} {...threadParts} chat={chat} working={<BrookFlow />}>
          {notice && <RunNotice {...notice} chat={chat} />}
        </Thread>
      </ShownChatContext>
    </PartsProvider>
  );
}

/** What the messages of Studio show more than those of any chat. The same functions for every conversation: new ones would render all messages again. */
const threadParts: Pick<
  ThreadProps,
  'renderPart' | 'renderRow' | 'renderRows' | 'renderVerbs' | 'keepInView' | 'onOpenSession'
> = {
  onOpenSession: goTo,
  renderPart: (part) =>
    part.type === 'provider' && part.name === 'brooklet.fallback' ? <FallbackNote data={part.data} /> : undefined,
  renderRow: (message, usual) => (
    <Row messageId={message.id}>
      {message.role === 'user' && message.metadata ? (
        <Suspense fallback={null}>
          <InterfaceMessage message={message}>{usual}</InterfaceMessage>
        </Suspense>
      ) : (
        usual
      )}
    </Row>
  ),
  renderRows: (rows) => (
    <Suspense>
      <VirtualRows {...rows} />
    </Suspense>
  ),
  renderVerbs: (message, usual) => <MessageVerbs message={message}>{usual}</MessageVerbs>,
  keepInView: ({ name, callId }) => hasInterface(name) || callId === getCallId(),
};

interface RowProps {
  readonly messageId: string;
  readonly children: ReactNode;
}

/** A row, with the mark above it where the model reads a summary of what is above. */
function Row({ messageId, children }: RowProps): ReactElement {
  const chat = useShownChat();
  return (
    <>
      {chat?.session.getMessages()[0]?.id === messageId && <ForkNote session={chat.session} />}
      {chat?.firstSeen === messageId && <CompactionMarker session={chat.session} />}
      {children}
    </>
  );
}
