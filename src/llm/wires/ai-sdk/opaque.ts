import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import type { Part } from '../../../core/model/message.ts';
import { toObject, toText } from '../../../core/model/read-json.ts';
import { providerData } from '../../transport/provider-data.ts';

/** The key of this wire's opaque data in a part's `provider`. */
export const aiSdkWire = 'ai-sdk';

/** What the metadata of a mark belongs to: the reasoning of its part, or the text or file before it, or the whole reply. */
export type MarkOf = 'reasoning' | 'text' | 'file' | 'reasoning-file' | 'finish';

/** A block of reasoning: the metadata of a provider, and how many characters of the part's text are its own. */
export type ReasoningBlock = {
  readonly chars: number;
  readonly metadata: JsonObject;
};

/**
 * Returns what a part of reasoning carries back to its provider. Text and files have no place for metadata: theirs is in a part of
 * reasoning without text that follows them.
 *
 * @param host the provider that the request is for
 */
export function readMark(
  part: Part | undefined,
  host: string,
): { readonly of: MarkOf; readonly metadata: JsonObject; readonly blocks: readonly ReasoningBlock[] } | undefined {
  if (part?.type !== 'reasoning' || part.provider === undefined) return undefined;
  const { of, metadata, blocks } = providerData(part.provider, aiSdkWire, host);
  const kind = marks.find((one) => one === of);
  if (kind === undefined) return undefined;
  const list: readonly Json[] = Array.isArray(blocks) ? blocks : [];
  return {
    of: kind,
    metadata: toObject(metadata),
    blocks: list.filter(isJsonObject).map((one) => ({ chars: Number(one.chars), metadata: toObject(one.metadata) })),
  };
}

const marks: readonly MarkOf[] = ['reasoning', 'text', 'file', 'reasoning-file', 'finish'];

/** The kinds of content that is the provider's own, of its tools for example, as `type` in the data of a `provider` part. */
export type OwnContent = 'text' | 'tool-call' | 'tool-result' | 'custom' | 'source' | 'tool-approval-request';

/** Returns the data of a `provider` part: the content as the model streamed it, and the provider that it returns to. */
export function toOwnContent(type: OwnContent, host: string, fields: JsonObject): JsonObject {
  return { ...fields, type: `${aiSdkWire}.${type}`, host };
}

/** Returns the content in the data of a `provider` part of this host; `undefined` for any other part. */
export function readOwnContent(
  part: Part,
  host: string,
): { readonly type: OwnContent; readonly fields: JsonObject } | undefined {
  if (part.type !== 'provider') return undefined;
  const fields = toObject(part.data);
  const type = contents.find((one) => toText(fields.type) === `${aiSdkWire}.${one}`);
  return type !== undefined && fields.host === host ? { type, fields } : undefined;
}

const contents: readonly OwnContent[] = [
  'text',
  'tool-call',
  'tool-result',
  'custom',
  'source',
  'tool-approval-request',
];

/** Returns the metadata of both, provider by provider; the later values win. */
export function mergeMetadata(before: JsonObject, after: JsonObject): JsonObject {
  const merged: Record<string, Json | undefined> = { ...before };
  for (const [provider, values] of Object.entries(after))
    merged[provider] = isJsonObject(values) ? { ...toObject(before[provider]), ...values } : values;
  return merged;
}

export function isFilled(metadata: JsonObject): boolean {
  return Object.keys(metadata).length > 0;
}
