import { isCall } from './find-call.ts';
import type { Message, Part } from './message.ts';
import { type ContentOrigin, isForeign, originOf } from './origin.ts';

/** A message, or a part of it with an origin of its own, that a decision has seen. */
export interface Seen {
  readonly message: Message;
  /** A tool call with its result, or what a provider found; missing for the message itself. */
  readonly part?: Part;
  readonly origin: ContentOrigin;
  /** Whether the whole message is untrusted: what it states about the tool of a result, too. */
  readonly isForeign: boolean;
}

/**
 * Returns what the model had read when it wrote a call, in the order of the log. Pure. Without `callId`, or where the call is not in the
 * conversation: everything.
 *
 * The calls of one reply were all written before the first of them ran, so their results do not count. What the provider found within the same
 * reply counts wherever it stands: citations follow the text that cites them, and the model had read their sources before it wrote anything.
 */
export function seenBefore(messages: readonly Message[], callId?: string): readonly Seen[] {
  const place = callId === undefined ? -1 : messages.findIndex(({ content }) => content.some(isCall(callId)));
  const own = messages[place];
  const before = own === undefined ? messages : messages.slice(0, place);
  const ofReply = own === undefined ? [] : toSeen(own, messages).filter(({ part }) => part?.type !== 'tool');
  return [...before.flatMap((message) => toSeen(message, messages)), ...ofReply];
}

function toSeen(message: Message, messages: readonly Message[]): readonly Seen[] {
  const isStrangers = isForeign(message);
  const parts = message.content.filter(({ type }) => type === 'tool' || type === 'source' || type === 'provider');
  return [
    { message, origin: originOf(message, undefined, messages), isForeign: isStrangers },
    ...parts.map((part): Seen => {
      return { message, part, origin: originOf(message, part, messages), isForeign: isStrangers };
    }),
  ];
}
