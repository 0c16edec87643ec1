import { isJsonObject, type Json } from '../../../core/json.ts';
import type { ToolPart } from '../../../core/model/message.ts';

/** A call of another program, before it has an id here. */
export type ForeignCall = Omit<ToolPart, 'type' | 'callId'>;

/** Returns a call without a result. */
export function openCall(
  name: string,
  input: Json | undefined,
  text: string = JSON.stringify(input ?? {}),
): ForeignCall {
  return { name, status: 'cancelled', inputText: text, ...(isJsonObject(input) && { input }) };
}
