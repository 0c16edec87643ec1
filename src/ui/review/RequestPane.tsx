import { type ReactElement, useMemo, useState } from 'react';
import type { LLMRequest, Message } from '../../core/model/index.ts';
import type { RequestChanges, ReviewStep } from '../../review/index.ts';
import { formatDuration } from '../base/duration.ts';
import { CopyButton } from '../base/CopyButton.tsx';
import { Segments } from '../base/Segments.tsx';
import { Fact, Facts } from './Facts.tsx';
import { Folded } from './Folded.tsx';
import { JsonText } from './JsonText.tsx';
import { MessageTexts } from './MessageTexts.tsx';
import { Pane } from './Pane.tsx';
import type { ReviewViewProps } from './props.ts';
import { useReviewTexts } from './reviewTexts.ts';
import { ZoneBar } from './ZoneBar.tsx';

interface RequestPaneProps extends Pick<ReviewViewProps, 'renderRequest'> {
  readonly step: ReviewStep | undefined;
}

/** The request of a step, as the model received it, what was new in it, and the answer. */
export function RequestPane({ step, renderRequest }: RequestPaneProps): ReactElement {
  const { sent: words } = useReviewTexts();
  const [as, setAs] = useState<'messages' | 'body'>('messages');
  const request = useMemo(() => step?.request, [step]);
  const changes = useMemo(() => step?.changes, [step]);
  const ways = [
    { value: 'messages', label: words.ways.messages },
    { value: 'body', label: words.ways.body },
  ] as const;
  const isBody = as === 'body' && renderRequest !== undefined;
  return (
    <Pane
      name="request"
      title={step === undefined ? words.title : words.inStep(step.index + 1)}
      shows={step}
      tools={request && <CopyButton label={words.copy} getText={() => JSON.stringify(request, null, 2)} />}
    >
      {step === undefined && <p className="bk-nothing">{words.none}</p>}
      {step && <StepFacts step={step} />}
      {step?.zones && <ZoneBar zones={step.zones} />}
      {step && request === undefined && (
        <p className="bk-hint">{step.isCopied === true ? words.copiedStep : words.notRecorded}</p>
      )}
      {request && renderRequest && <Segments legend={words.as} options={ways} value={as} onChange={setAs} />}
      {request && isBody && renderRequest(request, request.model ?? step?.model ?? 'model')}
      {request && changes && !isBody && (
        <Messages key={step?.index} request={request} changes={changes} isFirst={step?.index === 0} />
      )}
      {step && <Answer step={step} />}
    </Pane>
  );
}

function StepFacts({ step }: { readonly step: ReviewStep }): ReactElement {
  const { facts: words, formats } = useReviewTexts();
  const { at, endedAt, finish, model, usage, error } = step;
  return (
    <>
      <Facts>
        {model !== undefined && <Fact name={words.model}>{model}</Fact>}
        {finish !== undefined && <Fact name={words.ended}>{finish}</Fact>}
        {endedAt !== undefined && <Fact name={words.took}>{formatDuration(endedAt - at)}</Fact>}
        {usage && (
          <Fact name={words.tokens}>{words.tokenCounts(formats.count(usage.input), formats.count(usage.output))}</Fact>
        )}
      </Facts>
      {error && (
        <p className="bk-bad bk-problem">
          {error.message} <code>{error.code}</code>
        </p>
      )}
    </>
  );
}

interface MessagesProps {
  readonly request: LLMRequest;
  readonly changes: RequestChanges;
  readonly isFirst: boolean;
}

/** The messages, those of the step before in one line and the new ones in full; the tools and the parameters. */
function Messages({ request, changes, isFirst }: MessagesProps): ReactElement {
  const { sent: words } = useReviewTexts();
  const { kept, added, dropped, parameters: changed } = changes;
  const { messages, tools = [], sessionId: _sessionId, ...parameters } = request;
  return (
    <>
      <FoldedMessages title={words.asBefore} messages={messages.slice(0, kept)} />
      <FoldedMessages title={words.noMore} messages={dropped} />
      <h3>{isFirst ? words.messages : words.fresh(added.length)}</h3>
      {added.length === 0 ? <p className="bk-hint">{words.noMessage}</p> : <MessageTexts messages={added} />}
      {!isFirst && changed.length > 0 && (
        <p className="bk-hint">{words.changed(changed.map(({ name }) => name).join(', '))}</p>
      )}
      {tools.length > 0 && (
        <Folded
          title={words.toolCount(tools.length)}
          render={() => <JsonText label={words.tools} text={JSON.stringify(tools, null, 2)} />}
        />
      )}
      <Folded
        title={words.parameters}
        render={() => <JsonText label={words.parameters} text={JSON.stringify(parameters, null, 2)} />}
      />
    </>
  );
}

interface FoldedMessagesProps {
  /** Returns the title for a number of messages. */
  readonly title: (count: number) => string;
  readonly messages: readonly Message[];
}

function FoldedMessages({ title, messages }: FoldedMessagesProps): ReactElement | null {
  if (messages.length === 0) return null;
  return <Folded title={title(messages.length)} render={() => <MessageTexts messages={messages} />} />;
}

/** The answer as it came. */
function Answer({ step }: { readonly step: ReviewStep }): ReactElement | null {
  const { sent: words } = useReviewTexts();
  const answer = useMemo(() => step.answer, [step]);
  if (answer === undefined) return null;
  return (
    <>
      <h3>{words.answer}</h3>
      {answer.content.length === 0 ? <p className="bk-hint">{words.nothing}</p> : <MessageTexts messages={[answer]} />}
    </>
  );
}
