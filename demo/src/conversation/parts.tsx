import { Announcer, type Components, PartsProvider, type ThreadProps } from 'brooklet/ui';
import { type ReactElement, type ReactNode, Suspense } from 'react';
import { Markdown } from '../markdown/Markdown.tsx';
import { hasInterface } from '../mcp/interfaces.ts';
import { InterfaceMessage } from '../shell/rooms.ts';
import { CallCard } from './CallCard.tsx';
import { CompactionMarker } from './CompactionMarker.tsx';
import { Decision } from './Decision.tsx';
import { FallbackNote } from './FallbackNote.tsx';
import { useLabelsOfParts } from './labels.ts';
import { MessageVerbs } from './MessageVerbs.tsx';
import { useShownChat } from './ShownChat.ts';
import { VirtualRows } from '../shell/rooms.ts';

const components: Components = { Markdown, ToolCall: CallCard, Approval: Decision };

/** For the whole page: the texts of the parts of a chat, what Studio has in the place of some, and the only live region. */
export function Parts({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <PartsProvider labels={useLabelsOfParts()} components={components}>
      <Announcer session={undefined}>{children}</Announcer>
    </PartsProvider>
  );
}

/** What the messages of Studio show more than those of any chat. The same functions for every conversation: new ones would render all messages again. */
export const threadParts: Pick<ThreadProps, 'renderPart' | 'renderRow' | 'renderRows' | 'renderVerbs' | 'keepInView'> =
  {
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
    keepInView: ({ name }) => hasInterface(name),
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
      {chat?.firstSeen === messageId && <CompactionMarker session={chat.session} />}
      {children}
    </>
  );
}
