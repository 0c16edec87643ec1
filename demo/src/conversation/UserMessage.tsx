import { type AgentSession, extractTextContent, type MediaPart, type Message, type Part } from 'brooklet';
import { type ReactElement, Suspense, useState } from 'react';
import { runOptionsOf } from '../chatSettings.ts';
import { MessageEditor } from '../shell/rooms.ts';
import { useTexts } from '../texts/useTexts.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Media } from './Media.tsx';
import type { MessageActions } from './MessageRow.tsx';
import { MessageVerbs, Verb } from './MessageVerbs.tsx';
import { Versions } from './Versions.tsx';

export interface UserMessageProps {
  readonly session: AgentSession;
  readonly message: Message;
  readonly actions: MessageActions;
  readonly isPinned: boolean;
  readonly isBusy: boolean;
}

/** A message of the user, with its files. */
export function UserMessage({ session, message, actions, isPinned, isBusy }: UserMessageProps): ReactElement {
  const { common, composer, message: words } = useTexts();
  const [isEditing, setIsEditing] = useState(false);
  const [draft, setDraft] = useState<string>();
  const text = extractTextContent(message);
  const files = message.content.filter(isMedia);

  const sendEdit = (edited: string): void => {
    setIsEditing(false);
    // An edit that is refused is there again when the user comes back.
    setDraft(edited);
    void actions.edit(message.id, { content: [...files, { type: 'text', text: edited }] }, runOptionsOf(session));
  };

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
        {isEditing ? (
          <Suspense>
            <MessageEditor
              text={draft ?? text}
              onSend={sendEdit}
              onCancel={(typed) => {
                setDraft(typed === text ? undefined : typed);
                setIsEditing(false);
              }}
            />
          </Suspense>
        ) : (
          text !== '' && (
            <div className="bubble">
              <bdi>{text}</bdi>
            </div>
          )
        )}
      </div>
      {!isEditing && (
        <div className="verbs">
          <Versions session={session} messageId={message.id} actions={actions} isBusy={isBusy} />
          <span className="on-hover">
            {text !== '' && <CopyButton label={words.copyYours} getText={() => text} />}
            {!isBusy && (
              <Verb icon="edit" label={words.edit} title={words.editTitle} onClick={() => setIsEditing(true)} />
            )}
            <MessageVerbs session={session} message={message} actions={actions} isPinned={isPinned} isBusy={isBusy} />
          </span>
        </div>
      )}
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
