import type { AgentSession, Message } from 'brooklet';
import { totalInput } from 'brooklet/core';
import { useObservable } from 'brooklet/react';
import { type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { goTo } from '../base/route.ts';
import { attempt } from '../toast/reportRefusal.ts';
import { showToast } from '../toast/toasts.ts';
import { useTexts } from '../texts/useTexts.ts';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { Modal } from '../ui/Modal.tsx';
import { AnswerWith } from './rooms.ts';
import { TakeOutMenu } from '../takeout/TakeOutMenu.tsx';
import { removeFrom } from './removeFrom.ts';
import { type ShownChat, useShownChat } from '../model/ShownChat.ts';

interface MessageVerbsProps {
  readonly message: Message;
  /** Those of any chat. */
  readonly children: ReactNode;
}

/** What can be done with a message: beside what any chat has, fork, pin, delete from here. */
export function MessageVerbs({ message, children }: MessageVerbsProps): ReactElement {
  const chat = useShownChat();
  return (
    <>
      {children}
      {chat && <Verbs chat={chat} message={message} />}
    </>
  );
}

interface VerbsProps {
  readonly chat: ShownChat;
  readonly message: Message;
}

function Verbs({ chat, message }: VerbsProps): ReactElement {
  const { session, pinned } = chat;
  const { message: words, common, takeOut } = useTexts();
  const status = useObservable(session.status$, session.getStatus);
  const [isRemoving, setIsRemoving] = useState(false);
  const isPinned = pinned.includes(message.id);

  const fork = async (): Promise<void> => {
    const sessionId = await chat.fork(message.id);
    if (sessionId === undefined) return;
    goTo(sessionId);
    const title = session.getState().title ?? common.untitled;
    showToast(words.forked(title), {
      action: { label: words.backToOriginal, run: () => goTo(session.id) },
    });
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
      {status !== 'running' && status !== 'waiting' && (
        <Verb icon="trash" label={words.remove} onClick={() => setIsRemoving(true)} />
      )}
      {message.role === 'assistant' && status !== 'running' && status !== 'waiting' && (
        <Suspense fallback={null}>
          <AnswerWith session={session} message={message} />
        </Suspense>
      )}
      {message.role === 'assistant' && <TakeOutMenu label={takeOut.answer} session={session} messageId={message.id} />}
      {message.role === 'assistant' && <Usage session={session} message={message} />}
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
function Verb({ icon, label, title = label, isPressed, onClick }: VerbProps): ReactElement {
  return (
    <button
      type="button"
      className="bk-icon-button"
      aria-label={label}
      aria-pressed={isPressed}
      title={title}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

interface UsageProps {
  readonly session: AgentSession;
  /** The last reply of an answer. */
  readonly message: Message;
}

/** The tokens of an answer: of all replies since the message of the user, as far as the provider has reported them. */
function Usage({ session, message }: UsageProps): ReactElement | null {
  const { locale, message: words } = useTexts();
  const messages = session.getMessages();
  const end = messages.findIndex(({ id }) => id === message.id) + 1;
  const start = messages.slice(0, end).findLastIndex(({ role }) => role === 'user') + 1;
  const usages = messages.slice(start, end).flatMap(({ usage }) => usage ?? []);
  const input = usages.reduce((sum, usage) => sum + totalInput(usage), 0);
  const output = usages.reduce((sum, usage) => sum + usage.output, 0);
  if (input + output === 0) return null;
  const count = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  return (
    <span className="usage" title={words.tokensTitle(input, output, message.model ?? '')}>
      {words.tokens(count.format(input + output))}
    </span>
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
