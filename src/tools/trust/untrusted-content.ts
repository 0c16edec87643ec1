import { named } from '../../core/model/shapes/named.ts';
import { defined } from '../../core/json.ts';
import { isCall } from '../../core/model/find-call.ts';
import type { Message, Part, ToolPart } from '../../core/model/message.ts';
import { type ContentOrigin, originOf } from './origin-of.ts';
import { isTrusted, type TrustOptions } from './trust-options.ts';

/** Content that nobody vouches for: the result of a tool, what a provider found, or a message that the page calls untrusted. */
export interface UntrustedContent {
  readonly messageId: string;
  /** Where it came from: a tool, the provider, or whoever wrote the message. */
  readonly origin: ContentOrigin;
  /** One line about it, as the tool presented it. */
  readonly summary?: string;
}

/** Options of `untrustedContent`: those of `holdAfterUntrusted`. */
export interface UntrustedContentOptions extends Omit<TrustOptions, 'harmless'> {
  /** Only what came before this call. */
  readonly callId?: string;
}

/**
 * Returns the untrusted content that a model had read before a call, oldest first: what the card of a held call shows. Without `callId`,
 * everything so far.
 *
 *     const before = untrustedContent(session.getMessages(), { callId: call.callId, tools });
 */
export function untrustedContent(
  messages: readonly Message[],
  given: UntrustedContentOptions = {},
): readonly UntrustedContent[] {
  const { callId, ...options } = named(
    given,
    { tools: true, trusted: true, isUntrustedMessage: true, callId: true },
    'untrustedContent',
  );
  const end = callId === undefined ? -1 : messages.findIndex(({ content }) => content.some(isCall(callId)));
  // The calls of one reply were all written before the first of them ran.
  const before = end === -1 ? messages : messages.slice(0, end);
  return before.flatMap((message) => {
    const { id: messageId, role } = message;
    if (role !== 'assistant')
      return isUntrusted(message, options) ? [{ messageId, origin: originOf(message, undefined, messages) }] : [];
    return message.content.flatMap((part): readonly UntrustedContent[] => {
      const origin = originOf(message, part);
      if (origin.type === 'provider') return [{ messageId, origin }];
      if (!isRead(part) || isTrusted(part, options)) return [];
      return [{ messageId, origin, ...defined({ summary: part.summary }) }];
    });
  });
}

function isUntrusted(message: Message, { isUntrustedMessage }: TrustOptions): boolean {
  try {
    return isUntrustedMessage?.(message) === true;
  } catch {
    return true;
  }
}

/** Whether a part is a call that ran, so that its result may contain what a stranger wrote: an error message, too. */
function isRead(part: Part): part is ToolPart {
  return part.type === 'tool' && ['succeeded', 'failed', 'timed-out', 'uncertain'].includes(part.status);
}
