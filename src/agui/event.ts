import type { Json, JsonObject } from '../core/json.ts';

// The part of AG-UI 1.0 that the package uses, by the names of its specification: https://docs.ag-ui.com

/** A part of a user message or of a tool's result. */
export type AGUIPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'audio' | 'document';
      readonly source:
        | { readonly type: 'data'; readonly value: string; readonly mimeType: string }
        | { readonly type: 'url'; readonly value: string; readonly mimeType?: string };
    };

/** A tool call as AG-UI writes it. A type alias, like all of these: TypeScript does not accept an interface as JSON. */
export type AGUIToolCall = {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is JSON text. */
  readonly function: { readonly name: string; readonly arguments: string };
  readonly encryptedValue?: string;
};

/** A message as AG-UI writes it, by role. */
export type AGUIMessage =
  | { readonly id: string; readonly role: 'system'; readonly content: string }
  | { readonly id: string; readonly role: 'user'; readonly content: string | readonly AGUIPart[] }
  | {
      readonly id: string;
      readonly role: 'assistant';
      readonly content?: string;
      readonly toolCalls?: readonly AGUIToolCall[];
    }
  | { readonly id: string; readonly role: 'reasoning'; readonly content: string; readonly encryptedValue: string }
  | {
      readonly id: string;
      readonly role: 'tool';
      readonly toolCallId: string;
      readonly content: string | readonly AGUIPart[];
      readonly error?: string;
    };

/** What a run waits for: the decision of a person on a call. */
export type AGUIInterrupt = {
  /** Id of the call. */
  readonly id: string;
  /** `tool_call` for an approval, `input_required` for an elicitation. */
  readonly reason: 'tool_call' | 'input_required';
  readonly message: string;
  readonly toolCallId: string;
  /** JSON Schema of the `payload` of the answer. */
  readonly responseSchema: JsonObject;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** `fingerprint`: see `fingerprintOf`. */
  readonly metadata: { readonly fingerprint: string };
};

/** How a run ended, where it did not fail. */
export type AGUIOutcome =
  | { readonly type: 'success' | 'cancelled' }
  | { readonly type: 'interrupt'; readonly interrupts: readonly AGUIInterrupt[] };

/** The events of a run, in order. `timestamp`: ms since the epoch. */
export type AGUIEvent = { readonly timestamp: number } & (
  | { readonly type: 'RUN_STARTED'; readonly threadId: string; readonly runId: string; readonly parentRunId?: string }
  | {
      readonly type: 'RUN_FINISHED';
      readonly threadId: string;
      readonly runId: string;
      readonly outcome: AGUIOutcome;
      readonly result?: JsonObject;
      readonly usage?: readonly JsonObject[];
    }
  | {
      readonly type: 'RUN_ERROR';
      readonly message: string;
      readonly code: string;
      readonly usage?: readonly JsonObject[];
    }
  | { readonly type: 'STEP_STARTED'; readonly stepName: string }
  | { readonly type: 'STEP_FINISHED'; readonly stepName: string }
  | { readonly type: 'STATE_SNAPSHOT'; readonly snapshot: JsonObject }
  /** `delta` is a JSON Patch (RFC 6902). */
  | { readonly type: 'STATE_DELTA'; readonly delta: readonly JsonObject[] }
  | { readonly type: 'MESSAGES_SNAPSHOT'; readonly messages: readonly AGUIMessage[] }
  | { readonly type: 'TEXT_MESSAGE_START'; readonly messageId: string; readonly role: 'assistant' }
  | { readonly type: 'TEXT_MESSAGE_CONTENT'; readonly messageId: string; readonly delta: string }
  | { readonly type: 'TEXT_MESSAGE_END'; readonly messageId: string }
  | { readonly type: 'REASONING_START'; readonly messageId: string }
  | { readonly type: 'REASONING_MESSAGE_START'; readonly messageId: string; readonly role: 'reasoning' }
  | { readonly type: 'REASONING_MESSAGE_CONTENT'; readonly messageId: string; readonly delta: string }
  | { readonly type: 'REASONING_MESSAGE_END'; readonly messageId: string }
  | { readonly type: 'REASONING_END'; readonly messageId: string }
  | {
      readonly type: 'TOOL_CALL_START';
      readonly toolCallId: string;
      readonly toolCallName: string;
      readonly parentMessageId: string;
    }
  | { readonly type: 'TOOL_CALL_ARGS'; readonly toolCallId: string; readonly delta: string }
  | { readonly type: 'TOOL_CALL_END'; readonly toolCallId: string }
  | {
      readonly type: 'TOOL_CALL_RESULT';
      readonly messageId: string;
      readonly toolCallId: string;
      readonly role: 'tool';
      readonly content: string;
    }
  | { readonly type: 'CUSTOM'; readonly name: `brooklet.${string}`; readonly value: Json }
);
