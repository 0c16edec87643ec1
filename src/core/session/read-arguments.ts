import { named, type OptionNames } from '../model/shapes/named.ts';
import { fail } from '../error.ts';
import type { Json } from '../json.ts';
import { copyJson } from '../model/copy-json.ts';
import type { Part } from '../model/message.ts';
import { string } from '../model/shapes/fields.ts';
import { chatInput, decisionInput } from '../model/shapes/input-shape.ts';
import { readFields, readInput } from '../model/shapes/read-input.ts';
import { amount, oneOf, type Shape } from '../model/shapes/shape.ts';
import { readRunOptions, runNames } from './run-settings.ts';
import type { AnswerOptions, ApproveOptions, ChatInput, RejectOptions, SendOptions, WhenBusy } from './session.ts';

// The check of the arguments of the verbs. Invariant: what a verb is given is copied and checked within the call, once, before anything is awaited.

export const sendNames: OptionNames<SendOptions> = { ...runNames, whenBusy: true };

const answerNames: OptionNames<AnswerOptions> = { userName: true, fingerprint: true, drive: true };
const decisionNames: {
  readonly approve: OptionNames<ApproveOptions>;
  readonly reject: OptionNames<RejectOptions>;
  readonly answer: OptionNames<AnswerOptions>;
} = {
  approve: { ...answerNames, remember: true, input: true },
  reject: { ...answerNames, remember: true, reason: true },
  answer: answerNames,
};

/** The options of a decision on a call, of all three verbs. */
export type DecisionInput = ApproveOptions & RejectOptions;

/** @throws AgentError `INVALID_INPUT` */
export function readId(id: string, what: string): string {
  return readInput(id, string, what);
}

/** @throws AgentError `INVALID_INPUT`, and `INVALID_CONFIG` for an option that the verb does not have */
export function readDecision(options: DecisionInput, verb: keyof typeof decisionNames): DecisionInput {
  named<AnswerOptions>(options, decisionNames[verb], verb, 'INVALID_INPUT');
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
export function readSendOptions(options: SendOptions, owner = 'send'): SendOptions {
  const fields = readFields(options, 'The options of the message');
  const { whenBusy = 'refuse', ...run } = named(fields, sendNames, owner);
  return { ...readRunOptions(run, owner), whenBusy: readInput(whenBusy, whenBusyMode, '`whenBusy`') };
}

const whenBusyMode = oneOf(...(['refuse', 'queue', 'steer', 'interrupt'] satisfies WhenBusy[]));
