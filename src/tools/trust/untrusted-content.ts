import { named } from '../../core/model/shapes/named.ts';
import { defined } from '../../core/json.ts';
import type { Message, Part, ToolPart } from '../../core/model/message.ts';
import type { ContentOrigin } from '../../core/model/origin.ts';
import { type Seen, seenBefore } from '../../core/model/seen.ts';
import { isTrusted, type TrustOptions } from './trust-options.ts';

/**
 * Content of no trusted author: the result of a tool, what a provider found, a message that neither the person here nor the page brought, or
 * one that the page calls untrusted.
 */
export interface UntrustedContent {
  readonly messageId: string;
  /** Where it came from: a tool, the provider, or the origin of the message. */
  readonly origin: ContentOrigin;
  /** One line about it, as the tool presented it. */
  readonly summary?: string;
}

/** Options of `untrustedContent`: those of `holdAfterUntrusted`. */
export interface UntrustedContentOptions extends TrustOptions {
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
    { tools: true, trusted: true, harmless: true, isUntrustedMessage: true, trustsDevices: true, callId: true },
    'untrustedContent',
  );
  return seenBefore(messages, callId).flatMap((seen): readonly UntrustedContent[] => {
    const { message, part, origin } = seen;
    if (!isUntrusted(seen, options)) return [];
    const summary = part?.type === 'tool' ? part.summary : undefined;
    return [{ messageId: message.id, origin, ...defined({ summary }) }];
  });
}

function isUntrusted({ message, part, origin, isForeign }: Seen, options: TrustOptions): boolean {
  if (isForeign && isOfTrustedDevice(message, options)) return part !== undefined && isUntrustedPart(part, options);
  // The result of a trusted tool is trusted where this page, or the model's reply here, brought it: a file may claim any tool.
  if (isForeign) return part === undefined || part.type !== 'tool' || isRead(part);
  if (part !== undefined) return isUntrustedPart(part, options);
  return origin.type !== 'model' && isCalledUntrusted(message, options);
}

function isOfTrustedDevice({ origin }: Message, { trustsDevices }: TrustOptions): boolean {
  return origin?.type === 'device' && trustsDevices === true;
}

function isUntrustedPart(part: Part, options: TrustOptions): boolean {
  return part.type === 'tool' ? isRead(part) && !isTrusted(part, options) : true;
}

function isCalledUntrusted(message: Message, { isUntrustedMessage }: TrustOptions): boolean {
  try {
    return isUntrustedMessage?.(message) === true;
  } catch {
    return true;
  }
}

/** Whether a part is a call that ran, so that its result may contain untrusted content: an error message, too. */
function isRead({ status }: ToolPart): boolean {
  return ['succeeded', 'failed', 'timed-out', 'uncertain'].includes(status);
}
