import { defined, isJsonObject, type JsonObject } from '../../core/json.ts';
import { isEnded } from '../../core/model/call-status.ts';
import type { Part, ToolPart } from '../../core/model/message.ts';
import { toObject } from '../../core/model/read-json.ts';
import { isParts, resultText } from '../../core/model/tool-result.ts';

/** The notification to an interface about the end of its call. */
export type Ending =
  | { readonly method: 'ui/notifications/tool-result'; readonly params: JsonObject }
  | { readonly method: 'ui/notifications/tool-cancelled'; readonly params: { readonly reason: string } };

/** Returns the notification about the end of a call; `undefined` while the call has not ended. */
export function endingOf(part: ToolPart): Ending | undefined {
  if (!isEnded(part.status)) return undefined;
  switch (part.status) {
    case 'rejected':
    case 'cancelled':
    case 'expired':
      return { method: 'ui/notifications/tool-cancelled', params: { reason: resultText(part) } };
    default:
      return { method: 'ui/notifications/tool-result', params: toCallResult(part) };
  }
}

/** Returns the result of a call that has ended, in the form of MCP. */
export function toCallResult(part: ToolPart): JsonObject {
  const { output, details, status } = part;
  if (status !== 'succeeded') return { content: [{ type: 'text', text: resultText(part) }], isError: true };
  const own = isJsonObject(output) ? output : undefined;
  const { structuredContent = own, _meta } = toObject(details?.type === 'json' ? details.value : undefined);
  const content = isParts(output)
    ? output.flatMap(toBlock)
    : [{ type: 'text', text: typeof output === 'string' ? output : JSON.stringify(output ?? null) }];
  return { content, ...defined({ structuredContent, _meta }) };
}

function toBlock(part: Part): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'image':
    case 'audio':
      return [{ type: part.type, data: part.data, mimeType: part.mediaType }];
    case 'file':
      return [{ type: 'resource', resource: { uri: part.name ?? '', mimeType: part.mediaType, blob: part.data } }];
    case 'source':
      return [{ type: 'resource_link', uri: part.url, name: part.title ?? part.url }];
    default:
      return [];
  }
}
