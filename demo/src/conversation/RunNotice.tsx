import { type AgentError, toolParts } from 'brooklet';
import { type UseChatResult, useObservable } from 'brooklet/react';
import { type ReactElement, type ReactNode, type Ref, Suspense, useEffect, useRef } from 'react';
import { maxSteps } from '../agent.ts';
import { openOverlay } from '../shell/overlay.ts';
import { UnlockCard } from '../shell/rooms.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { Remedies } from './Remedies.tsx';
import { remediesFor } from './remedies.ts';
import { titleOf } from './titleOf.ts';
import { textFor } from '../texts/textFor.ts';
import { useTexts } from '../texts/useTexts.ts';

interface RunNoticeProps {
  readonly chat: UseChatResult;
  /** Where the account of the service is topped up. */
  readonly billingURL: string | undefined;
  readonly onSettings: () => void;
}

/** How the last run ended, unless it completed, and the actions that are possible now. */
export function RunNotice({ chat, billingURL, onSettings }: RunNoticeProps): ReactElement | null {
  const words = useTexts();
  const { run: text, causes, remedies } = words;
  const { session, status, error, limit, messages } = chat;
  const wasStopped = useObservable(session?.state$, () => session?.getState().run?.outcome === 'cancelled');
  const last = messages.at(-1);
  const hasReply = last?.role === 'assistant';
  const actions = { chat, billingURL, onSettings };

  switch (status) {
    case 'failed':
    case 'interrupted': {
      if (error?.code === 'AUTHENTICATION_LOCKED')
        return <LockedNotice error={error} onResume={() => void chat.resume()} onSettings={onSettings} />;
      const uncertain = last === undefined ? [] : toolParts(last).filter((call) => call.status === 'uncertain');
      const fallback = status === 'failed' ? text.failed : text.interrupted;
      return (
        <Notice icon="alert" title={(error && textFor(causes, error.code)) ?? fallback} isBad>
          <p>{error ? (textFor(remedies, error.code) ?? error.message) : text.interruptedText}</p>
          {uncertain.length > 0 && (
            <p>{text.unknownResult(uncertain.map(({ name }) => `“${titleOf(words, name)}”`).join(', '))}</p>
          )}
          {error && <ErrorDetails error={error} />}
          <Remedies
            {...actions}
            remedies={remediesFor({ code: error?.code, hasReply, canTopUp: billingURL !== undefined })}
          />
        </Notice>
      );
    }
    case 'limit':
      return (
        <Notice icon="hand" title={text.paused}>
          <p>
            {limit && text.limits[limit](maxSteps)} {text.continueNote}
          </p>
          <Remedies {...actions} remedies={['resume']} />
        </Notice>
      );
    case 'idle':
    case 'running':
    case 'waiting':
      break;
  }

  if (error) return <Refusal chat={chat} error={error} />;
  if (status === 'idle' && wasStopped)
    return (
      <Notice title={text.stopped} isSlim>
        <Remedies {...actions} remedies={hasReply ? ['resume', 'retry'] : ['retry']} />
      </Notice>
    );
  return null;
}

interface LockedNoticeProps {
  readonly error: AgentError;
  readonly onResume: () => void;
  readonly onSettings: () => void;
}

/** The form that unlocks the key of the last message; the plain error where it cannot be loaded. */
function LockedNotice({ error, ...verbs }: LockedNoticeProps): ReactElement {
  const { run: text } = useTexts();
  const plain = (
    <Notice icon="alert" title={text.failed} isBad>
      <p>{error.message}</p>
    </Notice>
  );
  return (
    <ErrorBoundary renderFallback={() => plain}>
      <Suspense fallback={null}>
        <UnlockCard {...verbs} />
      </Suspense>
    </ErrorBoundary>
  );
}

/** An action was refused, or the session could not be opened. */
function Refusal({ chat, error }: { readonly chat: UseChatResult; readonly error: AgentError }): ReactElement {
  const { run: text, causes, remedies } = useTexts();
  const notice = useRef<HTMLDivElement>(null);
  // The action may have been one on a message far above.
  useEffect(() => {
    // Newer browsers return a promise, which is no clean-up.
    notice.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  return (
    <Notice ref={notice} icon="alert" title={textFor(causes, error.code) ?? text.failed} isBad>
      <p>{textFor(remedies, error.code) ?? error.message}</p>
      <ErrorDetails error={error} />
      <div className="notice-verbs">
        {error.code === 'MODULE_UNAVAILABLE' && (
          <button type="button" className="primary" onClick={() => location.reload()}>
            {text.reload}
          </button>
        )}
        {error.code === 'SESSION_NOT_FOUND' && (
          <button type="button" className="primary" onClick={() => openOverlay({ is: 'import' })}>
            {text.openBackup}
          </button>
        )}
        {chat.session ? (
          <button type="button" onClick={chat.clearError}>
            {text.dismiss}
          </button>
        ) : (
          <a className="button" href="#/">
            {text.newChat}
          </a>
        )}
      </div>
    </Notice>
  );
}

/** What only a developer, or the support of a service, needs. */
function ErrorDetails({ error }: { readonly error: AgentError }): ReactElement {
  const { run: text } = useTexts();
  return (
    <details className="error-details">
      <summary>{text.details}</summary>
      <p>{error.message}</p>
      <code className="code-word">{error.code}</code>
    </details>
  );
}

interface NoticeProps {
  readonly ref?: Ref<HTMLDivElement>;
  readonly icon?: IconName;
  readonly title: string;
  readonly isBad?: boolean;
  /** In one line. */
  readonly isSlim?: boolean;
  readonly children: ReactNode;
}

function Notice({ ref, icon, title, isBad = false, isSlim = false, children }: NoticeProps): ReactElement {
  return (
    <div
      ref={ref}
      className={`notice${isBad ? ' bad' : ''}${isSlim ? ' slim' : ''}`}
      role={isBad ? 'alert' : undefined}
    >
      {icon && <Icon name={icon} />}
      <div>
        <strong>{title}</strong>
        {children}
      </div>
    </div>
  );
}
