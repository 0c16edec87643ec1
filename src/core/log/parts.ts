import { isEnded, isToolPart, toolParts } from '../message.ts';
import type { CallStatus, Message, Part, ToolPart } from '../message.ts';
import type { DeltaEvent } from './event.ts';

/** Text and reasoning grow at the end; a part that carries its provider's seal (a signature, say) is closed. */
export function grow(content: readonly Part[], delta: DeltaEvent): readonly Part[] {
  const last = content.at(-1);
  switch (delta.type) {
    case 'text.delta':
      return last?.type === 'text'
        ? replace(content, content.length - 1, { type: 'text', text: last.text + delta.text })
        : [...content, { type: 'text', text: delta.text }];
    case 'reasoning.delta': {
      const seal = delta.provider !== undefined && { provider: delta.provider };
      const isOpen = last?.type === 'reasoning' && last.provider === undefined;
      const startedAt = (isOpen ? last.startedAt : undefined) ?? delta.began ?? delta.at;
      const text = isOpen ? last.text + delta.text : delta.text;
      const part: Part = { type: 'reasoning', text, startedAt, durationMs: delta.at - startedAt, ...seal };
      return isOpen ? replace(content, content.length - 1, part) : [...content, part];
    }
    case 'call.delta': {
      const index = content.findIndex((part) => isToolPart(part) && part.callId === delta.callId);
      const call = content[index];
      if (call?.type !== 'tool') {
        const { callId, name = '', text } = delta;
        return [...content, { type: 'tool', callId, name, status: 'streaming', inputText: text }];
      }
      return call.status === 'streaming'
        ? replace(content, index, {
            ...call,
            name: call.name || (delta.name ?? ''),
            inputText: call.inputText + delta.text,
          })
        : content;
    }
  }
}

/** Moves the calls of a message that have not ended. */
export function closeCalls(message: Message, to: (call: ToolPart) => CallStatus): Message {
  if (toolParts(message).every((call) => isEnded(call.status) || to(call) === call.status)) return message;
  return {
    ...message,
    content: message.content.map((part) =>
      isToolPart(part) && !isEnded(part.status) ? { ...part, status: to(part) } : part,
    ),
  };
}

/** A message as the page has changed it, with its calls as they are: what became of a call is told by events only. */
export function withCallsOf(before: Message, after: Message): Message {
  const calls = new Map(toolParts(before).map((call) => [call.callId, call]));
  return {
    ...after,
    content: after.content.flatMap((part) => (isToolPart(part) ? (calls.get(part.callId) ?? []) : part)),
  };
}

/** `slice` copies a block of memory where `with` copies one element after the other. */
export function replace<T>(list: readonly T[], index: number, item: T): readonly T[] {
  const copy = list.slice();
  copy[index] = item;
  return copy;
}
