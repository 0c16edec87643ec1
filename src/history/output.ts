import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { MediaPart, Part, TextPart } from '../core/model/message.ts';

/**
 * Converts content blocks of Anthropic or MCP: to text if all blocks are text, to parts if some are images. Returns any
 * other content unchanged, and an empty string for `undefined`.
 */
export function toOutput(content: Json | undefined): Json | readonly Part[] {
  if (!Array.isArray(content)) return content ?? '';
  const blocks: readonly Json[] = content;
  const parts = blocks.map(toPart);
  if (!parts.every((part) => part !== undefined)) return blocks;
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
  return texts.length === parts.length ? texts.join('\n') : parts;
}

function toPart(block: Json): TextPart | MediaPart | undefined {
  if (!isJsonObject(block)) return undefined;
  if (block.type === 'text' && typeof block.text === 'string') return { type: 'text', text: block.text };
  if (block.type !== 'image') return undefined;
  // Anthropic: `source: { media_type, data | url }`. MCP: `mimeType` and `data`.
  const source: JsonObject = isJsonObject(block.source) ? block.source : block;
  const mediaType = source.media_type ?? source.mimeType ?? 'image/*';
  if (typeof mediaType !== 'string') return undefined;
  const { data, url } = source;
  if (typeof data === 'string') return { type: 'image', mediaType, data };
  return typeof url === 'string' ? { type: 'image', mediaType, url } : undefined;
}
