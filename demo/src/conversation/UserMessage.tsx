import { type AgentSession, extractTextContent, type MediaPart, type Message, type Part } from 'brooklet';
import type { ReactElement } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Media } from './Media.tsx';
import { MessageVerbs } from './MessageVerbs.tsx';

interface UserMessageProps {
  readonly session: AgentSession;
  readonly message: Message;
  readonly isPinned: boolean;
  readonly isBusy: boolean;
}

/** A message of the user, with its files. */
export function UserMessage({ session, message, isPinned, isBusy }: UserMessageProps): ReactElement {
  const { common, composer, message: words } = useTexts();
  const text = extractTextContent(message);
  const files = message.content.filter(isMedia);
  return (
    <article className="question" aria-label={common.you}>
      <div className="asked">
        {files.length > 0 && (
          <ul className="attachments" aria-label={composer.attachments}>
            {files.map((part, index) => (
              // Files of one message do not change, so the index is a stable key.
              <li key={index}>
                <Attached part={part} />
              </li>
            ))}
          </ul>
        )}
        {text !== '' && (
          <div className="bubble">
            <bdi>{text}</bdi>
          </div>
        )}
      </div>
      <div className="verbs">
        {text !== '' && <CopyButton label={words.copyYours} getText={() => text} />}
        <MessageVerbs session={session} message={message} isPinned={isPinned} isBusy={isBusy} />
      </div>
    </article>
  );
}

function Attached({ part }: { readonly part: MediaPart }): ReactElement {
  const { message: words } = useTexts();
  if (part.type === 'image') return <Media part={part} />;
  return (
    <>
      <Icon name="file" />
      <bdi className="attachment-name">{part.name ?? words.attachment}</bdi>
    </>
  );
}

function isMedia(part: Part): part is MediaPart {
  return part.type === 'image' || part.type === 'audio' || part.type === 'file';
}
