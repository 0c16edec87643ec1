import type { AgentSession, Message } from 'brooklet';
import { type ReactElement, useState } from 'react';
import { goTo } from '../route.ts';
import { attempt } from '../toast/reportRefusal.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { Modal } from '../ui/Modal.tsx';
import type { MessageActions } from './MessageRow.tsx';
import { removeFrom } from './removeFrom.ts';

interface MessageVerbsProps {
  readonly session: AgentSession;
  readonly message: Message;
  readonly actions: MessageActions;
  readonly isPinned: boolean;
  /** Whether a run is under way: then messages cannot be removed. */
  readonly isBusy: boolean;
}

/** What can be done with any message: fork, pin, delete from here. */
export function MessageVerbs({ session, message, actions, isPinned, isBusy }: MessageVerbsProps): ReactElement {
  const { message: words } = useTexts();
  const [isRemoving, setIsRemoving] = useState(false);

  const fork = async (): Promise<void> => {
    const sessionId = await actions.fork(message.id);
    if (sessionId !== undefined) goTo(sessionId);
  };

  return (
    <>
      <Verb icon="branch" label={words.fork} title={words.forkTitle} onClick={() => void fork()} />
      <Verb
        icon="pin"
        label={isPinned ? words.unpin : words.pin}
        title={isPinned ? words.unpin : words.pinTitle}
        isPressed={isPinned}
        onClick={() => attempt(() => session.pin(message.id, !isPinned))}
      />
      {!isBusy && <Verb icon="trash" label={words.remove} onClick={() => setIsRemoving(true)} />}
      {isRemoving && <ConfirmRemoval session={session} messageId={message.id} onClose={() => setIsRemoving(false)} />}
    </>
  );
}

interface VerbProps {
  readonly icon: IconName;
  readonly label: string;
  readonly title?: string;
  readonly isPressed?: boolean;
  readonly onClick: () => void;
}

/** A small button with an icon. */
export function Verb({ icon, label, title = label, isPressed, onClick }: VerbProps): ReactElement {
  return (
    <button
      type="button"
      className="quiet small"
      aria-label={label}
      aria-pressed={isPressed}
      title={title}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

interface ConfirmRemovalProps {
  readonly session: AgentSession;
  readonly messageId: string;
  readonly onClose: () => void;
}

function ConfirmRemoval({ session, messageId, onClose }: ConfirmRemovalProps): ReactElement {
  const { message: words } = useTexts();
  const messages = session.getMessages();
  const count = messages.length - messages.findIndex(({ id }) => id === messageId);
  return (
    <Modal title={words.removeTitle} role="alertdialog" onClose={onClose}>
      <p>
        {words.removeText(count)} {words.removeNote}
      </p>
      <div className="modal-verbs">
        <button type="button" onClick={onClose}>
          {words.keep}
        </button>
        <button
          type="button"
          className="danger"
          onClick={() => {
            onClose();
            attempt(() => removeFrom(session, messageId));
          }}
        >
          {words.remove}
        </button>
      </div>
    </Modal>
  );
}
