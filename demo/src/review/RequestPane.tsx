import type { LLMRequest } from 'brooklet';
import type { RequestChanges, ReviewStep } from 'brooklet/review';
import { type ReactElement, useMemo, useState } from 'react';
import { formatDuration } from '../conversation/duration.ts';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Segments } from '../ui/Segments.tsx';
import { BodyText } from './BodyText.tsx';
import { Fact, Facts } from './Facts.tsx';
import { formatCount } from './format.ts';
import { JsonText } from './JsonText.tsx';
import { MessageTexts } from './MessageTexts.tsx';
import { Pane } from './Pane.tsx';
import { ZoneBar } from './ZoneBar.tsx';

type As = 'messages' | 'body';

/** The request of a step, as the model received it, what was new in it, and the answer. */
export function RequestPane({ step }: { readonly step: ReviewStep | undefined }): ReactElement {
  const { sent: words } = useReviewTexts();
  const [as, setAs] = useState<As>('messages');
  const request = useMemo(() => step?.request, [step]);
  const changes = useMemo(() => step?.changes, [step]);
  const ways = [
    { value: 'messages', label: words.ways.messages },
    { value: 'body', label: words.ways.body },
  ] as const;
  return (
    <Pane
      name="request"
      title={step === undefined ? words.title : words.inStep(step.index + 1)}
      tools={request && <CopyButton label={words.copy} getText={() => JSON.stringify(request, null, 2)} />}
    >
      {step === undefined && <p className="nothing">{words.none}</p>}
      {step && <StepFacts step={step} />}
      {step?.zones && <ZoneBar zones={step.zones} />}
      {step && request === undefined && <p className="hint">{step.isCopied ? words.copiedStep : words.notRecorded}</p>}
      {request && <Segments legend={words.as} options={ways} value={as} onChange={setAs} />}
      {request && as === 'body' && <BodyText request={request} model={request.model ?? step?.model ?? 'model'} />}
      {request && changes && as === 'messages' && (
        <Messages request={request} changes={changes} isFirst={step?.index === 0} />
      )}
      {request && as === 'messages' && <Parameters request={request} />}
      {step && <Answer step={step} />}
    </Pane>
  );
}

function StepFacts({ step }: { readonly step: ReviewStep }): ReactElement {
  const texts = useReviewTexts();
  const { facts: words } = texts;
  const { at, endedAt, finish, model, usage, error } = step;
  return (
    <>
      <Facts>
        {model !== undefined && <Fact name={words.model}>{model}</Fact>}
        {finish !== undefined && <Fact name={words.ended}>{finish}</Fact>}
        {endedAt !== undefined && <Fact name={words.took}>{formatDuration(endedAt - at)}</Fact>}
        {usage && (
          <Fact name={words.tokens}>
            {texts.tokenCounts(formatCount(texts, usage.input), formatCount(texts, usage.output))}
          </Fact>
        )}
      </Facts>
      {error && (
        <p className="bad problem">
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

/** The messages: those of the step before in one line, the new ones in full. */
function Messages({ request, changes, isFirst }: MessagesProps): ReactElement {
  const { sent: words } = useReviewTexts();
  const { kept, added, dropped, parameters } = changes;
  const before = request.messages.slice(0, kept);
  return (
    <>
      {kept > 0 && (
        <details className="request-part">
          <summary>{words.asBefore(kept)}</summary>
          <MessageTexts messages={before} />
        </details>
      )}
      {dropped.length > 0 && (
        <details className="request-part">
          <summary className="amber">{words.noMore(dropped.length)}</summary>
          <MessageTexts messages={dropped} />
        </details>
      )}
      <h3>{isFirst ? words.messages : words.fresh(added.length)}</h3>
      {added.length === 0 ? <p className="hint">{words.noMessage}</p> : <MessageTexts messages={added} />}
      {!isFirst && parameters.length > 0 && (
        <p className="hint">{words.changed(parameters.map(({ name }) => name).join(', '))}</p>
      )}
    </>
  );
}

function Parameters({ request }: { readonly request: LLMRequest }): ReactElement {
  const { sent: words } = useReviewTexts();
  const { messages: _messages, tools = [], sessionId: _sessionId, ...parameters } = request;
  return (
    <div className="request-parts">
      {tools.length > 0 && (
        <details className="request-part">
          <summary>{words.toolCount(tools.length)}</summary>
          <JsonText label={words.tools} text={JSON.stringify(tools, null, 2)} />
        </details>
      )}
      <details className="request-part">
        <summary>{words.parameters}</summary>
        <JsonText label={words.parameters} text={JSON.stringify(parameters, null, 2)} />
      </details>
    </div>
  );
}

/** The answer as it came. */
function Answer({ step }: { readonly step: ReviewStep }): ReactElement | null {
  const { sent: words } = useReviewTexts();
  const answer = useMemo(() => step.answer, [step]);
  if (answer === undefined) return null;
  return (
    <>
      <h3>{words.answer}</h3>
      {answer.content.length === 0 ? <p className="hint">{words.nothing}</p> : <MessageTexts messages={[answer]} />}
    </>
  );
}
