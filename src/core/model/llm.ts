import type { Observable } from 'rxjs';
import type { Json, JsonObject } from '../json.ts';
import type { OutputSpec, ToolSpec } from './settings.ts';
import type { FinishReason, Message, Part, Usage } from './message.ts';

/** One question to a model, the same for every provider. */
export interface LLMRequest {
  readonly sessionId: string;
  /**
   * The conversation, instructions first as `system` messages. Tool parts stand in the assistant message that asked for them,
   * each with its result; the client puts them where its wire wants them.
   */
  readonly messages: readonly Message[];
  /** Id of the message that the run answers: some providers want no reasoning of before it. */
  readonly promptId?: string;
  /** Overrides the client's own model. */
  readonly model?: string;
  readonly tools?: readonly ToolSpec[];
  /** What the answer has to be; without it, text. */
  readonly output?: OutputSpec;
  /** Tokens the answer may have at most. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** Put into the request's body as they are, last: what this provider knows and others do not. Its `tools` come behind the others. */
  readonly providerParams?: JsonObject;
}

/**
 * What comes back, piece by piece. Order on every wire: any mix of `text`, `reasoning`, `call`, `call-end`, `part`, `usage`
 * (the last one counts), then exactly one `finish`, then completion.
 */
export type LLMChunk =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly provider?: Json }
  /** A piece of a call's input. `index` tells the calls of this reply apart: 0, 1, 2 … in the order of their beginning. The first piece has the name. */
  | { readonly type: 'call'; readonly index: number; readonly name?: string; readonly text: string }
  /** The call is whole. `inputText` is all of its pieces joined; `id` is what the provider calls it, if anything. */
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

/**
 * The seam to whoever answers.
 *
 * `sendRequest` is cold: each subscription is one request, unsubscribing aborts it down to the socket. It errors with
 * `AgentError` only, and completes only after `finish`: a stream that closes before its wire's end mark is a
 * `STREAM_INTERRUPTED`, never a success.
 */
export interface LLMClient {
  /** Where its requests go, if that is one place: `https://api.example.com`. */
  readonly origin?: string;
  sendRequest(request: LLMRequest): Observable<LLMChunk>;
}
