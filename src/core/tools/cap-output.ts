import type { Json } from '../json.ts';
import type { Part } from '../model/message.ts';
import { isMedia, isParts } from '../model/tool-result.ts';

/** Characters of the text of a result, about 100,000 tokens. */
const defaultMax = 400_000;
/** Characters of the base64 of one image, sound or file. */
const maxMedia = 20_000_000;

/** Returns a tool's result with text beyond the limit cut, with a mark that the model reads: a result is stored and sent whole. */
export function capOutput(output: Json, max: number = defaultMax): Json | readonly Part[] {
  if (isParts(output)) return capParts(output, max);
  if (typeof output === 'string') return cut(output, max);
  const text = JSON.stringify(output);
  return text.length > max ? cut(text, max) : output;
}

function capParts(parts: readonly Part[], max: number): readonly Part[] {
  let room = max;
  return parts.map((part) => {
    if (isMedia(part)) {
      const { type, data = '' } = part;
      return data.length > maxMedia ? { type: 'text', text: leftOut(`${type} of ${data.length}`) } : part;
    }
    if (part.type !== 'text') return part;
    const text = cut(part.text, room);
    room = Math.max(0, room - part.text.length);
    return text === part.text ? part : { type: 'text', text };
  });
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}\n${leftOut(String(text.length - max))}`;
}

function leftOut(what: string): string {
  return `[… ${what} characters left out: the result was too long. Ask for less.]`;
}
