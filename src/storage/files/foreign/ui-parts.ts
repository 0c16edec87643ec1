import type { JsonObject } from '../../../core/json.ts';
import { readDataURL } from '../../../core/model/data-url.ts';
import type { MediaPart, Part } from '../../../core/model/message.ts';
import { toObject, toText } from '../../../core/model/read-json.ts';
import { type ForeignCall, openCall } from './calls.ts';
import { reasoningPart, textPart } from './content.ts';

/** Returns the name of the tool of a `UIMessage` part, `undefined` for a part of another kind. */
export function uiToolName({ type, toolName }: JsonObject): string | undefined {
  if (type === 'dynamic-tool') return toText(toolName);
  const [, name] = /^tool-(.+)$/.exec(toText(type)) ?? [];
  return name;
}

/** Returns a `UIMessage` part as parts. Steps, data of others and unknown parts are left out. */
export function uiParts(part: JsonObject): readonly Part[] {
  const url = toText(part.url);
  switch (part.type) {
    case 'text':
      return textPart(toText(part.text));
    case 'reasoning':
      return reasoningPart(toText(part.text));
    case 'source-url':
      return url === '' ? [] : [{ type: 'source', url, ...(part.title && { title: toText(part.title) }) }];
    case 'file':
      return url === '' ? [] : [filePart(part, url)];
    case 'data-provider': {
      const { name, data } = toObject(part.data);
      return toText(name) === '' ? [] : [{ type: 'provider', name: toText(name), data: data ?? null }];
    }
    default:
      return [];
  }
}

function filePart({ mediaType, filename }: JsonObject, url: string): MediaPart {
  const [ownType, data] = readDataURL(url);
  const type = toText(mediaType) || (ownType ?? 'application/octet-stream');
  const name = toText(filename);
  return {
    type: type.startsWith('image/') ? 'image' : type.startsWith('audio/') ? 'audio' : 'file',
    mediaType: type,
    ...(data === undefined ? { url } : { data }),
    ...(name && { name }),
  };
}

/** Returns the call of a `UIMessage` part, as a closed record. A call without a result is cancelled. */
export function uiCall(name: string, part: JsonObject): ForeignCall {
  const { state, input, rawInput, output, errorText } = part;
  const { approved, reason } = toObject(part.approval);
  const call = openCall(name, input, typeof rawInput === 'string' ? rawInput : undefined);
  const decision = { decidedBy: 'user', ...(toText(reason) && { reason: toText(reason) }) } as const;
  const approval = approved === true && { approval: { verdict: 'approved', ...decision } as const };
  switch (state) {
    case 'output-available':
      return { ...call, status: 'succeeded', output: output ?? '', isError: false, ...approval };
    case 'output-error':
      return { ...call, status: 'failed', output: toText(errorText), isError: true, ...approval };
    case 'output-denied':
      return { ...call, status: 'rejected', approval: { verdict: 'rejected', ...decision } };
    default:
      return call;
  }
}
