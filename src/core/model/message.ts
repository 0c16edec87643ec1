import { defined, type Json, type JsonObject } from '../json.ts';
import type { Ports } from '../ports.ts';
import type { RunSettings } from './settings.ts';

/** Author of a message: the page (`system`), the person (`user`) or the model (`assistant`). */
export type Role = 'system' | 'user' | 'assistant';

/** Text of a message. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** What the model thought before it answered. `provider` is opaque data (a signature, say) that its provider wants back. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** From its first word to its last, as they came. */
  readonly durationMs?: number;
  /** ms since the epoch */
  readonly startedAt?: number;
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

/** Something the answer rests on: a web page, a document. */
export interface SourcePart {
  readonly type: 'source';
  readonly url: string;
  readonly title?: string;
}

/** What a provider did or sent that has no shape of its own here; kept so that it can be shown and sent back. */
export interface ProviderPart {
  readonly type: 'provider';
  /** The provider's own word, e.g. `web_search_call`. */
  readonly name: string;
  readonly data: Json;
}

/**
 * Where a tool call stands.
 *
 *     streaming → requested → held → approved | edited → started → succeeded | failed | timed-out | uncertain
 *                     └→ invalid  └→ rejected | expired       ↑                                └─┐
 *                                                             └── of an idempotent tool only ────┘
 *
 * and `cancelled` from everything that has not ended.
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

/** The decision on a call, and until when one is awaited. */
export interface Approval {
  readonly verdict?: 'approved' | 'rejected' | 'expired';
  readonly decidedBy?: DecidedBy;
  readonly reason?: string;
  /** The person's name, where the page gave one. */
  readonly userName?: string;
  /** ms since the epoch, after which a held call counts as expired. */
  readonly expiresAt?: number;
  /** Which version of the tool was agreed to. */
  readonly toolVersion?: string;
  /** Where the call asks a person something: JSON Schema of the answer. */
  readonly elicitation?: JsonObject;
  readonly answer?: Json;
  /** Of a rejection: what the model reads as the result, where the page puts it in words of its own. */
  readonly rejectionText?: string;
}

/** One tool call from request to result: seed 002's `tool_execution`. */
export interface ToolPart {
  readonly type: 'tool';
  /** Unique within its session, whatever the provider sent. */
  readonly callId: string;
  readonly name: string;
  readonly status: CallStatus;
  /** The model's own words, as far as they have come; JSON once the call is complete. */
  readonly inputText: string;
  /** `inputText` parsed; missing while it streams and where it is not a JSON object. */
  readonly input?: JsonObject;
  /** What the tool ran with, where a person changed the model's input. */
  readonly editedInput?: JsonObject;
  readonly output?: Json | readonly Part[];
  /** What the tool said last, while it runs. */
  readonly progress?: Json;
  readonly isError?: boolean;
  /** How often it has begun, where that is more than once. */
  readonly attempt?: number;
  /** ms since the epoch. */
  readonly startedAt?: number;
  readonly durationMs?: number;
  /** One line for people. */
  readonly summary?: string;
  readonly details?: ToolDetails;
  readonly approval?: Approval;
  /** Opaque data of the provider that belongs to the call and goes back with it. */
  readonly provider?: Json;
}

/** What a tool's `present` makes of a result, for a page to draw. */
export type ToolDetails =
  | { readonly type: 'diff'; readonly filePath: string; readonly oldContent: string; readonly newContent: string }
  | { readonly type: 'fileList'; readonly files: readonly string[] }
  | { readonly type: 'commandOutput'; readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | { readonly type: 'json'; readonly value: Json }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data?: string; readonly url?: string };

/** One piece of the content of a message. The member `type` tells the kinds apart. */
export type Part = TextPart | ReasoningPart | MediaPart | SourcePart | ProviderPart | ToolPart;

/**
 * Why a reply ended, in one word for all providers. `raw` beside it keeps the provider's own. `pause`: what runs at the provider takes
 * long; the reply goes back as it is, and the next one goes on with it.
 */
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'pause' | 'content-filter' | 'other';

/**
 * Tokens, as the provider counted them. `cached` is part of `input`, `reasoning` part of `output`. `cacheRead` and `cacheWritten` are
 * no part of `input`: Anthropic counts apart what it took from its cache and what it put there.
 */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
  readonly cacheRead?: number;
  readonly cacheWritten?: number;
}

/** All that went in: what fills a model's window. */
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

/** One message as people see it. A finished message keeps its identity (`===`) for as long as it does not change. */
export interface Message {
  readonly id: string;
  readonly role: Role;
  readonly content: readonly Part[];
  /** ms since the epoch. */
  readonly timestamp: number;
  readonly metadata?: JsonObject;
  /** Only on replies of the agent. */
  readonly status?: 'streaming' | 'complete' | 'interrupted';
  readonly finish?: FinishReason;
  readonly usage?: Usage;
  /** What the request held that it answers. */
  readonly context?: ZoneTokens;
  /** The model that answered, as the provider named it. */
  readonly model?: string;
  /** Of the run that the reply belongs to; missing where the agent's own options counted. */
  readonly settings?: RunSettings;
}

/** A message as a user of the package writes it: what is missing is filled in. */
export interface MessageInput {
  readonly id?: string;
  readonly role: Role;
  readonly content: string | readonly Part[];
  readonly timestamp?: number;
  readonly metadata?: JsonObject;
}

/** Whether a part is a tool call. */
export function isToolPart(part: Part): part is ToolPart {
  return part.type === 'tool';
}

/** The calls of a message, in the order in which the model asked for them. */
export function toolParts(message: Message): readonly ToolPart[] {
  return message.content.filter(isToolPart);
}

export function toParts(content: string | readonly Part[]): readonly Part[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Fills in what is missing. */
export function toMessage(input: MessageInput, ports: Pick<Ports, 'id' | 'now'>): Message {
  const { id = ports.id(), role, timestamp = ports.now(), metadata } = input;
  return { id, role, content: toParts(input.content), timestamp, ...defined({ metadata }) };
}

/** The text of a message, an output or a list of parts, without reasoning, tools and media (seed 000 §3.1). */
export function extractTextContent(
  of: string | readonly Part[] | { readonly content: string | readonly Part[] },
): string {
  if (typeof of === 'string') return of;
  if ('content' in of) return extractTextContent(of.content);
  let text = '';
  for (const part of of) if (part.type === 'text') text += part.text;
  return text;
}
