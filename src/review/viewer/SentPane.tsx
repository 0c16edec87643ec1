/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { LLMRequest } from '../../core/model/llm.ts';
import type { Message } from '../../core/model/message.ts';
import type { RequestChanges } from '../compare-requests.ts';
import { messageText } from '../../core/model/message-text.ts';
import type { ReviewStep } from '../steps.ts';
import { Fact } from './Fact.tsx';
import { formatCount, formatDuration, shorten, toJsonText } from './format.ts';
import { Pane } from './Pane.tsx';
import { useTexts } from './texts/use-texts.ts';

/** The request of a step, as the model received it, and what was new in it. */
export function SentPane({ step }: { readonly step: ReviewStep | undefined }): VNode {
  const { sent, sentInStep, noRequest } = useTexts();
  return (
    <Pane name="sent" title={step === undefined ? sent : sentInStep(step.index + 1)} key={step?.index}>
      {step === undefined ? <p class="hint">{noRequest}</p> : <Step step={step} />}
    </Pane>
  );
}

function Step({ step }: { readonly step: ReviewStep }): VNode {
  const { notRecorded, copiedStep } = useTexts();
  const request = useMemo(() => step.request, [step]);
  const changes = useMemo(() => step.changes, [step]);
  return (
    <>
      <Facts step={step} />
      {request === undefined && <p class="hint">{step.isCopied === true ? copiedStep : notRecorded}</p>}
      {request && changes && <Messages request={request} changes={changes} isFirst={step.index === 0} />}
      {request && <Parameters request={request} />}
    </>
  );
}

function Facts({ step: { at, endedAt, finish, model, usage, error } }: { readonly step: ReviewStep }): VNode {
  const texts = useTexts();
  return (
    <>
      <dl class="facts">
        {model !== undefined && <Fact name={texts.model}>{model}</Fact>}
        {finish !== undefined && <Fact name={texts.ended}>{finish}</Fact>}
        {endedAt !== undefined && <Fact name={texts.took}>{formatDuration(endedAt - at)}</Fact>}
        {usage && (
          <Fact name={texts.tokens}>
            {texts.tokenCounts(formatCount(texts, usage.input), formatCount(texts, usage.output))}
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
  const texts = useTexts();
  const { kept, added, dropped, parameters } = changes;
  const changed = parameters.map(({ name }) => name);
  return (
    <>
      <Folded title={texts.asBefore} messages={request.messages.slice(0, kept)} />
      <Folded title={texts.noMore} messages={dropped} />
      <h3>{isFirst ? texts.messages : texts.newMessages(added.length)}</h3>
      {added.length === 0 ? <p class="hint">{texts.noMessage}</p> : <Texts messages={added} />}
      {!isFirst && changed.length > 0 && <p class="hint">{texts.changed(changed.join(', '))}</p>}
    </>
  );
}

interface FoldedProps {
  /** Returns the title for a number of messages. */
  readonly title: (count: number) => string;
  readonly messages: readonly Message[];
}

function Folded({ title, messages }: FoldedProps): VNode | null {
  if (messages.length === 0) return null;
  return (
    <details>
      <summary>{title(messages.length)}</summary>
      <Texts messages={messages} />
    </details>
  );
}

function Texts({ messages }: { readonly messages: readonly Message[] }): VNode {
  const texts = useTexts();
  return (
    <ol class="sent-messages">
      {messages.map((message, index) => (
        // A synthetic message has no id of its own.
        <li key={index}>
          <span class="kind">{message.role}</span>
          <pre>{shorten(texts, messageText(message))}</pre>
        </li>
      ))}
    </ol>
  );
}

function Parameters({ request }: { readonly request: LLMRequest }): VNode {
  const texts = useTexts();
  const { messages: _messages, tools = [], sessionId: _sessionId, ...parameters } = request;
  return (
    <>
      {tools.length > 0 && (
        <details>
          <summary>{texts.tools(tools.length)}</summary>
          <pre>{toJsonText(texts, tools)}</pre>
        </details>
      )}
      <details>
        <summary>{texts.parameters}</summary>
        <pre>{toJsonText(texts, parameters)}</pre>
      </details>
    </>
  );
}
