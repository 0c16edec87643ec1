import type { Json, JsonObject } from '../core/json.ts';

/** A message as the AI SDK (5 to 7) and component libraries made for it read it: assignable to its `UIMessage`. */
export interface UIMessage {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly metadata?: JsonObject;
  // Mutable, because `UIMessage` of the AI SDK is.
  parts: UIPart[];
}

/** One part of a `UIMessage`. */
export type UIPart =
  | { readonly type: 'text'; readonly text: string; readonly state?: 'streaming' | 'done' }
  | { readonly type: 'reasoning'; readonly text: string; readonly state?: 'streaming' | 'done' }
  | { readonly type: 'file'; readonly mediaType: string; readonly url: string; readonly filename?: string }
  | { readonly type: 'source-url'; readonly sourceId: string; readonly url: string; readonly title?: string }
  | { readonly type: 'step-start' }
  | { readonly type: 'data-provider'; readonly data: { readonly name: string; readonly data: Json } }
  | UIToolPart;

/** A tool call. */
export type UIToolPart = {
  readonly type: `tool-${string}`;
  readonly toolCallId: string;
  readonly title?: string;
} & (
  | { readonly state: 'input-streaming'; readonly input: JsonObject | undefined }
  | { readonly state: 'input-available'; readonly input: JsonObject }
  | { readonly state: 'approval-requested'; readonly input: JsonObject; readonly approval: { readonly id: string } }
  | {
      readonly state: 'approval-responded';
      readonly input: JsonObject;
      readonly approval: { readonly id: string; readonly approved: boolean; readonly reason?: string };
    }
  | {
      readonly state: 'output-available';
      readonly input: JsonObject;
      readonly output: Json;
      readonly approval?: { readonly id: string; readonly approved: true; readonly reason?: string };
    }
  | {
      readonly state: 'output-error';
      readonly input: JsonObject | undefined;
      /** The text of an input that is not a JSON object. */
      readonly rawInput?: string;
      readonly errorText: string;
      readonly approval?: { readonly id: string; readonly approved: true; readonly reason?: string };
    }
  | {
      readonly state: 'output-denied';
      readonly input: JsonObject;
      readonly approval: { readonly id: string; readonly approved: false; readonly reason?: string };
    }
);
