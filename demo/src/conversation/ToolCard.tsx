import type { AgentSession, ToolPart } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { lazy, type ReactElement, Suspense, useState } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { ApprovalForm } from './ApprovalForm.tsx';
import { CallNotes } from './CallNotes.tsx';
import { appearanceOf, describeLoss } from './callAppearance.ts';
import { formatDuration } from './duration.ts';
import { ElicitationForm } from './ElicitationForm.tsx';
import { type Progress, readProgress } from './progress.ts';
import { Elapsed } from './TimeLeft.tsx';
import { subjectOf, titleOf } from './titleOf.ts';
import { ToolRecord } from './ToolRecord.tsx';
import { useDeciding } from './useDeciding.ts';
import { hasInterface } from '../mcp/interfaces.ts';
import { serverLabelOf } from '../mcp/servers.ts';
import { useTexts } from '../texts/useTexts.ts';

const CallInterface = lazy(async () => ({ default: (await import('../mcp/CallInterface.tsx')).CallInterface }));

/** ms below which the duration of a call tells a person nothing. */
const notable = 1_000;

/** One tool call, from the first piece of its input to its result. */
export function ToolCard({ session, call }: { readonly session: AgentSession; readonly call: ToolPart }): ReactElement {
  const words = useTexts();
  const { tool: text } = words;
  const [chosen, setChosen] = useState<boolean>();
  const deciding = useDeciding();
  const { status } = call;
  const isElicitation = call.approval?.elicitation !== undefined;
  const { icon, label, tone } = appearanceOf(call, text);
  const progress = call.progress === undefined ? undefined : readProgress(call.progress);
  const isAwaiting = status === 'awaiting-approval';
  const hasLost = !isAwaiting && deciding.refusal !== undefined;
  const isOpen = chosen ?? (hasLost || isOpenByDefault(call));
  const title = titleOf(words, call.name);
  const server = serverLabelOf(call);
  const record =
    !isAwaiting || call.approval?.proposal ? (
      <ToolRecord session={session} call={call} />
    ) : (
      <>
        <CallNotes session={session} call={call} />
        {isElicitation ? (
          <ElicitationForm session={session} call={call} deciding={deciding} />
        ) : (
          <ApprovalForm session={session} call={call} deciding={deciding} />
        )}
      </>
    );

  return (
    <details className={`tool is-${tone}`} open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setChosen(!isOpen);
        }}
      >
        <span className="tool-icon">{tone === 'busy' ? <span className="spinner" /> : <Icon name={icon} />}</span>
        <span className="tool-name" title={call.name}>
          {title}
        </span>
        {server !== undefined && <span className="tool-rule">{server}</span>}
        <span className="tool-summary">
          <bdi>{summaryOf(call, progress) || label}</bdi>
        </span>
        {call.approval?.decidedBy === 'rule' && (
          <span className="tool-rule" title={text.decidedBeforeTitle}>
            {text.decidedBefore}
          </span>
        )}
        {!isElicitation && call.durationMs !== undefined && call.durationMs >= notable && (
          <span className="tool-time">{formatDuration(call.durationMs)}</span>
        )}
        {status === 'started' && call.startedAt !== undefined && <Elapsed since={call.startedAt} />}
        <span className="visually-hidden">{label}</span>
        {progress && (
          <progress className="tool-progress" aria-label={text.progressOf(title)} value={progress.ratio} max={1}>
            {progress.text}
          </progress>
        )}
        <Icon name="chevron" />
      </summary>
      <div className="tool-body">
        {hasLost && (
          <p className="bad" role="alert">
            {describeLoss(call, text)}
          </p>
        )}
        {showsInterface(call) ? (
          <Suspense fallback={null}>
            <CallInterface session={session} call={call}>
              {record}
            </CallInterface>
          </Suspense>
        ) : (
          record
        )}
      </div>
    </details>
  );
}

/** The result in a line, or what the call is about; empty where only its state matters. */
function summaryOf(call: ToolPart, progress: Progress | undefined): string {
  switch (call.status) {
    case 'succeeded':
      return call.summary ?? subjectOf(call.editedInput ?? call.input);
    case 'requested':
    case 'approved':
    case 'edited':
    case 'started':
      return progress?.text ?? subjectOf(call.editedInput ?? call.input);
    default:
      return '';
  }
}

/** Whether the tool has shown an interface for a call. An interface that calls a tool itself shows the result on its own. */
function showsInterface({ name, startedAt, provider }: ToolPart): boolean {
  const isOfInterface = isJsonObject(provider) && 'mcp-app' in provider;
  return startedAt !== undefined && !isOfInterface && hasInterface(name);
}

/** Whether the card is expanded before the user has chosen. */
function isOpenByDefault(call: ToolPart): boolean {
  const { status, details } = call;
  return (
    showsInterface(call) ||
    status === 'awaiting-approval' ||
    status === 'streaming' ||
    status === 'uncertain' ||
    (status === 'succeeded' && (details?.type === 'image' || details?.type === 'diff'))
  );
}
