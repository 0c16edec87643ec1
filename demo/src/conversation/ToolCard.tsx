import { type AgentSession, type CallStatus, isEnded, type ToolPart } from 'brooklet';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { ApprovalForm } from './ApprovalForm.tsx';
import { ToolOutput } from './ToolOutput.tsx';

/** One tool call, from the first piece of its input to its result. */
export function ToolCard({ session, call }: { readonly session: AgentSession; readonly call: ToolPart }): ReactElement {
  const [chosen, setChosen] = useState<boolean>();
  const { icon, words, tone } = looks(call.status);
  const needsEyes = call.status === 'held' || call.status === 'streaming' || call.status === 'uncertain';
  const isOpen = chosen ?? needsEyes;

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
          <bdi>{call.summary ?? words}</bdi>
        </span>
        {call.durationMs !== undefined && <span className="tool-time">{duration(call.durationMs)}</span>}
        <span className="visually-hidden">{words}</span>
        <Icon name="chevron" />
      </summary>
      <div className="tool-body">
        {call.status === 'held' ? (
          <ApprovalForm session={session} call={call} />
        ) : (
          <>
            <Labelled name={call.editedInput ? 'The model’s input' : 'Input'}>
              <pre className="json">
                {call.input ? JSON.stringify(call.input, null, 2) : call.inputText}
                {call.status === 'streaming' && <span className="caret" />}
              </pre>
            </Labelled>
            {call.editedInput && (
              <Labelled name="Your input">
                <pre className="json">{JSON.stringify(call.editedInput, null, 2)}</pre>
              </Labelled>
            )}
            {call.approval?.reason && (
              <Labelled name="Your reason">
                <p>
                  <bdi>{call.approval.reason}</bdi>
                </p>
              </Labelled>
            )}
            {call.status === 'uncertain' && (
              <p>
                The page went away while this ran. It may or may not have happened, so it is not run again by itself:
                look first.
              </p>
            )}
            {isEnded(call.status) && (call.details !== undefined || call.output !== undefined) && (
              <Labelled name={call.isError ? 'Error' : 'Output'}>
                <ToolOutput call={call} />
              </Labelled>
            )}
          </>
        )}
      </div>
    </details>
  );
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

function looks(status: CallStatus): Looks {
  switch (status) {
    case 'streaming':
      return { icon: 'tool', words: 'Being written…', tone: 'busy' };
    case 'requested':
    case 'approved':
    case 'edited':
      return { icon: 'tool', words: 'About to run…', tone: 'busy' };
    case 'started':
      return { icon: 'tool', words: 'Running…', tone: 'busy' };
    case 'held':
      return { icon: 'hand', words: 'Waits for your decision', tone: 'asking' };
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
      return { icon: 'close', words: 'You declined: not run', tone: 'calm' };
    case 'expired':
      return { icon: 'close', words: 'Nobody decided in time: not run', tone: 'calm' };
    case 'cancelled':
      return { icon: 'close', words: 'Stopped', tone: 'calm' };
  }
}

function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}
