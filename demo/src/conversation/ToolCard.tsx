import type { AgentSession, ToolPart } from 'brooklet';
import { isEnded } from 'brooklet/core';
import { type ReactElement, type ReactNode, Suspense, useState } from 'react';
import { RuleNote } from '../shell/rooms.ts';
import { tabName } from '../tab.ts';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { ApprovalForm } from './ApprovalForm.tsx';
import { formatDuration } from './duration.ts';
import { ElicitationForm } from './ElicitationForm.tsx';
import { readProgress } from './progress.ts';
import { Elapsed } from './TimeLeft.tsx';
import { ToolInput } from './ToolInput.tsx';
import { ToolOutput } from './ToolOutput.tsx';

/** One tool call, from the first piece of its input to its result. */
export function ToolCard({ session, call }: { readonly session: AgentSession; readonly call: ToolPart }): ReactElement {
  const [chosen, setChosen] = useState<boolean>();
  const { status } = call;
  const isElicitation = call.approval?.elicitation !== undefined;
  const { icon, label, tone } = appearanceOf(call, isElicitation);
  const progress = call.progress === undefined ? undefined : readProgress(call.progress);
  const isOpen = chosen ?? isOpenByDefault(call);

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
          <bdi>{call.summary ?? progress?.text ?? label}</bdi>
        </span>
        {call.approval?.decidedBy === 'rule' && (
          <span className="tool-rule" title="You created a rule for this tool">
            Decided before
          </span>
        )}
        {call.durationMs !== undefined && <span className="tool-time">{formatDuration(call.durationMs)}</span>}
        {status === 'started' && call.startedAt !== undefined && <Elapsed since={call.startedAt} />}
        <span className="visually-hidden">{label}</span>
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
        ) : isElicitation ? (
          <ElicitationForm session={session} call={call} />
        ) : (
          <ApprovalForm session={session} call={call} />
        )}
      </div>
    </details>
  );
}

/** Whether the card is expanded before the user has chosen. */
function isOpenByDefault({ status, details }: ToolPart): boolean {
  return (
    status === 'awaiting-approval' ||
    status === 'streaming' ||
    status === 'uncertain' ||
    (status === 'succeeded' && (details?.type === 'image' || details?.type === 'diff'))
  );
}

/** The input, the decision, and the result of a call. */
function Record({ session, call }: { readonly session: AgentSession; readonly call: ToolPart }): ReactElement {
  const { status, approval, details } = call;
  const decision = decisionOf(call);
  return (
    <>
      {/* A diff contains the input. */}
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
          The page was closed or reloaded while this tool ran: it may have finished, or not. <strong>Resume</strong>{' '}
          continues, and runs the tool again only if the tool allows that. <strong>Retry</strong> answers your message
          from the start, and may run the tool twice.
        </p>
      )}
      {isEnded(status) && (details !== undefined || call.output !== undefined) && (
        <Labelled name={call.isError ? 'Error' : 'Output'}>
          <ToolOutput call={call} />
        </Labelled>
      )}
      {call.approval?.decidedBy === 'rule' && (
        <Suspense fallback={null}>
          <RuleNote session={session} call={call} />
        </Suspense>
      )}
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

/** Describes the decision that a user has made on this call, and in which tab. */
function decisionOf(call: ToolPart): string | undefined {
  const { approval, editedInput } = call;
  if (approval === undefined || approval.decidedBy !== 'user') return undefined;
  const verdict =
    approval.verdict === 'rejected'
      ? 'Declined'
      : approval.elicitation !== undefined
        ? 'Answered'
        : editedInput
          ? 'Approved with changes'
          : 'Approved';
  if (approval.userName === undefined) return verdict;
  return approval.userName === tabName ? `${verdict} in this tab` : `${verdict} in another tab (${approval.userName})`;
}

function Labelled({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="labelled">
      <span>{name}</span>
      {children}
    </div>
  );
}

interface Appearance {
  readonly icon: IconName;
  readonly label: string;
  readonly tone: 'busy' | 'asking' | 'good' | 'bad' | 'calm';
}

function appearanceOf(call: ToolPart, isElicitation: boolean): Appearance {
  switch (call.status) {
    case 'streaming':
      return { icon: 'tool', label: 'Writing the input…', tone: 'busy' };
    case 'requested':
    case 'approved':
    case 'edited':
      return { icon: 'tool', label: 'About to run…', tone: 'busy' };
    case 'started':
      return { icon: 'tool', label: 'Running…', tone: 'busy' };
    case 'awaiting-approval':
      return isElicitation
        ? { icon: 'question', label: 'Asks you', tone: 'asking' }
        : { icon: 'hand', label: 'Waiting for your decision', tone: 'asking' };
    case 'succeeded':
      return { icon: 'check', label: 'Done', tone: 'good' };
    case 'failed':
      return { icon: 'alert', label: 'Failed', tone: 'bad' };
    case 'timed-out':
      return { icon: 'alert', label: 'Took too long', tone: 'bad' };
    case 'invalid':
      return { icon: 'alert', label: 'Invalid input: not run', tone: 'bad' };
    case 'uncertain':
      return { icon: 'alert', label: 'May or may not have run', tone: 'bad' };
    case 'rejected':
      return {
        icon: 'close',
        label: call.approval?.decidedBy === 'rule' ? 'Not run' : 'You declined: not run',
        tone: 'calm',
      };
    case 'expired':
      return { icon: 'close', label: 'Not decided in time: not run', tone: 'calm' };
    case 'cancelled':
      return { icon: 'close', label: 'Stopped', tone: 'calm' };
  }
}
