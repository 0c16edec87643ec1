import type { LLMRequest, Message } from 'brooklet';
import { resultText } from 'brooklet/core';
import type { RequestChanges, ReviewStep } from 'brooklet/review';
import { type ReactElement, type ReactNode, useMemo } from 'react';
import { CopyButton } from '../ui/CopyButton.tsx';
import { formatDuration } from '../conversation/duration.ts';
import { formatCount } from './format.ts';
import { Pane } from './Pane.tsx';
import { ZoneBar } from './ZoneBar.tsx';

/** The request of a step, as the model received it, and what was new in it. */
export function RequestPane({ step }: { readonly step: ReviewStep | undefined }): ReactElement {
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
      {step === undefined && <p className="hint">No request had been sent.</p>}
      {step && <StepFacts step={step} />}
      {step?.zones && <ZoneBar zones={step.zones} />}
      {step && request === undefined && <p className="hint">This log does not record requests: it is of version 1.</p>}
      {request && changes && <Messages request={request} changes={changes} isFirst={step?.index === 0} />}
      {request && <Parameters request={request} />}
    </Pane>
  );
}

function StepFacts({ step }: { readonly step: ReviewStep }): ReactElement {
  const { at, endedAt, finish, model, usage, error } = step;
  return (
    <>
      <dl className="facts">
        {model !== undefined && <Fact name="Model">{model}</Fact>}
        {finish !== undefined && <Fact name="Ended">{finish}</Fact>}
        {endedAt !== undefined && <Fact name="Took">{formatDuration(endedAt - at)}</Fact>}
        {usage && (
          <Fact name="Tokens">
            {formatCount(usage.input)} in, {formatCount(usage.output)} out
          </Fact>
        )}
      </dl>
      {error && (
        <p className="bad">
          {error.message} <code>{error.code}</code>
        </p>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface MessagesProps {
  readonly request: LLMRequest;
  readonly changes: RequestChanges;
  readonly isFirst: boolean;
}

/** The messages: those of the step before in one line, the new ones in full. */
function Messages({ request, changes, isFirst }: MessagesProps): ReactElement {
  const { kept, added, dropped } = changes;
  // Every run has a prompt of its own.
  const parameters = changes.parameters.filter(({ name }) => name !== 'promptId');
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

function MessageTexts({ messages }: { readonly messages: readonly Message[] }): ReactElement {
  return (
    <ol className="sent">
      {messages.map((message, index) => (
        // A synthetic message has no id of its own.
        <li key={index}>
          <span className="kind">{message.role}</span>
          <pre className="json">{textOf(message)}</pre>
        </li>
      ))}
    </ol>
  );
}

function textOf({ content }: Message): string {
  return content
    .map((part) => {
      switch (part.type) {
        case 'text':
          return part.text;
        case 'reasoning':
          return `[reasoning] ${part.text}`;
        case 'tool':
          return `[call] ${part.name} ${part.inputText}\n[result] ${resultText(part)}`;
        default:
          return `[${part.type}]`;
      }
    })
    .join('\n');
}

function Parameters({ request }: { readonly request: LLMRequest }): ReactElement {
  const { messages: _messages, tools = [], sessionId: _sessionId, ...parameters } = request;
  return (
    <>
      {tools.length > 0 && (
        <details className="request-part">
          <summary>
            {tools.length} {tools.length === 1 ? 'tool' : 'tools'}
          </summary>
          <pre className="json">{JSON.stringify(tools, null, 2)}</pre>
        </details>
      )}
      <details className="request-part">
        <summary>Parameters</summary>
        <pre className="json">{JSON.stringify(parameters, null, 2)}</pre>
      </details>
    </>
  );
}
