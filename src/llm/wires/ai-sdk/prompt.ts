import { defined, type Json, type JsonObject, parseJson } from '../../../core/json.ts';
import {
  extractTextContent,
  type Message,
  type Part,
  placeOf,
  type ToolPart,
  toolParts,
} from '../../../core/model/message.ts';
import { toText } from '../../../core/model/read-json.ts';
import { isMedia, partText, resultMedia, resultText } from '../../../core/model/tool-result.ts';
import { afterPauses } from '../../transport/paused.ts';
import { isFrom, providerData } from '../../transport/provider-data.ts';
import { createWireIds, toToolName } from '../../transport/wire-name.ts';
import { type MediaTarget, type PromptPart, toFilePart, toMediaPart } from './media.ts';
import { aiSdkWire, isFilled, readMark, readOwnContent } from './opaque.ts';
import type { Traits } from './traits.ts';

/** What a prompt is for. */
export interface PromptTarget extends MediaTarget, Traits {
  /** The provider: metadata and ids return to the provider that sent them. */
  readonly host: string;
  /** Id of the first message whose media is sent; media before it is only named. Default: all media is sent. */
  readonly mediaFrom?: string | undefined;
}

/** A message of a prompt: the same for all versions of the interface. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly PromptPart[];
}

interface Mapping extends PromptTarget {
  readonly idOf: (call: ToolPart) => string;
}

/**
 * Maps a conversation to the prompt of a language model. Pure. Instructions at the beginning are the one system message; a later one is a
 * user message, since some packages refuse it. Results of tools are text, and their media follows in a user message: several packages write
 * media of a result as text.
 */
export function toPrompt(messages: readonly Message[], target: PromptTarget): readonly PromptMessage[] {
  const mapping = { ...target, idOf: createWireIds(messages, target.host, target.shortCallIds) };
  const first = messages.findIndex(({ role, content }) => role !== 'system' || content.some(isMedia));
  const lead = first === -1 ? messages : messages.slice(0, first);
  const instructions = lead.map(extractTextContent).filter((text) => text.trim() !== '');
  const rest = afterPauses(withPairs(messages, target.host).slice(lead.length).map(keepPause(target.host)));
  const start = placeOf(rest, target.mediaFrom);
  const turns = rest.flatMap((message, index) => toTurns(message, mapping, index < start));
  return [
    ...(instructions.length === 0 ? [] : [{ role: 'system' as const, content: instructions.join('\n\n') }]),
    ...(target.alternate ? alternated(turns) : turns),
  ];
}

/** A reply that this provider has paused continues by itself: nothing asks the model to do so. */
function keepPause(host: string): (message: Message) => Message {
  return (message) => {
    const { finish, ...rest } = message;
    const isOwn = message.content.some((part) => readOwnContent(part, host) ?? readMark(part, host));
    return finish === 'pause' && isOwn ? rest : message;
  };
}

/**
 * Removes unpaired calls and results of tools that ran at the provider. A call without a result is valid in the last message (a pause), and
 * in a reply that has calls of its own.
 */
function withPairs(messages: readonly Message[], host: string): readonly Message[] {
  const calls = new Set<Json | undefined>();
  const results = new Set<Json | undefined>();
  for (const part of messages.flatMap(({ content }) => content)) {
    const own = readOwnContent(part, host);
    if (own?.type === 'tool-call') calls.add(own.fields.toolCallId);
    if (own?.type === 'tool-result') results.add(own.fields.toolCallId);
  }
  return messages.map((message, index) => {
    const isOpen = index === messages.length - 1 || toolParts(message).length > 0;
    const content = message.content.filter((part) => {
      const own = readOwnContent(part, host);
      if (own?.type === 'tool-result') return calls.has(own.fields.toolCallId);
      return own?.type !== 'tool-call' || isOpen || results.has(own.fields.toolCallId);
    });
    return content.length === message.content.length ? message : { ...message, content };
  });
}

/** Merges neighbouring user messages, and separates a tool's result from a user message. */
function alternated(turns: readonly PromptMessage[]): readonly PromptMessage[] {
  const all: PromptMessage[] = [];
  for (const turn of turns) {
    const last = all.at(-1);
    if (turn.role === 'user' && last?.role === 'user')
      all[all.length - 1] = { role: 'user', content: [...last.content, ...turn.content].filter(isPromptPart) };
    else {
      if (turn.role === 'user' && last?.role === 'tool')
        all.push({ role: 'assistant', content: [{ type: 'text', text: '…' }] });
      all.push(turn);
    }
  }
  return all;
}

function isPromptPart(part: string | PromptPart): part is PromptPart {
  return typeof part !== 'string';
}

function toTurns(message: Message, mapping: Mapping, inWords: boolean): readonly PromptMessage[] {
  if (message.role !== 'assistant') {
    const content = message.content.flatMap((part) => toUserParts(part, mapping, inWords));
    // An empty turn is refused; a missing one may violate the order of turns.
    return [{ role: 'user', content: content.length === 0 ? [{ type: 'text', text: '(empty)' }] : content }];
  }
  const parts = message.content.flatMap((part, index) => toReplyParts(message.content, part, index, mapping));
  const lacksReasoning = mapping.needsReasoning && !parts.some(({ type }) => type === 'reasoning');
  // Stands for reasoning that does not exist: some services take an empty text for a missing one.
  const content =
    lacksReasoning && toolParts(message).length > 0 ? [{ type: 'reasoning', text: '…' }, ...parts] : parts;
  const results = toolParts(message).map((call) => toResult(call, mapping));
  const attached = [
    ...message.content.filter((part, index) => isMedia(part) && !isSentBack(message.content, index, mapping)),
    ...toolParts(message).flatMap(resultMedia),
  ].flatMap((part) => toUserParts(part, mapping, inWords));
  return [
    // A reply of reasoning alone is refused: the item that it led to is missing.
    ...(content.some(({ type }) => type !== 'reasoning') ? [{ role: 'assistant' as const, content }] : []),
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
    ...(attached.length === 0
      ? []
      : [{ role: 'user' as const, content: [{ type: 'text', text: 'Attached to the above:' }, ...attached] }]),
  ];
}

function toUserParts(part: Part, target: MediaTarget, inWords: boolean): readonly PromptPart[] {
  return isMedia(part) ? [toMediaPart(part, target, inWords)] : toTexts(partText(part));
}

function toTexts(text: string, metadata: JsonObject = {}): readonly PromptPart[] {
  // Blank text is refused by some services.
  return text.trim() === '' ? [] : [{ type: 'text', text, ...toOptions(metadata) }];
}

function toOptions(metadata: JsonObject): { readonly providerOptions?: JsonObject } {
  return isFilled(metadata) ? { providerOptions: metadata } : {};
}

/** Whether the media at an index returns to the provider that made it, as a part of the reply. */
function isSentBack(content: readonly Part[], index: number, { host, version }: Mapping): boolean {
  const of = readMark(content[index + 1], host)?.of;
  return of === 'file' || (of === 'reasoning-file' && version === 'v4');
}

function toReplyParts(content: readonly Part[], part: Part, index: number, mapping: Mapping): readonly PromptPart[] {
  const { host, idOf, version } = mapping;
  switch (part.type) {
    case 'text': {
      const mark = readMark(content[index + 1], host);
      return toTexts(part.text, mark?.of === 'text' ? mark.metadata : {});
    }
    case 'reasoning': {
      const mark = readMark(part, host);
      if (mark !== undefined) return mark.of === 'reasoning' ? toReasoning(part.text, mark) : [];
      const isPlain = part.text !== '' && !mapping.signedReasoning && isFrom(part.provider, host);
      return isPlain ? [{ type: 'reasoning', text: part.text }] : [];
    }
    case 'tool':
      return [
        {
          type: 'tool-call',
          toolCallId: idOf(part),
          toolName: toToolName(part.name),
          input: part.input ?? {},
          ...toOptions(providerData(part.provider, aiSdkWire, host)),
        },
      ];
    case 'image':
    case 'audio':
    case 'file': {
      if (!isSentBack(content, index, mapping)) return [];
      const mark = readMark(content[index + 1], host);
      const type = mark?.of === 'reasoning-file' ? 'reasoning-file' : 'file';
      const file = toFilePart(part, mapping, mark?.metadata, type);
      return file === undefined ? [] : [file];
    }
    case 'source':
      return [];
    case 'provider': {
      const own = readOwnContent(part, host);
      return own === undefined ? [] : toOwnParts(own, version);
    }
  }
}

/** Returns the blocks of a part of reasoning, each with its metadata. */
function toReasoning(
  text: string,
  { metadata, blocks }: NonNullable<ReturnType<typeof readMark>>,
): readonly PromptPart[] {
  if (blocks.length === 0) return [{ type: 'reasoning', text, ...toOptions(metadata) }];
  let end = 0;
  return blocks.map(({ chars, metadata: own }) => {
    const block = text.slice(end, end + chars);
    end += chars;
    return { type: 'reasoning', text: block.replace(/^\n\n/, ''), ...toOptions(own) };
  });
}

/** Returns the provider's own content, as the model streamed it. */
function toOwnParts(
  { type, fields }: NonNullable<ReturnType<typeof readOwnContent>>,
  version: string,
): readonly PromptPart[] {
  const { text, toolCallId, toolName, input, result, isError, kind, providerMetadata } = fields;
  const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
  switch (type) {
    case 'text':
      return [{ type, text, ...options }];
    case 'tool-call':
      return [
        {
          type,
          toolCallId,
          toolName,
          input: parseJson(toText(input)) ?? input ?? {},
          providerExecuted: true,
          ...options,
        },
      ];
    case 'tool-result':
      return [
        {
          type,
          toolCallId,
          toolName,
          output: { type: isError === true ? 'error-json' : 'json', value: result ?? null },
          ...options,
        },
      ];
    case 'custom':
      return version === 'v4' ? [{ type, ...defined({ kind }), ...options }] : [];
    case 'source':
    case 'tool-approval-request':
      return [];
  }
}

function toResult(call: ToolPart, { idOf }: Mapping): PromptPart {
  const type = call.status === 'succeeded' ? 'text' : 'error-text';
  return {
    type: 'tool-result',
    toolCallId: idOf(call),
    toolName: toToolName(call.name),
    output: { type, value: resultText(call) },
  };
}
