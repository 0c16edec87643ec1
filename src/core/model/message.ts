import { defined, type Json, type JsonObject, type Serialized } from '../json.ts';
import type { Ports } from '../ports.ts';
import type { CallFields, OtherToolName, ToolTypes, TypedToolPart } from './call.ts';
import type { MessageOrigin } from './message-origin.ts';
import type { RunSettings } from './settings.ts';

export type {
  Approval,
  ApprovalCause,
  CallStatus,
  DecidedBy,
  Proof,
  Proposal,
  ToolDetails,
  ToolTypes,
} from './call.ts';

/** Author of a message: the page (`system`), the user (`user`) or the model (`assistant`). */
export type Role = 'system' | 'user' | 'assistant';

/** Text of a message. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** Reasoning of the model. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** ms between the first and the last delta. */
  readonly durationMs?: number;
  /** ms since the epoch */
  readonly startedAt?: number;
  /** Opaque data (a signature, for example) that the provider requires in later requests. */
  readonly provider?: Json;
}

/** An image, a sound or a file: inline as base64 `data`, or at a `url`. */
export interface MediaPart {
  readonly type: 'image' | 'audio' | 'file';
  /** MIME type, e.g. `image/png`. */
  readonly mediaType: string;
  /** Base64, without a `data:` prefix. */
  readonly data?: string;
  readonly url?: string;
  readonly name?: string;
}

/** A source of the answer: a web page, a document. */
export interface SourcePart {
  readonly type: 'source';
  readonly url: string;
  readonly title?: string;
}

/** Content of a provider without a part type of its own, kept for display and for later requests. */
export interface ProviderPart {
  readonly type: 'provider';
  /** The provider's name for the content, e.g. `web_search_call`. */
  readonly name: string;
  readonly data: Json;
}

/**
 * One tool call from request to result. `ToolPart<Tools>` is a union with one member per tool: `name` narrows the part to its tool, then
 * `status` narrows `input` and `output`. Without type arguments every name is possible, and input and output are JSON.
 *
 *     if (part.type === 'tool' && part.name === 'pay' && part.status === 'succeeded') show(part.output.receipt);
 *
 * The types describe what these tools produce. A log may contain calls of other tools: the model may invent a name, `addTool` adds tools,
 * and an older version of the page may have had others. `OtherToolPart` stands for them. A log may also contain a call that another version
 * of a tool produced: a tool whose input or output changes its type needs another name, or a page that checks what it shows.
 */
export type ToolPart<Tools extends ToolTypes = ToolTypes> = [CallOf<Tools>] extends [never]
  ? AnyToolPart
  : CallOf<Tools> | OtherToolPart;

/** A tool call without the types of its tool. */
interface AnyToolPart extends CallFields {
  /** The result, or the text that explains why there is none. */
  readonly output?: Json | readonly Part[];
}

/** A call of a tool that is not among the typed tools. `name` is text, and none of their names. */
export interface OtherToolPart extends AnyToolPart {
  readonly name: OtherToolName;
}

type CallOf<Tools extends ToolTypes> =
  Tools extends ToolTypes<infer Name, infer Input, infer Output>
    ? string extends Name
      ? never
      : TypedToolPart<Name, SerializedInput<Input>, SerializedOutput<Output>>
    : never;

/** The input of a call as its part contains it. A tool without an input type has JSON. */
type SerializedInput<Input> = unknown extends Input ? JsonObject : Serialized<Input>;

/** The output of a call as its part contains it: parts stay parts, any other value is JSON. */
export type SerializedOutput<Output> = unknown extends Output
  ? Json | readonly Part[]
  : Output extends readonly Part[]
    ? Output
    : Serialized<Output>;

/** One part of the content of a message, discriminated by `type`. */
export type Part<Tools extends ToolTypes = ToolTypes> =
  | TextPart
  | ReasoningPart
  | MediaPart
  | SourcePart
  | ProviderPart
  | ToolPart<Tools>;

/**
 * Why a reply ended, with the same names for all providers; `raw` of the event contains the provider's name. `pause`: a long operation runs
 * at the provider; the reply is sent back unchanged, and the next reply continues it. `unknown`: the provider stated no reason, so the
 * reply may be a part of an answer; its calls await approval. `other`: the provider stated a reason without a name here.
 */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'pause' | 'content-filter' | 'other' | 'unknown';

/**
 * Tokens, as the provider counted them. `input` includes `cached`, and `output` includes `reasoning`. `input` does not include `cacheRead`
 * and `cacheWritten`: Anthropic counts tokens that are read from and written to its cache separately.
 */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
  readonly cacheRead?: number;
  readonly cacheWritten?: number;
}

/** What the requests of a session, and of all sessions below it, have used. */
export interface Spending {
  /** Input and output together. */
  readonly tokens: number;
  /** Requests to a model. */
  readonly steps: number;
  /** In the currency of the page's prices (`ContextOptions.cost`); 0 where nothing has a price. */
  readonly money: number;
}

/** Returns all input tokens of a request, those that fill the model's window. */
export function totalInput({ input, cacheRead = 0, cacheWritten = 0 }: Usage): number {
  return input + cacheRead + cacheWritten;
}

/** Tokens of a request by zone (see docs/context.md), as estimated before it was sent. */
export interface ZoneTokens {
  readonly immutable: number;
  readonly compressed: number;
  readonly incremental: number;
  readonly scratch: number;
}

/** One message as users see it. Invariant: a message keeps its identity (`===`) for as long as it does not change. */
export interface Message<out Tools extends ToolTypes = ToolTypes> {
  readonly id: string;
  readonly role: Role;
  readonly content: readonly Part<Tools>[];
  /** ms since the epoch. */
  readonly timestamp: number;
  readonly metadata?: JsonObject;
  /** Present on replies of the agent only. */
  readonly status?: 'streaming' | 'complete' | 'interrupted';
  readonly finish?: FinishReason;
  readonly usage?: Usage;
  /** Tokens of the request that the reply answers, by zone. */
  readonly context?: ZoneTokens;
  /** The model that answered, as the provider named it. */
  readonly model?: string;
  /** Settings of the run that includes the reply; missing when the agent's own options applied. */
  readonly settings?: RunSettings;
  /** What brought the message; missing for a message that the person at this page sent, and for a reply that was made here. See `originOf`. */
  readonly origin?: MessageOrigin;
}

/** A message as the page writes it. Missing fields are filled in. */
export interface MessageInput {
  /** Default: a new unique id. */
  readonly id?: string;
  readonly role: Role;
  readonly content: string | readonly Part[];
  /** ms since the epoch. Default: now. */
  readonly timestamp?: number;
  readonly metadata?: JsonObject;
}

/** Whether a part is a tool call. */
export function isToolPart<AnyPart extends { readonly type: string }>(
  part: AnyPart,
): part is Extract<AnyPart, { readonly type: 'tool' }> {
  return part.type === 'tool';
}

/** Returns the tool calls of a message, in the order in which the model requested them. */
export function toolParts<Tools extends ToolTypes>(message: Message<Tools>): readonly ToolPart<Tools>[];
export function toolParts(message: Message): readonly ToolPart[] {
  return message.content.filter(isToolPart);
}

/** Returns the index of a message; -1 without an id, and for a message that is not in the list. */
export function placeOf(messages: readonly Message[], messageId: string | undefined): number {
  return messageId === undefined ? -1 : messages.findIndex(({ id }) => id === messageId);
}

/** Returns the id of a message and those of its calls. */
export function idsOf(message: Message): readonly string[] {
  return [message.id, ...toolParts(message).map(({ callId }) => callId)];
}

/** Whether the output limit cut off a reply without calls: the reply can be continued. */
export function isTruncated(message: Message): boolean {
  return message.finish === 'length' && toolParts(message).length === 0;
}

/** Returns content as parts, with the base64 of media in the form that `MediaPart.data` states. */
export function toParts(content: string | readonly Part[]): readonly Part[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : withoutPrefixes(content);
}

/** Returns the parts with base64 in the place of `data:` URLs. */
export function withoutPrefixes(parts: readonly Part[]): readonly Part[] {
  return parts.some(hasPrefix)
    ? parts.map((part) => (hasPrefix(part) ? { ...part, data: part.data.slice(part.data.indexOf(',') + 1) } : part))
    : parts;
}

function hasPrefix(part: Part): part is MediaPart & { readonly data: string } {
  return 'mediaType' in part && part.data?.startsWith('data:') === true;
}

/** Converts an input to a message, with a new id and the current time where they are missing. */
export function toMessage(input: MessageInput, ports: Pick<Ports, 'id' | 'now'>, origin?: MessageOrigin): Message {
  const { id = ports.id(), role, timestamp = ports.now(), metadata } = input;
  return { id, role, content: toParts(input.content), timestamp, ...defined({ metadata, origin }) };
}

/** Returns the text of a message, an output or a list of parts, without reasoning, tools and media. */
export function extractTextContent(
  of: string | readonly Part[] | { readonly content: string | readonly Part[] },
): string {
  if (typeof of === 'string') return of;
  if ('content' in of) return extractTextContent(of.content);
  let text = '';
  for (const part of of) if (part.type === 'text') text += part.text;
  return text;
}
