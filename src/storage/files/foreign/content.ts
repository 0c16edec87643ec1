import type { Json } from '../../../core/json.ts';
import { readDataURL } from '../../../core/model/data-url.ts';
import type { Part } from '../../../core/model/message.ts';
import { toList, toObject, toText } from '../../../core/model/read-json.ts';

/** Returns the content of a foreign message as parts: a text, or a list of blocks. Blocks of unknown types are left out. */
export function toParts(content: Json | undefined): readonly Part[] {
  if (typeof content === 'string') return textPart(content);
  return toList(content).flatMap(toPart);
}

function toPart(block: Json): readonly Part[] {
  const { type, text, refusal, thinking, image_url: image, input_audio: audio, file } = toObject(block);
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return textPart(toText(text));
    case 'refusal':
      return textPart(toText(refusal));
    case 'thinking':
      return reasoningPart(toText(thinking));
    case 'image_url':
      return imagePart(toText(toObject(image).url) || toText(image));
    case 'input_audio': {
      const { data, format } = toObject(audio);
      return [{ type: 'audio', mediaType: `audio/${toText(format) || 'wav'}`, data: toText(data) }];
    }
    case 'file': {
      const { file_data: data, filename } = toObject(file);
      const [mediaType = 'application/octet-stream', base64] = readDataURL(toText(data));
      const name = toText(filename);
      return base64 === undefined ? [] : [{ type: 'file', mediaType, data: base64, ...(name && { name }) }];
    }
    default:
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

function imagePart(url: string): readonly Part[] {
  if (url === '') return [];
  const [mediaType = 'image/*', data] = readDataURL(url);
  return [{ type: 'image', mediaType, ...(data === undefined ? { url } : { data }) }];
}
