import { isJsonObject, parseJson, type Json } from '../core/json.ts';
import type { Part, ToolPart } from '../core/model/message.ts';

/** A call of another program, before it has an id here. */
export type ForeignCall = Omit<ToolPart, 'type' | 'callId'>;

/** The result of a call of another program. */
export interface ForeignResult {
  readonly output: Json | readonly Part[];
  readonly isError: boolean;
}

/** Returns a call without a result. */
export function openCall(
  name: string,
  input: Json | undefined,
  text: string = JSON.stringify(input ?? {}),
): ForeignCall {
  return { name, status: 'cancelled', inputText: text, ...(isJsonObject(input) && { input }) };
}

/** Returns a call whose input is a text: JSON, or anything else, which becomes the only field of the input. */
export function textCall(name: string, text: string, field: string): ForeignCall {
  const input = parseJson(text);
  return isJsonObject(input) ? openCall(name, input, text) : openCall(name, { [field]: text });
}

/** Returns a call with its result. */
export function endedCall(call: ForeignCall, { output, isError }: ForeignResult): ForeignCall {
  return { ...call, status: isError ? 'failed' : 'succeeded', output, isError };
}
