import { foreignSchema } from '../core/tools/foreign-schema.ts';
import { defined, isJsonObject, type Json, type JsonObject, parseJson } from '../core/json.ts';
import { type Message, type ToolPart, toolParts } from '../core/model/message.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import { toPatch } from './json-patch.ts';
import { interruptTool, type RemoteCall } from './messages.ts';

/** Returns the input of the call for an interrupt: the interrupt, with the call of the remote tool that it concerns. */
export function toInterruptInput(interrupt: JsonObject, call: RemoteCall | undefined): JsonObject {
  const { id, reason, message, toolCallId, responseSchema, expiresAt, metadata } = interrupt;
  const input = call && parseJson(call.input);
  return defined({
    id,
    reason: toText(reason),
    message,
    tool: call?.name,
    // A person approves what is shown: an input that is not a JSON object is shown as text.
    ...(isJsonObject(input) ? { input } : { inputText: call?.input }),
    toolCallId,
    responseSchema,
    expiresAt,
    metadata,
  });
}

/** How the answer to an interrupt is written: the person approves (a boolean, or an object with `approved`), or gives an answer. */
type AnswerKind = 'boolean' | 'approved' | 'answer';

function kindOf({ reason, responseSchema }: JsonObject): AnswerKind {
  if (!isJsonObject(responseSchema))
    return reason === 'confirmation' ? 'boolean' : reason === 'tool_call' ? 'approved' : 'answer';
  if (responseSchema.type === 'boolean') return 'boolean';
  const onlyApproval = toList(responseSchema.required).every((name) => name === 'approved');
  return onlyApproval && hasProperty(responseSchema, 'approved') ? 'approved' : 'answer';
}

function hasProperty({ properties }: JsonObject, name: string): boolean {
  return isJsonObject(properties) && Object.hasOwn(properties, name);
}

/** Returns the JSON Schema of the answer, `undefined` for an approval. */
export function toElicitation(interrupt: JsonObject): JsonObject | undefined {
  if (kindOf(interrupt) !== 'answer') return undefined;
  const { reason, message, responseSchema } = interrupt;
  return {
    ...foreignSchema(toObject(responseSchema)),
    title: toText(message) || 'The remote agent needs an answer.',
    description: `Asked by the remote agent (${toText(reason)}).`,
  };
}

/** Returns the `payload` of the answer to an interrupt that a person approved or answered. */
export function toPayload({ input = {}, editedInput }: ToolPart, answer: Json | undefined): Json {
  const kind = kindOf(input);
  if (kind === 'answer') return answer ?? null;
  const changes = editedInput ? toPatch(input, editedInput) : [];
  // Invariant: the agent never runs something else than what the person approved.
  const acceptsArguments = hasProperty(toObject(input.responseSchema), 'editedArgs');
  if (!changes.every(({ path }) => acceptsArguments && path === '/input'))
    throw new Error(
      'Not approved: the remote agent accepts no such change of its call. It was notified that the question is cancelled.',
    );
  if (kind === 'boolean') return true;
  return changes.length > 0 ? { approved: true, editedArgs: editedInput?.input ?? {} } : { approved: true };
}

/** Returns the answers to the interrupts that ended the last run of the remote agent: `resume` of the next one. */
export function toResume(messages: readonly Message[]): readonly JsonObject[] {
  const last = messages.findLast(({ role }) => role === 'assistant');
  return last ? toolParts(last).filter(isInterrupt).map(toEntry) : [];
}

function isInterrupt({ name }: ToolPart): boolean {
  return name === interruptTool;
}

function toEntry(call: ToolPart): JsonObject {
  const { input = {}, status, approval } = call;
  const { id: interruptId } = input;
  if (status === 'succeeded') return { interruptId, status: 'resolved', payload: toPayload(call, approval?.answer) };
  const kind = kindOf(input);
  if (status !== 'rejected' || kind === 'answer') return { interruptId, status: 'cancelled' };
  // The protocol has no status for a denial: it is an answer.
  return { interruptId, status: 'resolved', payload: kind === 'boolean' ? false : { approved: false } };
}
