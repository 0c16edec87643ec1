import type { LLMRequest } from 'brooklet';
import type { RequestChanges, ReviewStep } from 'brooklet/review';
import { type ReactElement, useMemo, useState } from 'react';
import { formatDuration } from '../conversation/duration.ts';
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

const ways = [
  { value: 'messages', label: 'Messages' },
  { value: 'body', label: 'Bytes' },
] as const;

/** The request of a step, as the model received it, what was new in it, and the answer. */
export function RequestPane({ step }: { readonly step: ReviewStep | undefined }): ReactElement {
  const [as, setAs] = useState<As>('messages');
  const request = useMemo(() => step?.request, [step]);
  const changes = useMemo(() => step?.changes, [step]);
  return (
    <Pane
      name="request"
      title={step === undefined ? 'What the model was sent' : `What the model was sent in step ${step.index + 1}`}
      tools={
        request && <CopyButton label="Copy the request as JSON" getText={() => JSON.stringify(request, null, 2)} />
      }
    >
      {step === undefined && <p className="nothing">No request had been sent.</p>}
      {step && <StepFacts step={step} />}
      {step?.zones && <ZoneBar zones={step.zones} />}
      {step && request === undefined && <p className="hint">This log does not record requests: it is of version 1.</p>}
      {request && <Segments legend="Request as" options={ways} value={as} onChange={setAs} />}
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
  const { at, endedAt, finish, model, usage, error } = step;
  return (
    <>
      <Facts>
        {model !== undefined && <Fact name="Model">{model}</Fact>}
        {finish !== undefined && <Fact name="Ended">{finish}</Fact>}
        {endedAt !== undefined && <Fact name="Took">{formatDuration(endedAt - at)}</Fact>}
        {usage && (
          <Fact name="Tokens">
            {formatCount(usage.input)} in, {formatCount(usage.output)} out
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
  const { kept, added, dropped, parameters } = changes;
  const before = request.messages.slice(0, kept);
  return (
    <>
      {kept > 0 && (
        <details className="request-part">
          <summary>
            {kept} {kept === 1 ? 'message' : 'messages'} as in the step before
          </summary>
          <MessageTexts messages={before} />
        </details>
      )}
      {dropped.length > 0 && (
        <details className="request-part">
          <summary className="amber">
            {dropped.length} {dropped.length === 1 ? 'message' : 'messages'} sent no more
          </summary>
          <MessageTexts messages={dropped} />
        </details>
      )}
      <h3>{isFirst ? 'Messages' : `New in this request (${added.length})`}</h3>
      {added.length === 0 ? <p className="hint">No message.</p> : <MessageTexts messages={added} />}
      {!isFirst && parameters.length > 0 && (
        <p className="hint">Changed: {parameters.map(({ name }) => name).join(', ')}.</p>
      )}
    </>
  );
}

function Parameters({ request }: { readonly request: LLMRequest }): ReactElement {
  const { messages: _messages, tools = [], sessionId: _sessionId, ...parameters } = request;
  return (
    <div className="request-parts">
      {tools.length > 0 && (
        <details className="request-part">
          <summary>
            {tools.length} {tools.length === 1 ? 'tool' : 'tools'}
          </summary>
          <JsonText label="Tools" text={JSON.stringify(tools, null, 2)} />
        </details>
      )}
      <details className="request-part">
        <summary>Parameters</summary>
        <JsonText label="Parameters" text={JSON.stringify(parameters, null, 2)} />
      </details>
    </div>
  );
}

/** The answer as it came. */
function Answer({ step }: { readonly step: ReviewStep }): ReactElement | null {
  const answer = useMemo(() => step.answer, [step]);
  if (answer === undefined) return null;
  return (
    <>
      <h3>The answer</h3>
      {answer.content.length === 0 ? <p className="hint">Nothing.</p> : <MessageTexts messages={[answer]} />}
    </>
  );
}
