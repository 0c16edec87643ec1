import { type ReactElement, useState } from 'react';
import { CopyButton } from '../base/CopyButton.tsx';
import { IconButton } from '../base/IconButton.tsx';
import { part } from '../base/part.ts';
import { useWhole } from '../base/whole.ts';
import { extractTextContent, type MediaPart, type Message, type Part } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import { Media } from './Media.tsx';
import { MessageEditor } from './MessageEditor.tsx';
import { MessageVersions } from './MessageVersions.tsx';
import { type ThreadEnv, useThread } from './threadContext.ts';

/** Characters and lines above which a message is folded. */
const maxText = 3_000;
const maxLines = 40;

/** A message of the person, with its files. */
export function UserMessage({ message }: { readonly message: Message }): ReactElement {
  const words = useLabels('message', undefined);
  const thread = useThread();
  const [isEditing, setIsEditing] = useState(false);
  const [draft, setDraft] = useState<string>();
  const text = extractTextContent(message);
  const files = message.content.filter(isMedia);

  const sendEdit = (edited: string): void => {
    setIsEditing(false);
    // An edit that is refused is there again when the person comes back.
    setDraft(edited);
    void thread?.actions.edit(message.id, { content: [...files, { type: 'text', text: edited }] });
  };

  return (
    <article {...part('question')} aria-label={words.you}>
      {files.length > 0 && (
        <ul className="bk-files" aria-label={words.attachments}>
          {files.map((file, index) => (
            // Files of one message do not change, so the index is a stable key.
            <li key={index}>
              <Media part={file} />
            </li>
          ))}
        </ul>
      )}
      {isEditing ? (
        <MessageEditor
          text={draft ?? text}
          labels={words}
          onSend={sendEdit}
          onCancel={(typed) => {
            setDraft(typed === text ? undefined : typed);
            setIsEditing(false);
          }}
        />
      ) : (
        text !== '' && <Bubble text={text} />
      )}
      {!isEditing && thread && (
        <Verbs thread={thread} message={message} text={text} onEdit={() => setIsEditing(true)} />
      )}
    </article>
  );
}

function Bubble({ text }: { readonly text: string }): ReactElement {
  const words = useLabels('message', undefined);
  const [isWhole, setIsWhole] = useState(false);
  const showsAll = useWhole();
  const folded = showsAll ? text : fold(text);
  return (
    <div className="bk-bubble">
      <bdi>{isWhole ? text : folded}</bdi>
      {folded !== text && (
        <button type="button" className="bk-more" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? words.showLess : words.showMore}
        </button>
      )}
    </div>
  );
}

function fold(text: string): string {
  const lines = text.slice(0, maxText).split('\n').slice(0, maxLines).join('\n');
  return lines.length === text.length ? text : `${lines}…`;
}

interface VerbsProps {
  readonly thread: ThreadEnv;
  readonly message: Message;
  readonly text: string;
  readonly onEdit: () => void;
}

function Verbs({ thread, message, text, onEdit }: VerbsProps): ReactElement | null {
  const words = useLabels('message', undefined);
  const { session, isBusy, renderVerbs } = thread;
  const usual = session && (
    <>
      <MessageVersions thread={thread} firstId={message.id} />
      {text !== '' && <CopyButton label={words.copyYours} getText={() => text} />}
      {!isBusy && <IconButton icon="edit" label={words.edit} onClick={onEdit} />}
    </>
  );
  return <div className="bk-verbs">{renderVerbs ? renderVerbs(message, usual) : usual}</div>;
}

function isMedia(content: Part): content is MediaPart {
  return content.type === 'image' || content.type === 'audio' || content.type === 'file';
}
