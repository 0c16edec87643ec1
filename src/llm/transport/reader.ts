import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { LLMChunk } from '../../core/model/llm.ts';
import { toList } from '../../core/model/read-json.ts';

/** What ended a body: the mark `[DONE]`, the connection, or one JSON document that was the whole body. */
export type BodyEnd = '[DONE]' | 'close' | 'document';

/**
 * One wire's reading of one answer: JSON in, chunks out, synchronous, no I/O. A reader reads what fetch, an SDK or a test passes to it.
 * Both methods throw AgentError, or what `toError` returns; chunks that were emitted before stay valid.
 */
export interface Reader {
  /** Reads one document of the answer. `event` is the name of its server-sent event, if there is one. */
  read(json: JsonObject, event?: string): void;
  /**
   * No more documents will follow: emits what was buffered, and `finish`. A second call does nothing.
   *
   * Invariant: only the end mark of the wire itself ends an answer. Without the mark the reader throws `STREAM_INTERRUPTED`, or
   * `STREAM_MALFORMED` for a document. `[DONE]` is the mark of chat completions alone: relays write it after any upstream end.
   */
  end(by: BodyEnd): void;
  /** Whether the answer is complete, though more (usage, for example) may follow. */
  readonly complete: boolean;
}

/** Limits of the tool calls in an answer. An answer beyond a limit errors with `STREAM_TOO_LARGE`. */
export interface CallLimits {
  /** Calls in one answer. Default 128. */
  readonly calls: number;
  /** Characters of one call's name and input. Default 1 MB. */
  readonly call: number;
}

export interface ReaderOptions {
  /** The host of the service, for messages. */
  readonly host: string;
  readonly emit: (chunk: LLMChunk) => void;
  readonly limits?: Partial<CallLimits> | undefined;
  /** Names of the tools of the request, as the wire has them; missing where they are not known. */
  readonly tools?: ReadonlySet<string> | undefined;
  /** Returns the error to throw where the service reports an error within the answer. */
  readonly toError: (body: Json) => Error;
}

/** Parses a JSON object, also one that is the only item of a list (Google's errors). */
export function toDocument(text: string): JsonObject | undefined {
  const json = parseJson(text);
  const only = isJsonObject(json) ? json : toList(json)[0];
  return isJsonObject(only) ? only : undefined;
}
