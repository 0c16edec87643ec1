import { type Json, type JsonObject } from '../core/json.ts';
import type { Part } from '../core/model/message.ts';
import { toList, toObject, toText, toWord } from '../core/model/read-json.ts';
import { reasoningPart, sourcePart, textPart } from './blocks.ts';
import { endedCall, type ForeignCall, openCall } from './foreign-call.ts';
import { mediaPart } from './media.ts';
import type { Tally } from './tally.ts';

// Messages of the AI SDK: `UIMessage` of versions 5 to 7 (vercel/ai, packages/ai/src/ui/ui-messages.ts), and of version 4
// (packages/ui-utils/src/types.ts at ai@4.3): `tool-invocation`, `reasoning { reasoning }`, `source { source }`, `file { mimeType, data }`,
// `toolInvocations` and `experimental_attachments`.

/** A call of a part of a message of the AI SDK. */
export interface UICall {
  readonly id: string;
  readonly call: ForeignCall;
}

/** Returns the call of a part, as a closed record; `undefined` for a part of another kind. A call without a result is cancelled. */
export function uiCall(part: JsonObject): UICall | undefined {
  if (part.type === 'tool-invocation') return invocation(toObject(part.toolInvocation));
  const [, own] = /^tool-(.+)$/.exec(toText(part.type)) ?? [];
  const name = part.type === 'dynamic-tool' ? toText(part.toolName) : own;
  return name === undefined ? undefined : { id: toText(part.toolCallId), call: toCall(name, part) };
}

/** A call as version 4 has it. */
export function invocation({ toolCallId, toolName, args, state, result }: JsonObject): UICall {
  const call = openCall(toText(toolName), args);
  const isEnded = state === 'result' || result !== undefined;
  return { id: toText(toolCallId), call: isEnded ? endedCall(call, { output: result ?? '', isError: false }) : call };
}

function toCall(name: string, part: JsonObject): ForeignCall {
  const { state, input, rawInput, output, errorText } = part;
  const { approved, reason } = toObject(part.approval);
  const call = openCall(name, input, typeof rawInput === 'string' ? rawInput : undefined);
  const decision = { decidedBy: 'user', ...(toText(reason) && { reason: toText(reason) }) } as const;
  const approval = approved === true && { approval: { verdict: 'approved', ...decision } as const };
  switch (state) {
    case 'output-available':
      return { ...endedCall(call, { output: output ?? '', isError: false }), ...approval };
    case 'output-error':
      return { ...endedCall(call, { output: toText(errorText), isError: true }), ...approval };
    case 'output-denied':
      return { ...call, status: 'rejected', approval: { verdict: 'rejected', ...decision } };
    default:
      return call;
  }
}

/** Returns a part of a message as parts. What has no part here is counted by `tally`; the start of a step is nothing. */
export function uiParts(part: JsonObject, tally: Tally): readonly Part[] {
  switch (part.type) {
    case 'text':
      return textPart(toText(part.text));
    case 'reasoning':
      return reasoningPart(toText(part.text ?? part.reasoning));
    case 'step-start':
      return [];
    case 'source':
      return source(toObject(part.source));
    case 'source-url':
      return source(part);
    case 'file':
      return attachment(part, tally);
    case 'data-provider': {
      const { name, data } = toObject(part.data);
      return toText(name) === '' ? unknown() : [{ type: 'provider', name: toText(name), data: data ?? null }];
    }
    default:
      return unknown();
  }

  function unknown(): readonly Part[] {
    tally.leave(toWord(part.type) || 'part', 'unknown');
    return [];
  }

  function source({ url, title }: JsonObject): readonly Part[] {
    const parts = sourcePart(toText(url), toText(title));
    if (parts.length === 0) tally.leave('source', 'not-in-file');
    return parts;
  }
}

/** Returns the files of `experimental_attachments`: `{ name, contentType, url }`. */
export function uiAttachments(attachments: Json | undefined, tally: Tally): readonly Part[] {
  return toList(attachments).flatMap((one) => attachment(toObject(one), tally));
}

function attachment(file: JsonObject, tally: Tally): readonly Part[] {
  const part = mediaPart({
    mediaType: toText(file.mediaType ?? file.mimeType ?? file.contentType),
    url: toText(file.url),
    data: toText(file.data),
    name: toText(file.filename ?? file.name),
  });
  if (part) return [part];
  tally.leave('file', 'not-in-file');
  return [];
}
