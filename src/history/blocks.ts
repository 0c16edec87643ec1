import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { MediaPart, Part } from '../core/model/message.ts';
import { toList, toObject, toText, toWord } from '../core/model/read-json.ts';
import { mediaPart, textFile } from './media.ts';
import type { Tally } from './tally.ts';

/**
 * Returns the content of a message of another program as parts: a text, or a list of blocks of OpenAI (Chat Completions, Responses),
 * Anthropic (Messages), Google (Content) or MCP. What has no part here is counted by `tally`.
 */
export function toParts(content: Json | undefined, tally: Tally): readonly Part[] {
  if (typeof content === 'string') return textPart(content);
  return toList(content).flatMap((block) => blockParts(block, tally));
}

/** Returns one block as parts. Calls and results have no part: see `blockCall`. */
export function blockParts(block: Json, tally: Tally): readonly Part[] {
  if (typeof block === 'string') return textPart(block);
  if (!isJsonObject(block)) return left('unknown');
  const { type } = block;
  if (type === undefined) return googleParts(block, tally);
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return [...textPart(toText(block.text)), ...citations(block)];
    case 'refusal':
      return textPart(toText(block.refusal));
    case 'thinking':
      return reasoningPart(toText(block.thinking));
    case 'reasoning':
    case 'reasoning_text':
    case 'summary_text':
      return reasoningPart(toText(block.text));
    case 'redacted_thinking':
      return left('encrypted', 'reasoning');
    case 'image':
    case 'document':
    case 'image_url':
    case 'input_image':
    case 'audio':
    case 'input_audio':
    case 'file':
    case 'input_file': {
      const part = mediaBlock(block);
      return part ? [part] : left('not-in-file', /image|audio/.exec(type)?.[0] ?? 'file');
    }
    default:
      return left('unknown', toWord(type));
  }

  function left(reason: 'unknown' | 'encrypted' | 'not-in-file', part = 'block'): readonly Part[] {
    tally.leave(part, reason);
    return [];
  }
}

/** Returns a part for the text; none for an empty text. */
export function textPart(text: string): readonly Part[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** As `textPart`, for what a model thought before its answer. */
export function reasoningPart(text: string): readonly Part[] {
  return text === '' ? [] : [{ type: 'reasoning', text }];
}

/** Returns a part for the address of a source; none where it is not a web address. */
export function sourcePart(url: string, title: string): readonly Part[] {
  return /^https?:/i.test(url) ? [{ type: 'source', url, ...(title && { title }) }] : [];
}

/** Web pages that a text block of Anthropic (`citations`) or OpenAI (`annotations`) names, each once. */
export function citations({ citations: own, annotations }: JsonObject): readonly Part[] {
  const pages = new Map<string, string>();
  for (const one of [...toList(own), ...toList(annotations)].map(toObject)) {
    const page = toObject(one.url_citation ?? one);
    if (toText(page.url) !== '' && !pages.has(toText(page.url))) pages.set(toText(page.url), toText(page.title));
  }
  return [...pages].flatMap(([url, title]) => sourcePart(url, title));
}

function mediaBlock(block: JsonObject): MediaPart | undefined {
  switch (block.type) {
    case 'image_url': {
      const image = block.image_url;
      return mediaPart({ kind: 'image', url: toText(toObject(image).url) || toText(image) });
    }
    case 'input_image':
      return mediaPart({ kind: 'image', url: toText(block.image_url) });
    case 'input_audio': {
      const { data, format } = toObject(block.input_audio);
      return mediaPart({ kind: 'audio', mediaType: `audio/${toText(format) || 'wav'}`, data: toText(data) });
    }
    case 'input_file':
      return mediaPart({ data: toText(block.file_data), url: toText(block.file_url), name: toText(block.filename) });
    case 'file':
      return isJsonObject(block.file)
        ? mediaPart({ data: toText(block.file.file_data), name: toText(block.file.filename) })
        : sdkMedia(block, 'file');
    case 'document': {
      const { type, data, media_type: mediaType, content } = toObject(block.source);
      const name = toText(block.title);
      if (type === 'text') return textFile(toText(data), name, toText(mediaType) || 'text/plain');
      if (typeof content === 'string') return textFile(content, name);
      return sourceMedia(block, 'file', name);
    }
    default:
      return block.source === undefined
        ? sdkMedia(block, block.type === 'audio' ? 'audio' : 'image')
        : sourceMedia(block, 'image', '');
  }
}

/** A picture or a document of Anthropic: `source` is `{ media_type, data }` or `{ url }`. */
function sourceMedia(block: JsonObject, kind: MediaPart['type'], name: string): MediaPart | undefined {
  const { media_type: mediaType, data, url } = toObject(block.source);
  return mediaPart({ kind, mediaType: toText(mediaType), data: toText(data), url: toText(url), name });
}

/** Media of the AI SDK (`image`, or `data` with `mediaType`, before version 5 `mimeType`) and of MCP (`data` with `mimeType`). */
function sdkMedia(block: JsonObject, kind: MediaPart['type']): MediaPart | undefined {
  const content = toText(block.image ?? block.data ?? block.url);
  const mediaType = toText(block.mediaType ?? block.mimeType);
  const name = toText(block.filename ?? block.name);
  const isAddress = /^(https?|data):/i.test(content);
  return mediaPart({ kind, mediaType, name, ...(isAddress ? { url: content } : { data: content }) });
}

/** A part of Google's `Content`, which has no `type`: ai.google.dev/api/caching#Part. */
function googleParts(block: JsonObject, tally: Tally): readonly Part[] {
  const { text, thought, inlineData, fileData, executableCode, codeExecutionResult } = block;
  if (typeof text === 'string') return thought === true ? reasoningPart(text) : textPart(text);
  if (isJsonObject(inlineData ?? fileData)) {
    const { mimeType, data, fileUri, displayName } = toObject(inlineData ?? fileData);
    const media = { mediaType: toText(mimeType), data: toText(data), url: toText(fileUri), name: toText(displayName) };
    const part = mediaPart(media);
    if (part) return [part];
    tally.leave('file', 'not-in-file');
    return [];
  }
  const code = toObject(executableCode);
  if (toText(code.code) !== '')
    return textPart(`\`\`\`${toText(code.language).toLowerCase()}\n${toText(code.code)}\n\`\`\``);
  const result = toObject(codeExecutionResult);
  if (toText(result.output) !== '') return textPart(`\`\`\`\n${toText(result.output)}\n\`\`\``);
  const [name = 'block'] = Object.keys(block);
  tally.leave(name, 'unknown');
  return [];
}
