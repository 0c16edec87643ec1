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

/** Returns a `UIMessage` part as parts. Steps, data and unknown parts are left out. */
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
export function uiCall(name: string, { state, input, output, errorText, approval }: JsonObject): ForeignCall {
  const call = openCall(name, input);
  switch (state) {
    case 'output-available':
      return { ...call, status: 'succeeded', output: output ?? '', isError: false };
    case 'output-error':
      return { ...call, status: 'failed', output: toText(errorText), isError: true };
    case 'output-denied': {
      const reason = toText(toObject(approval).reason);
      return {
        ...call,
        status: 'rejected',
        approval: { verdict: 'rejected', decidedBy: 'user', ...(reason && { reason }) },
      };
    }
    default:
      return call;
  }
}
