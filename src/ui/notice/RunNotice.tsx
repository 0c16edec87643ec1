import { type ReactElement, useEffect, useRef } from 'react';
import { type AgentError, type CallStatus, type ToolPart, toolParts } from '../../core/model/index.ts';
import type { Labels } from '../labels/english.ts';
import { titleOfCall } from '../call/titleOfCall.ts';
import { useLabels } from '../labels/useLabels.ts';
import type { Remedy, RunNoticeProps } from '../props.ts';
import { Notice } from './Notice.tsx';
import { remediesFor } from './remedies.ts';
import { RetryNotice } from './RetryNotice.tsx';
import { largestFile, Shorten } from './Shorten.tsx';

/** How the last run ended, unless it completed, why the last action was refused, and what the person can do now. */
export function RunNotice(props: RunNoticeProps): ReactElement | null {
  const { chat, labels, className } = props;
  const words = useLabels('notice', labels);
  const tool = useLabels('tool', undefined);
  const { status, outcome, error, limit, messages, retrying, resuming } = chat;
  const last = messages.at(-1);
  const hasReply = last?.role === 'assistant';

  if (retrying)
    return (
      <RetryNotice
        key={retrying.attempt}
        title={words.trying}
        wait={retrying}
        labels={words}
        message={retrying.error.message}
        onStop={chat.stop}
      />
    );
  if (resuming)
    return (
      <RetryNotice
        key={`${resuming.runId} ${resuming.attempt}`}
        title={words.resuming}
        wait={resuming}
        labels={words}
        onStop={chat.stop}
      />
    );

  const remedies = (usual: readonly Remedy[]): ReactElement => (
    <Remedies {...props} words={words} offered={props.remedies?.(usual, error) ?? usual} />
  );
  if (status === 'failed' || status === 'interrupted') {
    const calls = last === undefined ? [] : toolParts(last);
    const uncertain = calls.filter((call) => call.status === 'uncertain');
    const waiting = calls.filter((call) => isToRun(call.status));
    const named = (these: readonly ToolPart[]): string =>
      these.map((call) => `“${titleOfCall(tool, call)}”`).join(', ');
    // A model has been chosen since.
    const cause = error?.code === 'MISSING_CLIENT' && chat.hasClient ? undefined : error;
    const fallback = cause && status === 'failed' ? words.failed : words.interrupted;
    const can = {
      settings: props.onSettings !== undefined,
      topUp: props.billingURL !== undefined,
      newChat: props.onNewChat !== undefined,
    };
    return (
      <Notice icon="alert" title={causeOf(cause, words) ?? fallback} state="bad" className={className}>
        <p>{textOf(cause, words)}</p>
        {uncertain.length > 0 && <p>{words.unknownResult(named(uncertain))}</p>}
        {waiting.length > 0 && <p>{words.runsThen(named(waiting))}</p>}
        {cause && <Details error={cause} words={words} />}
        {remedies(remediesFor({ code: cause?.code, hasReply, can }))}
      </Notice>
    );
  }
  if (error) return <Refusal {...props} error={error} words={words} />;
  if (status === 'limit')
    return (
      <Notice icon="hand" title={words.paused} state="paused" className={className}>
        {limit && <p>{words.limits[limit]}</p>}
        {remedies(['resume'])}
      </Notice>
    );
  if (status === 'idle' && outcome === 'cancelled')
    return (
      <Notice title={words.stopped} state="stopped" className={className}>
        {remedies(hasReply ? ['resume', 'retry'] : ['retry'])}
      </Notice>
    );
  return null;
}

const causeOf = (error: AgentError | undefined, { causes }: Labels['notice']): string | undefined =>
  error && causes[error.code];

const cureOf = (error: AgentError, { cures }: Labels['notice']): string => cures[error.code] ?? error.message;

/** What helps against the end of a run. */
function textOf(cause: AgentError | undefined, words: Labels['notice']): string {
  if (cause === undefined) return words.interruptedText;
  return cause.code === 'MISSING_CLIENT' ? words.chooseModel : cureOf(cause, words);
}

const isToRun = (status: CallStatus): boolean => status === 'requested' || status === 'approved' || status === 'edited';

type WordsProps = RunNoticeProps & { readonly words: Labels['notice'] };

/** An action was refused, or the session could not be opened. */
function Refusal({
  chat,
  onSettings,
  onNewChat,
  renderButtons,
  className,
  error,
  words,
}: WordsProps & { readonly error: AgentError }): ReactElement {
  const notice = useRef<HTMLDivElement>(null);
  // A new conversation has no session before its first message.
  const isUnopened = !chat.session && chat.sessionId !== undefined;
  // The action may have been one on a message far above.
  useEffect(() => {
    notice.current?.scrollIntoView?.({ block: 'nearest' });
  }, [error]);
  return (
    <div ref={notice}>
      <Notice icon="alert" title={causeOf(error, words) ?? words.failed} state="bad" className={className}>
        <p>{cureOf(error, words)}</p>
        <Details error={error} words={words} />
        <div className="bk-buttons">
          {error.code === 'MODULE_UNAVAILABLE' && (
            <button type="button" className="bk-button" data-state="primary" onClick={() => location.reload()}>
              {words.reload}
            </button>
          )}
          {error.code === 'MISSING_CLIENT' && onSettings && (
            <button type="button" className="bk-button" data-state="primary" onClick={onSettings}>
              {words.settings}
            </button>
          )}
          {!isUnopened && (
            <button type="button" className="bk-button" onClick={chat.clearError}>
              {words.dismiss}
            </button>
          )}
          {isUnopened && onNewChat && (
            <button type="button" className="bk-button" onClick={onNewChat}>
              {words.newChat}
            </button>
          )}
          {renderButtons?.(error)}
        </div>
      </Notice>
    </div>
  );
}

interface DetailsProps {
  readonly error: AgentError;
  readonly words: Labels['notice'];
}

/** What only a developer, or the support of a service, needs. */
function Details({ error, words }: DetailsProps): ReactElement {
  return (
    <details className="bk-details">
      <summary>{words.details}</summary>
      {cureOf(error, words) !== error.message && (
        <p>
          <bdi>{error.message}</bdi>
        </p>
      )}
      <code>{error.code}</code>
    </details>
  );
}

/** The first action is highlighted. */
function Remedies(props: WordsProps & { readonly offered: readonly Remedy[] }): ReactElement {
  const { chat, billingURL, onSettings, onNewChat, renderButtons, words } = props;
  const questions = chat.messages.filter(({ role }) => role === 'user');
  const question = chat.error?.code === 'CONTEXT_OVERFLOW' ? questions.at(-1) : undefined;
  const file = largestFile(question);
  // A new chat would begin with the same message.
  const offered = file && questions.length === 1 ? props.offered.filter((one) => one !== 'newChat') : props.offered;
  const actions: Readonly<Record<Exclude<Remedy, 'topUp'>, readonly [label: string, act: () => void]>> = {
    settings: [words.settings, () => onSettings?.()],
    reload: [words.reload, () => location.reload()],
    newChat: [words.newChat, () => onNewChat?.()],
    resume: [chat.status === 'limit' ? words.continue : words.resume, () => void chat.resume()],
    retry: [words.retry, () => void chat.regenerate()],
  };
  return (
    <div className="bk-buttons">
      {question && file && <Shorten chat={chat} question={question} file={file} words={words} />}
      {offered.map((remedy, index) => {
        const look = index === 0 && !file ? 'primary' : undefined;
        if (remedy === 'topUp')
          return (
            <a
              key={remedy}
              className="bk-button"
              data-state={look}
              href={billingURL}
              target="_blank"
              rel="noopener noreferrer"
            >
              {words.topUp}
            </a>
          );
        const [label, act] = actions[remedy];
        return (
          <button key={remedy} type="button" className="bk-button" data-state={look} onClick={act}>
            {label}
          </button>
        );
      })}
      {renderButtons?.(chat.error)}
    </div>
  );
}
