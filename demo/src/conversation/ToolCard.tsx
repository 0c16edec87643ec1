import type { AgentSession, ToolPart } from 'brooklet';
import { isEnded } from 'brooklet/core';
import { type ReactElement, type ReactNode, useState } from 'react';
import { tabName } from '../tab.ts';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { ApprovalForm } from './ApprovalForm.tsx';
import { inWords } from './duration.ts';
import { readProgress } from './progress.ts';
import { QuestionForm } from './QuestionForm.tsx';
import { RuleNote } from './RuleNote.tsx';
import { Elapsed } from './TimeLeft.tsx';
import { ToolInput } from './ToolInput.tsx';
import { ToolOutput } from './ToolOutput.tsx';

/** One tool call, from the first piece of its input to its result. */
export function ToolCard({ session, call }: { readonly session: AgentSession; readonly call: ToolPart }): ReactElement {
  const [chosen, setChosen] = useState<boolean>();
  const { status } = call;
  const isQuestion = call.approval?.elicitation !== undefined;
  const { icon, words, tone } = looks(call, isQuestion);
  const progress = call.progress === undefined ? undefined : readProgress(call.progress);
  const isOpen = chosen ?? needsEyes(call);

  return (
    <details className={`tool is-${tone}`} open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setChosen(!isOpen);
        }}
      >
        <span className="tool-icon">{tone === 'busy' ? <span className="spinner" /> : <Icon name={icon} />}</span>
        <code className="tool-name">{call.name || '…'}</code>
        <span className="tool-summary">
          <bdi>{call.summary ?? progress?.text ?? words}</bdi>
        </span>
        {call.approval?.decidedBy === 'rule' && (
          <span className="tool-rule" title="You decided this before, for all such calls">
            Decided before
          </span>
        )}
        {call.durationMs !== undefined && <span className="tool-time">{inWords(call.durationMs)}</span>}
        {status === 'started' && call.startedAt !== undefined && <Elapsed since={call.startedAt} />}
        <span className="visually-hidden">{words}</span>
        {progress && (
          <progress className="tool-progress" aria-label={`Progress of ${call.name}`} value={progress.ratio} max={1}>
            {progress.text}
          </progress>
        )}
        <Icon name="chevron" />
      </summary>
      <div className="tool-body">
        {status !== 'awaiting-approval' ? (
          <Record session={session} call={call} />
        ) : isQuestion ? (
          <QuestionForm session={session} call={call} />
        ) : (
          <ApprovalForm session={session} call={call} />
        )}
      </div>
    </details>
  );
}

/** Whether the card shows more than its headline by itself. */
function needsEyes({ status, details }: ToolPart): boolean {
  return (
    status === 'awaiting-approval' ||
    status === 'streaming' ||
    status === 'uncertain' ||
    (status === 'succeeded' && (details?.type === 'image' || details?.type === 'diff'))
  );
}

/** What was asked, who decided, and what came of it. */
function Record({ session, call }: { readonly session: AgentSession; readonly call: ToolPart }): ReactElement {
  const { status, approval, details } = call;
  const decision = decisionIn(call);
  return (
    <>
      {/* A change says it all. */}
      {details?.type !== 'diff' && (
        <Labelled name={call.editedInput ? 'The model’s input' : 'Input'}>
          {call.input ? (
            <ToolInput input={call.input} />
          ) : (
            <pre className="json">
              {call.inputText}
              {status === 'streaming' && <span className="caret" />}
            </pre>
          )}
        </Labelled>
      )}
      {call.editedInput && (
        <Labelled name="Changed to">
          <ToolInput input={call.editedInput} />
        </Labelled>
      )}
      {status === 'uncertain' && (
        <p className="explained">
          The page went away while this ran: it may have happened, or not. <strong>Resume</strong> goes on with that
          knowledge, and runs it again only where its tool says that this does no harm. <strong>Retry</strong> answers
          your question from the beginning, and may do it twice.
        </p>
      )}
      {isEnded(status) && (details !== undefined || call.output !== undefined) && (
        <Labelled name={call.isError ? 'Error' : 'Output'}>
          <ToolOutput call={call} />
        </Labelled>
      )}
      {call.approval?.decidedBy === 'rule' && <RuleNote session={session} call={call} />}
      {decision !== undefined && (
        <p className="decision">
          {decision}
          {approval?.reason !== undefined && (
            <>
              : “<bdi>{approval.reason}</bdi>”
            </>
          )}
          {call.attempt !== undefined && `. Attempt ${call.attempt}`}
        </p>
      )}
    </>
  );
}

/** What a person decided then and there, and where. */
function decisionIn(call: ToolPart): string | undefined {
  const { approval, editedInput } = call;
  if (approval === undefined || approval.decidedBy !== 'user') return undefined;
  const what =
    approval.verdict === 'rejected'
      ? 'Declined'
      : approval.elicitation !== undefined
        ? 'Answered'
        : editedInput
          ? 'Approved with changes'
          : 'Approved';
  if (approval.userName === undefined) return what;
  return approval.userName === tabName ? `${what} in this tab` : `${what} in another tab (${approval.userName})`;
}

function Labelled({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="labelled">
      <span>{name}</span>
      {children}
    </div>
  );
}

interface Looks {
  readonly icon: IconName;
  readonly words: string;
  readonly tone: 'busy' | 'asking' | 'good' | 'bad' | 'calm';
}

function looks(call: ToolPart, isQuestion: boolean): Looks {
  switch (call.status) {
    case 'streaming':
      return { icon: 'tool', words: 'Being written…', tone: 'busy' };
    case 'requested':
    case 'approved':
    case 'edited':
      return { icon: 'tool', words: 'About to run…', tone: 'busy' };
    case 'started':
      return { icon: 'tool', words: 'Running…', tone: 'busy' };
    case 'awaiting-approval':
      return isQuestion
        ? { icon: 'question', words: 'Asks you', tone: 'asking' }
        : { icon: 'hand', words: 'Waits for your decision', tone: 'asking' };
    case 'succeeded':
      return { icon: 'check', words: 'Done', tone: 'good' };
    case 'failed':
      return { icon: 'alert', words: 'Failed', tone: 'bad' };
    case 'timed-out':
      return { icon: 'alert', words: 'Took too long', tone: 'bad' };
    case 'invalid':
      return { icon: 'alert', words: 'Input was not valid: not run', tone: 'bad' };
    case 'uncertain':
      return { icon: 'alert', words: 'May or may not have run', tone: 'bad' };
    case 'rejected':
      return {
        icon: 'close',
        words: call.approval?.decidedBy === 'rule' ? 'Not run' : 'You declined: not run',
        tone: 'calm',
      };
    case 'expired':
      return { icon: 'close', words: 'Nobody decided in time: not run', tone: 'calm' };
    case 'cancelled':
      return { icon: 'close', words: 'Stopped', tone: 'calm' };
  }
}
