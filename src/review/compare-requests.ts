import type { Json } from '../core/json.ts';
import type { LLMRequest } from '../core/model/llm.ts';
import type { Message } from '../core/model/message.ts';
import type { ToolSpec } from '../core/model/settings.ts';
import { compareLists, type ListChanges } from './compare-lists.ts';

/** A parameter of a request with another value than before. */
export interface ParameterChange {
  readonly name: ParameterName;
  /** Missing when the request before did not have the parameter. */
  readonly before?: LLMRequest[ParameterName];
  /** Missing when the request does not have the parameter any more. */
  readonly after?: LLMRequest[ParameterName];
}

/** The fields of a request other than its ids, messages and tools. */
export type ParameterName = Exclude<keyof LLMRequest, 'sessionId' | 'promptId' | 'messages' | 'tools'>;

const parameters: readonly ParameterName[] = [
  'model',
  'maxTokens',
  'temperature',
  'toolChoice',
  'output',
  'providerParams',
];

/** How a request differs from another one. */
export interface RequestChanges {
  /** Number of messages at the start that both requests have, the same: a provider's cache has them. */
  readonly kept: number;
  /** The messages of the request before that follow those, and are sent no more. */
  readonly dropped: readonly Message[];
  /** The messages of this request that follow those. */
  readonly added: readonly Message[];
  /** By name. */
  readonly tools: ListChanges<ToolSpec>;
  readonly parameters: readonly ParameterChange[];
}

/**
 * Compares two requests. Without a request before, everything is added.
 *
 * @param toText returns what is compared of a message. Default: all of it
 */
export function compareRequests(
  before: LLMRequest | undefined,
  after: LLMRequest,
  toText: (message: Message) => string = JSON.stringify,
): RequestChanges {
  const old = before?.messages ?? [];
  const isSame = (message: Message, other: Message | undefined): boolean =>
    other !== undefined && (message === other || toText(message) === toText(other));
  const different = after.messages.findIndex((message, index) => !isSame(message, old[index]));
  const kept = different < 0 ? after.messages.length : different;
  return {
    kept,
    dropped: old.slice(kept),
    added: after.messages.slice(kept),
    tools: compareLists(before?.tools ?? [], after.tools ?? [], ({ name }) => name),
    parameters: parameters.flatMap((name) => {
      const was = before?.[name];
      const is = after[name];
      if (JSON.stringify(was) === JSON.stringify(is)) return [];
      return { name, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
    }),
  };
}

/** Returns what two sessions can have in common of a message: its role and content, without ids and times. */
export function withoutIds({ role, content }: Message): string {
  return JSON.stringify([role, content], (key, value: Json) => (volatile.has(key) ? undefined : value));
}

const volatile: ReadonlySet<string> = new Set(['callId', 'startedAt', 'durationMs', 'timestamp', 'provider']);
