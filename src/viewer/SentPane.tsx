/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { LLMRequest } from '../core/model/llm.ts';
import type { Message } from '../core/model/message.ts';
import type { RequestChanges } from '../review/compare-requests.ts';
import type { ReviewStep } from '../review/steps.ts';
import { Fact } from './Fact.tsx';
import { formatCount, formatDuration, shorten, toJsonText } from './format.ts';
import { Pane } from './Pane.tsx';
import { messageText } from './message-text.ts';

/** The request of a step, as the model received it, and what was new in it. */
export function SentPane({ step }: { readonly step: ReviewStep | undefined }): VNode {
  const title = step === undefined ? 'What the model was sent' : `What the model was sent in step ${step.index + 1}`;
  return (
    <Pane name="sent" title={title} key={step?.index}>
      {step === undefined ? <p class="hint">No request had been sent.</p> : <Step step={step} />}
    </Pane>
  );
}

function Step({ step }: { readonly step: ReviewStep }): VNode {
  const request = useMemo(() => step.request, [step]);
  const changes = useMemo(() => step.changes, [step]);
  return (
    <>
      <Facts step={step} />
      {request === undefined && <p class="hint">This log does not record requests: it is of version 1.</p>}
      {request && changes && <Messages request={request} changes={changes} isFirst={step.index === 0} />}
      {request && <Parameters request={request} />}
    </>
  );
}

function Facts({ step: { at, endedAt, finish, model, usage, error } }: { readonly step: ReviewStep }): VNode {
  return (
    <>
      <dl class="facts">
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
        <p class="bad">
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

/** The messages: those of the step before folded, the new ones in full. */
function Messages({ request, changes, isFirst }: MessagesProps): VNode {
  const { kept, added, dropped, parameters } = changes;
  // Every run has a prompt of its own.
  const changed = parameters.map(({ name }) => name).filter((name) => name !== 'promptId');
  return (
    <>
      <Folded title="as in the step before" messages={request.messages.slice(0, kept)} />
      <Folded title="sent no more" messages={dropped} />
      <h3>{isFirst ? 'Messages' : `New in this request (${added.length})`}</h3>
      {added.length === 0 ? <p class="hint">No message.</p> : <Texts messages={added} />}
      {!isFirst && changed.length > 0 && <p class="hint">Changed: {changed.join(', ')}.</p>}
    </>
  );
}

function Folded({ title, messages }: { readonly title: string; readonly messages: readonly Message[] }): VNode | null {
  const { length } = messages;
  if (length === 0) return null;
  return (
    <details>
      <summary>
        {length} {length === 1 ? 'message' : 'messages'} {title}
      </summary>
      <Texts messages={messages} />
    </details>
  );
}

function Texts({ messages }: { readonly messages: readonly Message[] }): VNode {
  return (
    <ol class="sent-messages">
      {messages.map((message, index) => (
        // A synthetic message has no id of its own.
        <li key={index}>
          <span class="kind">{message.role}</span>
          <pre>{shorten(messageText(message))}</pre>
        </li>
      ))}
    </ol>
  );
}

function Parameters({ request }: { readonly request: LLMRequest }): VNode {
  const { messages: _messages, tools = [], sessionId: _sessionId, ...parameters } = request;
  return (
    <>
      {tools.length > 0 && (
        <details>
          <summary>
            {tools.length} {tools.length === 1 ? 'tool' : 'tools'}
          </summary>
          <pre>{toJsonText(tools)}</pre>
        </details>
      )}
      <details>
        <summary>Parameters</summary>
        <pre>{toJsonText(parameters)}</pre>
      </details>
    </>
  );
}
