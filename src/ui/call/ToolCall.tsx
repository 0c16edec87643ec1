import { type ReactElement, type ReactNode, useState } from 'react';
import { Elapsed } from '../base/Clock.tsx';
import { formatDuration } from '../base/duration.ts';
import { Icon, type IconName } from '../base/Icon.tsx';
import { part } from '../base/part.ts';
import { type CallStatus, isEnded, type JsonObject, type ToolPart } from '../../core/model/index.ts';
import { useCallInput } from '../../react/index.ts';
import type { Labels } from '../labels/english.ts';
import { useLabels } from '../labels/useLabels.ts';
import type { ToolCallProps } from './props.ts';
import { Code } from './Code.tsx';
import { describeDecision } from './decision.ts';
import { Input } from './Input.tsx';
import { Output } from './Output.tsx';
import { type Progress, readProgress } from './progress.ts';
import type { Held } from '../thread/heldOf.ts';
import { useThread } from '../thread/threadContext.ts';
import { titleOfCall } from './titleOfCall.ts';
import { visible } from '../base/visible.ts';

/** ms below which the duration of a call is not shown. */
const notable = 1_000;
/** Characters of the subject of a call. */
const maxSubject = 200;

/** One tool call, from the first piece of its input to its result; or, as `children`, the form of its decision. */
export function ToolCall(props: ToolCallProps): ReactElement {
  const { call, present, tag, renderBody, children, labels, className } = props;
  const words = useLabels('tool', labels);
  const [chosen, setChosen] = useState<boolean>();
  const { status, durationMs, startedAt, approval } = call;
  const isQuestion = approval?.elicitation !== undefined;
  const held = useHeld(status);
  const title = visible(props.title ?? titleOfCall(words, call));
  const asks = isQuestion && status === 'awaiting-approval';
  const label = held ? words.held[held] : asks ? words.asks : words.status[status];
  const progress = call.progress === undefined ? undefined : readProgress(call.progress);
  const isOpen = chosen ?? props.isOpen ?? (children !== undefined || isOpenByDefault(call));
  /** What a person may have begun stays in the page while the card is closed: a form keeps what was typed, an interface of a tool goes on. */
  const [isKept, setIsKept] = useState(false);
  if (isOpen && !isKept && (chosen === true || props.isOpen === true || children !== undefined)) setIsKept(true);
  const tone = held ? heldTones[held] : toneOf(status);
  const body = children ?? <Record call={call} present={present} labels={words} />;

  return (
    <details {...part('tool-call', className, status)} data-tone={tone} open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setChosen(!isOpen);
        }}
      >
        {tone === 'busy' ? (
          <span className="bk-spinner" />
        ) : (
          <Icon name={held ? heldIcons[held] : iconOf(status, isQuestion)} />
        )}
        <span className="bk-tool-name" title={call.name}>
          <bdi>{title}</bdi>
        </span>
        {tag !== undefined && <span className="bk-tag">{tag}</span>}
        <span className="bk-tool-summary">
          <bdi>{(!held && visible(summaryOf(call, progress))) || label}</bdi>
        </span>
        {approval?.decidedBy === 'rule' && <span className="bk-tag">{words.decidedBefore}</span>}
        {!isQuestion && durationMs !== undefined && durationMs >= notable && (
          <span className="bk-time">{formatDuration(durationMs)}</span>
        )}
        {status === 'started' && startedAt !== undefined && <Elapsed since={startedAt} />}
        <span className="bk-hidden">{label}</span>
        {/* In the line: what is below it is hidden while the card is closed. */}
        {progress?.ratio !== undefined && (
          <progress aria-label={words.progress(title)} value={progress.ratio} max={1}>
            {progress.text}
          </progress>
        )}
        <Icon name="chevron" />
      </summary>
      {(isOpen || isKept) && <div className="bk-tool-body">{renderBody ? renderBody(body) : body}</div>}
    </details>
  );
}

/** What a call waits for that is to run next, in a conversation whose run has ended before it could. */
function useHeld(status: CallStatus): Held | undefined {
  const held = useThread()?.held;
  return status === 'requested' || status === 'approved' || status === 'edited' ? held : undefined;
}

interface RecordProps {
  readonly call: ToolPart;
  readonly present: ToolCallProps['present'];
  readonly labels: Labels['tool'];
}

/** The input, the decision and the result of a call. */
function Record({ call, present, labels }: RecordProps): ReactElement {
  const { status, details, approval, editedInput, attempt } = call;
  const decision = describeDecision(call, labels);
  const input = useCallInput(call);
  const hasResult = isEnded(status) && (details !== undefined || call.output !== undefined);
  const own = hasResult ? present?.(call) : undefined;
  return (
    <>
      {/* A diff contains the input, and a picture is the answer. */}
      {details?.type !== 'diff' && details?.type !== 'image' && (
        <Labelled name={editedInput ? labels.modelInput : labels.input}>
          {input ? <Input input={input} /> : <Code text={call.inputText} />}
        </Labelled>
      )}
      {editedInput && (
        <Labelled name={labels.changedTo}>
          <Input input={editedInput} />
        </Labelled>
      )}
      {status === 'uncertain' && <p className="bk-hint">{labels.uncertain}</p>}
      {hasResult && (
        <Labelled name={call.isError ? labels.error : labels.output}>
          {own === undefined ? <Output call={call} /> : own}
        </Labelled>
      )}
      {(decision !== undefined || approval?.reason !== undefined || attempt !== undefined) && (
        <p className="bk-hint">
          {[decision, approval?.reason !== undefined && labels.reason(approval.reason)].filter(Boolean).join(': ')}
          {attempt !== undefined && ` ${labels.attempt(attempt)}`}
        </p>
      )}
    </>
  );
}

function Labelled({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="bk-labelled">
      <span>{name}</span>
      {children}
    </div>
  );
}

/** The result in a line, or what the call is about; empty where only its state matters. */
function summaryOf(call: ToolPart, progress: Progress | undefined): string {
  switch (call.status) {
    case 'succeeded':
      return call.summary ?? subjectOf(call.editedInput ?? call.input);
    case 'failed':
    case 'timed-out':
    case 'invalid':
      return typeof call.output === 'string' ? call.output.slice(0, maxSubject) : '';
    case 'requested':
    case 'approved':
    case 'edited':
    case 'started':
      return progress?.text ?? subjectOf(call.editedInput ?? call.input);
    default:
      return '';
  }
}

/** The first text or number of an input. */
function subjectOf(input: JsonObject | undefined): string {
  const value = Object.values(input ?? {}).find((one) => typeof one === 'string' || typeof one === 'number');
  return value === undefined ? '' : String(value).slice(0, maxSubject);
}

function isOpenByDefault({ status, details }: ToolPart): boolean {
  const isShown = details?.type === 'image' || details?.type === 'diff';
  return status === 'streaming' || status === 'uncertain' || (status === 'succeeded' && isShown);
}

type Tone = 'busy' | 'asking' | 'good' | 'bad' | 'calm';

const tones: Readonly<Record<CallStatus, Tone>> = {
  streaming: 'busy',
  requested: 'busy',
  approved: 'busy',
  edited: 'busy',
  started: 'busy',
  'awaiting-approval': 'asking',
  succeeded: 'good',
  failed: 'bad',
  'timed-out': 'bad',
  invalid: 'bad',
  uncertain: 'bad',
  rejected: 'calm',
  expired: 'calm',
  cancelled: 'calm',
};

/** A log of a newer version may have states without a name here. */
const toneOf = (status: CallStatus): Tone => (Object.hasOwn(tones, status) ? tones[status] : 'calm');

const heldTones: Readonly<Record<Held, Tone>> = { key: 'asking', resume: 'calm' };
const heldIcons: Readonly<Record<Held, IconName>> = { key: 'hand', resume: 'stop' };

function iconOf(status: CallStatus, isQuestion: boolean): IconName {
  if (status === 'awaiting-approval') return isQuestion ? 'question' : 'hand';
  const icons = { busy: 'tool', asking: 'hand', good: 'check', bad: 'alert', calm: 'close' } as const;
  return icons[toneOf(status)];
}
