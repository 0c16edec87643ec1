import { defined, type Json, type JsonObject } from '../json.ts';
import type { Ports } from '../ports.ts';
import type { RunSettings } from './settings.ts';

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
 * The status of a tool call.
 *
 *     streaming → requested → awaiting-approval → approved | edited → started → succeeded | failed | timed-out | uncertain
 *                     ├→ invalid    └→ rejected | expired                ↑                                          │
 *                     └→ approved (no approval needed)                   └───── for an idempotent tool only ────────┘
 *
 * and `cancelled` from every status that is not an end.
 */
export type CallStatus =
  | 'streaming'
  | 'requested'
  | 'invalid'
  | 'awaiting-approval'
  | 'approved'
  | 'edited'
  | 'rejected'
  | 'expired'
  | 'started'
  | 'succeeded'
  | 'failed'
  | 'timed-out'
  | 'cancelled'
  | 'uncertain';

/**
 * Who decided on a call: the user; an approval rule that the user made earlier; the end of the time to decide; or the tool's policy,
 * which asks for no approval.
 */
export type DecidedBy = 'user' | 'rule' | 'timeout' | 'policy';

/**
 * Why a call awaits approval although its tool may need none. `unknown-finish`: the provider stated no reason for the end of the reply, so
 * the call may be a part of an answer that was cut.
 */
export type ApprovalCause = 'unknown-finish';

/** The decision on a call, or the terms of the decision that is awaited. */
export interface Approval {
  readonly verdict?: 'approved' | 'rejected' | 'expired';
  readonly decidedBy?: DecidedBy;
  readonly reason?: string;
  /** The user's name; missing when the page passed none. */
  readonly userName?: string;
  /** Missing where the tool itself, or the elicitation, requires the decision. */
  readonly cause?: ApprovalCause;
  /** ms since the epoch, after which a call that awaits approval expires. */
  readonly expiresAt?: number;
  /** Version of the tool to which the approval applies. */
  readonly toolVersion?: string;
  /** JSON Schema of the answer, when the call is an elicitation. */
  readonly elicitation?: JsonObject;
  /** The user's answer to the elicitation. */
  readonly answer?: Json;
  /** The page's own text that the model reads as the result of a rejected call. */
  readonly rejectionText?: string;
}

/** One tool call from request to result. */
export interface ToolPart {
  readonly type: 'tool';
  /** Unique within the session; not the provider's id. */
  readonly callId: string;
  readonly name: string;
  readonly status: CallStatus;
  /** The input as the model wrote it: incomplete while the call streams, JSON once the call is complete. */
  readonly inputText: string;
  /** `inputText` parsed; missing while the call streams, and when the text is not a JSON object. */
  readonly input?: JsonObject;
  /** The input with which the tool ran, when the user edited the model's input. */
  readonly editedInput?: JsonObject;
  /** The result, or the text that explains why there is none. */
  readonly output?: Json | readonly Part[];
  /** The latest progress of a running call; never stored. */
  readonly progress?: Json;
  readonly isError?: boolean;
  /** Number of the latest attempt; missing for the first. */
  readonly attempt?: number;
  /** ms since the epoch. */
  readonly startedAt?: number;
  readonly durationMs?: number;
  /** One line of text about the result, for display. */
  readonly summary?: string;
  /** The result, prepared for display. */
  readonly details?: ToolDetails;
  /** Whether the result asks for another request to the model; missing when the tool's `followUp` decides. */
  readonly requiresFollowUp?: boolean;
  readonly approval?: Approval;
  /** Opaque data of the call that the provider requires in later requests. */
  readonly provider?: Json;
}

/** A result for display, as returned by a tool's `present`. */
export type ToolDetails =
  | { readonly type: 'diff'; readonly filePath: string; readonly oldContent: string; readonly newContent: string }
  | { readonly type: 'fileList'; readonly files: readonly string[] }
  | { readonly type: 'commandOutput'; readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | { readonly type: 'json'; readonly value: Json }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data?: string; readonly url?: string };

/** One part of the content of a message, discriminated by `type`. */
export type Part = TextPart | ReasoningPart | MediaPart | SourcePart | ProviderPart | ToolPart;

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
export interface Message {
  readonly id: string;
  readonly role: Role;
  readonly content: readonly Part[];
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
export function isToolPart(part: Part): part is ToolPart {
  return part.type === 'tool';
}

/** Returns the tool calls of a message, in the order in which the model requested them. */
export function toolParts(message: Message): readonly ToolPart[] {
  return message.content.filter(isToolPart);
}

/** Returns the id of a message and those of its calls. */
export function idsOf(message: Message): readonly string[] {
  return [message.id, ...toolParts(message).map(({ callId }) => callId)];
}

/** Returns content as parts, with the base64 of media in the form that `MediaPart.data` states. */
/** Whether the output limit cut off a reply without calls: the reply can be continued. */
export function isTruncated(message: Message): boolean {
  return message.finish === 'length' && toolParts(message).length === 0;
}

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
export function toMessage(input: MessageInput, ports: Pick<Ports, 'id' | 'now'>): Message {
  const { id = ports.id(), role, timestamp = ports.now(), metadata } = input;
  return { id, role, content: toParts(input.content), timestamp, ...defined({ metadata }) };
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
