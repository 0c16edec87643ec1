import type { Json } from '../../../core/json.ts';
import {
  extractTextContent,
  type MediaPart,
  type Message,
  type Part,
  toolParts,
  type ToolPart,
} from '../../../core/model/message.ts';
import { afterPauses } from '../../transport/paused.ts';
import { inlineMedia } from '../../transport/inline-media.ts';
import type { Expected, PromptApi, PromptContent, PromptMessage, ToolClass } from './prompt-api.ts';
import {
  fileText,
  isMedia,
  mediaText,
  partText,
  resultMedia,
  resultText,
  toBytes,
} from '../../../core/model/tool-result.ts';

/** The browser's classes of tool calls and results. */
export interface ToolClasses {
  readonly Call: ToolClass;
  readonly Success: ToolClass;
  readonly Failure: ToolClass;
}

/** Returns the classes, or `undefined` where the browser lacks one. */
export function toolClasses({
  LanguageModelToolCall: Call,
  LanguageModelToolSuccess: Success,
  LanguageModelToolError: Failure,
}: PromptApi): ToolClasses | undefined {
  return Call && Success && Failure && { Call, Success, Failure };
}

/**
 * Maps a conversation to the prompts of the Prompt API: one system message, at the beginning; replies of text alone; images and audio as
 * Blobs. Without the classes, calls and their results become text. Media at a URL is not fetched: a description replaces it.
 */
export function toPromptMessages(messages: readonly Message[], classes?: ToolClasses): readonly PromptMessage[] {
  return afterPauses(messages).flatMap((message, index): readonly PromptMessage[] => {
    const { role, content } = message;
    if (role === 'system' && index === 0) return [{ role, content: [toText(extractTextContent(content))] }];
    if (role !== 'assistant') return [{ role: 'user', content: content.flatMap(toContent) }];
    const text = extractTextContent(content);
    const calls = toolParts(message);
    const reply = [
      ...(text === '' ? [] : [toText(text)]),
      ...(classes ? calls.map((call) => toCall(call, classes)) : []),
    ];
    const results = [
      ...calls.flatMap((call) =>
        classes ? toResponse(call, classes) : [toText(describeCall(call)), ...toMedia(call)],
      ),
      ...content.filter(isMedia).flatMap(toContent),
    ];
    return [
      ...(reply.length === 0 ? [] : [{ role, content: reply }]),
      ...(results.length === 0 ? [] : [{ role: 'user' as const, content: results }]),
    ];
  });
}

/** Returns the content types besides text that a session must declare before it is created. */
export function expectedTypes(messages: readonly PromptMessage[]): readonly Expected['type'][] {
  const types = messages.flatMap(({ content }) => content.map(({ type }) => type));
  return [...new Set(types)].filter((type) => type !== 'text');
}

function toText(value: string): PromptContent {
  return { type: 'text', value };
}

function toContent(part: Part): readonly PromptContent[] {
  if (!isMedia(part)) return partText(part) === '' ? [] : [toText(partText(part))];
  const { mediaType, data } = inlineMedia(part);
  if (part.type === 'file' || data === undefined) return [toText(fileText(part) ?? mediaText(part))];
  return [{ type: part.type, value: new Blob([toBytes(data)], { type: mediaType }) }];
}

function toMedia(call: ToolPart): readonly PromptContent[] {
  return resultMedia(call).flatMap((part: MediaPart) => toContent(part));
}

function toCall({ callId, name, input = {} }: ToolPart, { Call }: ToolClasses): PromptContent {
  return { type: 'tool-call', value: new Call({ callId, name, arguments: input }) };
}

function toResponse(call: ToolPart, { Success, Failure }: ToolClasses): readonly PromptContent[] {
  const { callId, name, status } = call;
  const text = resultText(call);
  const value =
    status === 'succeeded'
      ? new Success({ callId, name, result: [toText(text), ...toMedia(call)] })
      : new Failure({ callId, name, errorMessage: text });
  return [{ type: 'tool-response', value }];
}

function describeCall(call: ToolPart): string {
  const input: Json = call.input ?? {};
  return `The tool "${call.name}" was called with ${JSON.stringify(input)}. It said: ${resultText(call)}`;
}
