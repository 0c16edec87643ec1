import type { Observable } from 'rxjs';
import type { Json, JsonObject } from '../json.ts';
import type { OutputSpec, ToolChoice, ToolSpec } from './settings.ts';
import type { FinishReason, Message, Part, Usage } from './message.ts';

/** One request to a model, in the same form for every provider. */
export interface LLMRequest {
  readonly sessionId: string;
  /**
   * The conversation, with the instructions first as `system` messages. A tool part is in the assistant message that requested the call, and
   * contains its result; the client moves results to where its wire format requires them.
   */
  readonly messages: readonly Message[];
  /** Id of the message that the run answers: some providers refuse reasoning from before that message. */
  readonly promptId?: string;
  /** Overrides the model of the client. */
  readonly model?: string;
  readonly tools?: readonly ToolSpec[];
  /** Has no effect without `tools`. Default `auto`. */
  readonly toolChoice?: ToolChoice;
  /** Schema of the answer. Without a schema the answer is text. */
  readonly output?: OutputSpec;
  /** Maximum tokens of the answer. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** Fields of one provider, merged unchanged and last into the body of the request. Their `tools` follow those of the request. */
  readonly providerParams?: JsonObject;
}

/**
 * A chunk of a response. Order on every wire: `text`, `reasoning`, `call`, `call-end`, `part` and `usage` (the last one counts) in any
 * order, then exactly one `finish`, then completion.
 */
export type LLMChunk =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly provider?: Json }
  /** A piece of a call's input. `index` is the number of the call in this reply, from 0 in order of start. The first piece has the name. */
  | { readonly type: 'call'; readonly index: number; readonly name?: string; readonly text: string }
  /** A complete call. `inputText` is all its pieces joined; `id` is the provider's id, if there is one. */
  | {
      readonly type: 'call-end';
      readonly index: number;
      readonly id?: string;
      readonly name: string;
      readonly inputText: string;
      readonly provider?: Json;
    }
  | { readonly type: 'part'; readonly part: Part }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly raw?: string; readonly model?: string };

/** Returns the key for an origin. `Vault.keyFor` makes one. */
export interface KeyFunction {
  (origin: string): string | Promise<string>;
  /** Emits whether the key is locked: the present value on subscription, then each change. See `LLMClient.locked$`. */
  readonly locked$?: Observable<boolean>;
}

/**
 * The interface to a model. Implementations wrap a provider's API, a model in the browser, or another client.
 *
 * `sendRequest` is cold: each subscription sends one request, and unsubscribing aborts the request down to the socket. The stream errors
 * with `AgentError` only, and completes only after `finish`: a response that closes before the end mark of its wire format errors with
 * `STREAM_INTERRUPTED`.
 */
export interface LLMClient {
  /** Origin of the requests, `https://api.example.com`; missing for a client with several origins or none. */
  readonly origin?: string;
  /**
   * Emits whether the key of the client is locked: the present value on subscription, then each change. A planned prompt (`Agent.schedule`) waits
   * while it is. A message of a person is sent all the same, since the request may ask the person to unlock the key. Missing: never locked.
   */
  readonly locked$?: Observable<boolean>;
  sendRequest(request: LLMRequest): Observable<LLMChunk>;
}
