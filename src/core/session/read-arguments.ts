import { fail } from '../error.ts';
import type { Json } from '../json.ts';
import { copyJson } from '../model/copy-json.ts';
import type { Part } from '../model/message.ts';
import { string } from '../model/shapes/fields.ts';
import { chatInput, decisionInput } from '../model/shapes/input-shape.ts';
import { readFields, readInput } from '../model/shapes/read-input.ts';
import { amount, oneOf, type Shape } from '../model/shapes/shape.ts';
import { readRunOptions } from './run-settings.ts';
import type { ApproveOptions, ChatInput, RejectOptions, SendOptions, WhenBusy } from './session.ts';

// The door of the verbs. Invariant: what a verb is given is copied and checked within the call, once, before anything is awaited.

/** The options of a decision on a call, of all three verbs. */
export type DecisionInput = ApproveOptions & RejectOptions;

/** @throws AgentError `INVALID_INPUT` */
export function readId(id: string, what: string): string {
  return readInput(id, string, what);
}

/** @throws AgentError `INVALID_INPUT` */
export function readDecision(options: DecisionInput): DecisionInput {
  return readInput(options, decisionInput, 'The decision');
}

/** @throws AgentError `INVALID_INPUT` */
export function readAnswer(answer: Json): Json {
  return copyJson(answer, 'The answer', 'INVALID_INPUT');
}

/** @throws AgentError `INVALID_INPUT` for a version that is neither an index nor an id */
export function readVersion(version: number | string): number | string {
  return readInput(version, indexOrId, 'The version');
}

const indexOrId: Shape = (value, field) => (typeof value === 'string' ? undefined : amount(value, field));

/**
 * Returns a copy of what a person sends.
 *
 * @throws AgentError `INVALID_INPUT` for a message of the wrong shape or without content
 */
export function readChatInput(input: string | ChatInput): ChatInput {
  return checkNotEmpty(readDraft(input));
}

/**
 * Returns a copy of what a person sends, perhaps with files that are added to it.
 *
 * @throws AgentError `INVALID_INPUT` for a message of the wrong shape
 */
export function readDraft(input: string | ChatInput): ChatInput {
  return readInput(typeof input === 'string' ? { content: input } : input, chatInput, 'The message');
}

/** @throws AgentError `INVALID_INPUT` for a message without content */
export function checkNotEmpty<Input extends ChatInput>(input: Input): Input {
  const { content } = input;
  const texts: readonly (string | undefined)[] = typeof content === 'string' ? [content] : content.map(textOf);
  return texts.every((text) => text?.trim() === '') ? fail('INVALID_INPUT', 'The message is empty.') : input;
}

const textOf = (part: Part): string | undefined => (part.type === 'text' ? part.text : undefined);

/**
 * Returns a copy of the options of `send`.
 *
 * @throws AgentError `INVALID_INPUT`
 */
export function readSendOptions(options: SendOptions): SendOptions {
  const { whenBusy = 'refuse', ...run } = readFields(options, 'The options of the message');
  return { ...readRunOptions(run), whenBusy: readInput(whenBusy, whenBusyMode, '`whenBusy`') };
}

const whenBusyMode = oneOf(...(['refuse', 'queue', 'steer', 'interrupt'] satisfies WhenBusy[]));
