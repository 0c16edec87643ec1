import { defined } from '../json.ts';
import { type CallStatus, isToolPart, type Message, type Part, toolParts, type ToolPart } from './message.ts';
import { isEnded } from './call-status.ts';
import type { DeltaEvent } from './event.ts';
import { isCall } from './find-call.ts';

/** Appends a delta to the content. Text and reasoning grow at the end; a part with provider data (a signature, for example) is closed. */
export function grow(content: readonly Part[], delta: DeltaEvent): readonly Part[] {
  const last = content.at(-1);
  switch (delta.type) {
    case 'text.delta': {
      const open = last?.type === 'text' ? last : undefined;
      return replace(content, open, { type: 'text', text: (open?.text ?? '') + delta.text });
    }
    case 'reasoning.delta': {
      const { at, startedAt: begun = at, text, provider } = delta;
      const open = last?.type === 'reasoning' && last.provider === undefined ? last : undefined;
      const startedAt = open?.startedAt ?? begun;
      return replace(content, open, {
        type: 'reasoning',
        text: (open?.text ?? '') + text,
        startedAt,
        durationMs: at - startedAt,
        ...defined({ provider }),
      });
    }
    case 'call.delta': {
      const { callId, name = '', text } = delta;
      return withCall(content, callId, (before) => ({
        type: 'tool',
        callId,
        name: before?.name || name,
        status: 'streaming',
        inputText: (before?.inputText ?? '') + text,
      }));
    }
  }
}

/** Adds a call, or replaces the call while it streams. A complete call changes by decisions and results only. */
export function withCall(
  content: readonly Part[],
  callId: string,
  make: (before: ToolPart | undefined) => ToolPart,
): readonly Part[] {
  const before = content.find(isCall(callId));
  return before === undefined || before.status === 'streaming' ? replace(content, before, make(before)) : content;
}

/** Moves the calls of a message that have not ended, or only those in state `from`, to state `to`; `isMeant` leaves out others. */
export function closeCalls(
  message: Message,
  to: CallStatus,
  from?: CallStatus,
  isMeant: (call: ToolPart) => boolean = () => true,
): Message {
  const isMoved = (part: Part): part is ToolPart =>
    isToolPart(part) && (from === undefined ? !isEnded(part.status) : part.status === from) && isMeant(part);
  return message.content.some(isMoved)
    ? { ...message, content: message.content.map((part) => (isMoved(part) ? moved(part, to) : part)) }
    : message;
}

/**
 * Returns a message that was not made here, so that none of its calls can run: open calls are cancelled. Invariant: a call that is
 * uncertain runs again only if its `startedAt` was recorded by `call.started` in this log.
 */
export function sealCalls(message: Message): Message {
  const isArmed = (part: Part): part is ToolPart =>
    isToolPart(part) && part.status === 'uncertain' && part.startedAt !== undefined;
  const sealed = closeCalls(message, 'cancelled');
  if (!sealed.content.some(isArmed)) return sealed;
  return {
    ...sealed,
    content: sealed.content.map((part) => {
      if (!isArmed(part)) return part;
      const { startedAt: _elsewhere, ...call } = part;
      return call;
    }),
  };
}

/** Returns the call with another status. The progress of a call ends with its status. */
export function moved({ progress: _past, ...call }: ToolPart, to: CallStatus): ToolPart {
  return { ...call, status: to };
}

/**
 * Returns the message that the page has changed, with the calls of the original: only events change the state of a call. Invariant: each
 * call that has not ended is in the message once, whatever the page has left out; its run would wait for the call for ever.
 */
export function withCallsOf(before: Message, after: Message): Message {
  const calls = new Map(toolParts(before).map((call) => [call.callId, call]));
  const content = after.content.flatMap((part) => {
    if (!isToolPart(part)) return part;
    const call = calls.get(part.callId);
    calls.delete(part.callId);
    return call ?? [];
  });
  const missing = [...calls.values()].filter(({ status }) => !isEnded(status));
  return { ...after, content: [...content, ...missing] };
}

/**
 * Returns the list with `after` in the place of `before`, or at its end when `before` is `undefined`. A spread copies a block of memory,
 * also of a frozen list; `with` copies element by element, and so does `slice` of a frozen list.
 */
export function replace<T>(list: readonly T[], before: T | undefined, after: T): readonly T[] {
  const copy = [...list];
  copy[before === undefined ? copy.length : copy.lastIndexOf(before)] = after;
  return copy;
}
