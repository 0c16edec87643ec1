import type { Json, JsonObject } from '../core/json.ts';
import type { Part } from '../core/model/message.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import { problemWith } from '../core/tools/json-schema.ts';
import { excerpt } from './errors.ts';

/**
 * Returns the output of a call: structured content as JSON, where nothing else but text came with it, otherwise parts.
 *
 * @throws Error with the text of a result with `isError`, and for structured content that does not fit the server's own schema
 */
export function toOutput(result: JsonObject, outputSchema?: JsonObject): Json | readonly Part[] {
  const parts = toParts(result.content);
  if (result.isError === true) throw new Error(textOf(parts) || 'The tool failed, and gave no reason.');
  const { structuredContent } = result;
  if (structuredContent === undefined) return parts.length > 0 ? parts : null;
  const problem = outputSchema && problemWith(structuredContent, outputSchema, outputSchema, 'the result');
  if (problem !== undefined) throw new Error(`What the server returned does not fit its own schema: ${problem}`);
  const others = parts.filter(({ type }) => type !== 'text');
  return others.length === 0
    ? structuredContent
    : [{ type: 'text', text: JSON.stringify(structuredContent) }, ...others];
}

/** Returns content blocks of MCP as parts. A block of an unknown kind becomes a note. */
export function toParts(content: Json | undefined): readonly Part[] {
  return toList(content).map((block) => toPart(toObject(block)));
}

function toPart(block: JsonObject): Part {
  const { type, text, data, mimeType } = block;
  if (type === 'text') return { type, text: toText(text) };
  if (type === 'image' || type === 'audio') return toMedia(type, mimeType, data) ?? note(`${type} that cannot be read`);
  if (type === 'resource_link') return toLink(block);
  if (type === 'resource') return toContent(toObject(block.resource));
  return note(`content of the unknown type ${excerpt(type, 40)}`);
}

/** Returns what a server has at a URI as a part. */
export function toContent({ uri, text, blob, mimeType }: JsonObject): Part {
  const name = excerpt(uri, 2_000);
  if (typeof text === 'string') return { type: 'text', text: name ? `${name}:\n${text}` : text };
  const [kind] = toText(mimeType).split('/', 1);
  const type = kind === 'image' || kind === 'audio' ? kind : 'file';
  const media = toMedia(type, mimeType ?? 'application/octet-stream', blob);
  return media ? { ...media, ...(name ? { name } : {}) } : note(`resource ${name}, which cannot be read`);
}

function toMedia(
  type: 'image' | 'audio' | 'file',
  mimeType: Json | undefined,
  data: Json | undefined,
): Part | undefined {
  const isReadable = /^[\w.+-]+\/[\w.+-]+$/.test(toText(mimeType)) && isBase64(toText(data));
  return isReadable ? { type, mediaType: toText(mimeType), data: toText(data) } : undefined;
}

function isBase64(data: string): boolean {
  return data !== '' && !/[^A-Za-z0-9+/=]/.test(data);
}

/** Only links that a person can follow become sources: the model reads any other address as text. */
function toLink({ uri, name, title }: JsonObject): Part {
  const url = excerpt(uri, 2_000);
  const label = excerpt(title ?? name, 200);
  if (!/^https?:\/\//.test(url)) return note(`resource ${url} ${label}`.trim());
  return { type: 'source', url, ...(label ? { title: label } : {}) };
}

const note = (text: string): Part => ({ type: 'text', text: `[${text}]` });

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

/** Returns the latest progress of a call, for display. */
export function toProgress({ progress, total, message }: JsonObject): JsonObject {
  const text = excerpt(message, 1_000);
  return {
    ...(typeof progress === 'number' ? { progress } : {}),
    ...(typeof total === 'number' ? { total } : {}),
    ...(text ? { message: text } : {}),
  };
}
