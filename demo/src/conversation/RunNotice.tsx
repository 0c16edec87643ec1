import { type AgentErrorCode, toolParts } from 'brooklet';
import type { RunLimit } from 'brooklet/core';
import { type UseChatResult, useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { maxSteps } from '../agent.ts';
import { Icon } from '../ui/Icon.tsx';

interface RunNoticeProps {
  readonly chat: UseChatResult;
  readonly onSettings: () => void;
}

/** Errors that the user can fix in the settings. */
const inSettings: ReadonlySet<AgentErrorCode> = new Set([
  'AUTHENTICATION_FAILED',
  'PERMISSION_DENIED',
  'INSUFFICIENT_QUOTA',
  'MODEL_NOT_FOUND',
  'INVALID_CONFIG',
  'NETWORK_ERROR',
]);

const limits: Readonly<Record<RunLimit, string>> = {
  steps: `It reached the limit of ${maxSteps} requests to the model.`,
  tokens: 'It reached the token limit.',
  time: 'It reached the time limit.',
  stopWhen: 'This page paused it here.',
};

/** How the last run ended, unless it completed, and the actions that are possible now. */
export function RunNotice({ chat, onSettings }: RunNoticeProps): ReactElement | null {
  const { session, status, error, limit, messages } = chat;
  const wasStopped = useObservable(session?.state$, () => session?.getState().run?.outcome === 'cancelled');
  const last = messages.at(-1);
  const hasReply = last?.role === 'assistant';
  const uncertain = last === undefined ? [] : toolParts(last).filter((call) => call.status === 'uncertain');

  const actions = (
    <div className="notice-verbs">
      {hasReply && (
        <button type="button" className="primary" onClick={() => void chat.resume()}>
          {status === 'limit' ? 'Continue' : 'Resume'}
        </button>
      )}
      {status !== 'limit' && (
        <button type="button" className={hasReply ? '' : 'primary'} onClick={() => void chat.regenerate()}>
          Retry
        </button>
      )}
      {error && inSettings.has(error.code) && (
        <button type="button" onClick={onSettings}>
          Settings
        </button>
      )}
    </div>
  );

  switch (status) {
    case 'failed':
    case 'interrupted':
      return (
        <div className="notice bad" role="alert">
          <Icon name="alert" />
          <div>
            <strong>{status === 'failed' ? 'That did not work' : 'The reply was interrupted'}</strong>
            <p>{error?.message ?? 'The text so far is kept.'}</p>
            {uncertain.length > 0 && (
              <p>
                It is unknown whether <code>{uncertain.map(({ name }) => name).join(', ')}</code> has run: check before
                you retry.
              </p>
            )}
            {error && <code className="code-word">{error.code}</code>}
          </div>
          {actions}
        </div>
      );
    case 'limit':
      return (
        <div className="notice">
          <Icon name="hand" />
          <div>
            <strong>The agent paused</strong>
            <p>{limit && limits[limit]} Continue allows the same amount again.</p>
          </div>
          {actions}
        </div>
      );
    case 'idle':
    case 'running':
    case 'waiting':
      break;
  }

  // An action was refused, or the session could not be opened.
  if (error) {
    return (
      <div className="notice bad" role="alert">
        <Icon name="alert" />
        <div>
          <strong>
            {error.code === 'SESSION_NOT_FOUND' ? 'This conversation does not exist' : 'That did not work'}
          </strong>
          <p>{error.message}</p>
        </div>
        <div className="notice-verbs">
          {session ? (
            <button type="button" onClick={chat.clearError}>
              Dismiss
            </button>
          ) : (
            <a className="button" href="#/">
              New chat
            </a>
          )}
        </div>
      </div>
    );
  }
  if (status === 'idle' && wasStopped) {
    return (
      <div className="notice">
        <Icon name="stop" />
        <div>
          <strong>You stopped this reply</strong>
        </div>
        {actions}
      </div>
    );
  }
  return null;
}
