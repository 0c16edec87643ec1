import { defined, toJson } from '../core/json.ts';
import type { Message, Part, ToolPart } from '../core/model/message.ts';
import { resultText } from '../core/model/tool-result.ts';
import type { UIMessage, UIPart, UIToolPart } from './ui-message.ts';

/**
 * Converts messages to `UIMessage`s of the AI SDK, for component libraries made for it. The replies of one run are one message, with a
 * `step-start` before each reply. `approval.id` of a waiting call is its `callId`: pass it to `session.approve` or `session.reject`.
 *
 * @example
 * session.messages$.subscribe((messages) => show(toUIMessages(messages)));
 */
export function toUIMessages(messages: readonly Message[]): UIMessage[] {
  const converted: UIMessage[] = [];
  for (const message of messages) {
    const last = converted.at(-1);
    const isReply = message.role === 'assistant';
    const parts = message.content.map((part, index) => toUIPart(part, isStreaming(message, index)));
    const step: UIPart[] = isReply ? [{ type: 'step-start' }, ...parts] : parts;
    if (isReply && last?.role === 'assistant') last.parts.push(...step);
    else {
      const { id, role, metadata } = message;
      converted.push({ id, role, parts: step, ...defined({ metadata }) });
    }
  }
  return converted;
}

/** Whether more of a part may come: it is the last one of a reply that streams. */
function isStreaming({ status, content }: Message, index: number): boolean {
  return status === 'streaming' && index === content.length - 1;
}

function toUIPart(part: Part, isOpen: boolean): UIPart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text, state: isOpen ? 'streaming' : 'done' };
    case 'image':
    case 'audio':
    case 'file': {
      const { mediaType, data = '', url = `data:${mediaType};base64,${data}`, name: filename } = part;
      return { type: 'file', mediaType, url, ...defined({ filename }) };
    }
    case 'source':
      return { type: 'source-url', sourceId: part.url, url: part.url, ...defined({ title: part.title }) };
    case 'provider':
      return { type: 'data-provider', data: { name: part.name, data: part.data } };
    case 'tool':
      return toUIToolPart(part);
  }
}

function toUIToolPart(call: ToolPart): UIToolPart {
  const { callId, name, status, approval, output } = call;
  const base = { type: `tool-${name}`, toolCallId: callId } as const;
  const given = call.editedInput ?? call.input;
  const input = given ?? {};
  const reason = defined({ reason: approval?.reason });
  const approved = { id: callId, approved: true, ...reason } as const;
  const isApproved = approval?.verdict === 'approved' && approval.decidedBy !== 'policy';
  switch (status) {
    case 'streaming':
      return { ...base, state: 'input-streaming', input: given };
    case 'awaiting-approval':
      return { ...base, state: 'approval-requested', input, approval: { id: callId } };
    case 'requested':
    case 'approved':
    case 'edited':
    case 'started':
      return isApproved
        ? { ...base, state: 'approval-responded', input, approval: approved }
        : { ...base, state: 'input-available', input };
    case 'succeeded':
      return {
        ...base,
        state: 'output-available',
        input,
        output: toJson(output ?? null),
        ...(isApproved && { approval: approved }),
      };
    case 'rejected':
    case 'expired':
      return { ...base, state: 'output-denied', input, approval: { id: callId, approved: false, ...reason } };
    case 'invalid':
    case 'failed':
    case 'timed-out':
    case 'cancelled':
    case 'uncertain':
      return {
        ...base,
        state: 'output-error',
        input: given,
        // What the model wrote in the place of an input.
        ...(given === undefined && { rawInput: call.inputText }),
        errorText: resultText(call),
        ...(isApproved && { approval: approved }),
      };
  }
}
