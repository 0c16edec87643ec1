import { isJsonObject, type Json, type JsonObject, toJson } from '../../core/json.ts';
import { toObject, toText } from '../../core/model/read-json.ts';
import { interfaceKey } from '../../core/model/interface-of.ts';
import type { Message } from '../../core/model/message.ts';
import { originOf } from '../../core/model/origin.ts';

/** A call that the interface of a tool asked for: what the metadata of its message contain. */
export interface AppCall {
  /** Unique. */
  readonly id: string;
  /** `callId` of the call whose interface asked. */
  readonly view: string;
  /** Name of the tool, as the agent knows it. */
  readonly tool: string;
  readonly input: JsonObject;
}

/** What an interface reported to the model about its state: what the metadata of its message contain. */
export interface AppContext {
  /** `callId` of the call whose interface it is. */
  readonly view: string;
  readonly content?: Json | undefined;
  readonly structuredContent?: Json | undefined;
}

/** Returns the metadata of a message that an interface asked for. */
export function toMetadata(value: AppCall | { readonly view: string } | { readonly context: AppContext }): JsonObject {
  return { [interfaceKey]: toJson(value) };
}

/** Returns the call that a message asks for; `undefined` unless `mountMCPApp` has sent the message, here or in an earlier page of this store. */
export function readAppCall(message: Message): AppCall | undefined {
  const { id, view, tool, input } = toObject(message.metadata?.[interfaceKey]);
  const isCall =
    message.origin?.type === 'interface' &&
    message.origin.callId === toText(view) &&
    toText(id) !== '' &&
    toText(tool) !== '' &&
    isJsonObject(input);
  return isCall ? { id: toText(id), view: toText(view), tool: toText(tool), input } : undefined;
}

/** Returns what an interface has reported to the model; `undefined` for any other message. */
export function readAppContext(message: Message): AppContext | undefined {
  const { context } = toObject(message.metadata?.[interfaceKey]);
  if (!isJsonObject(context) || message.origin?.type !== 'interface' || message.origin.callId !== toText(context.view))
    return undefined;
  return { view: toText(context.view), content: context.content, structuredContent: context.structuredContent };
}

/** Whether a message comes from the interface of a tool, and not from the person: `holdAfterUntrusted` counts it as untrusted by itself. */
export function isFromMCPApp(message: Message): boolean {
  return originOf(message).type === 'interface';
}
