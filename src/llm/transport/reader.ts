import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { LLMChunk } from '../../core/model/llm.ts';
import { toList } from '../../core/model/read-json.ts';

/**
 * One wire's reading of one answer: JSON in, chunks out, synchronous, no I/O. It reads what fetch, an SDK or a test passes to it.
 * Both methods throw AgentError, or what `refuse` returns; chunks that were emitted before stay valid.
 */
export interface Reader {
  /** Reads one document of the answer. `event` is the name of its server-sent event, if there is one. */
  read(json: JsonObject, event?: string): void;
  /**
   * No more will come: emits what was held back, and `finish`. `marked`: the wire said so itself; without that, and without a
   * finish reason, it throws `STREAM_INTERRUPTED`. Calling it again does nothing.
   */
  end(marked: boolean): void;
  /** Whether the answer is complete, though more (usage, say) may follow. */
  readonly complete: boolean;
}

/** Beyond them `STREAM_TOO_LARGE`. */
export interface CallLimits {
  /** Calls that one answer may ask for. Default 128. */
  readonly calls: number;
  /** Characters that one call's name and input may have. Default 1 MB. */
  readonly call: number;
}

export interface ReaderOptions {
  /** Who answers, for messages. */
  readonly host: string;
  readonly emit: (chunk: LLMChunk) => void;
  readonly limits?: Partial<CallLimits> | undefined;
  /** What to throw where the service says that it breaks off, and why. */
  readonly refuse: (said: Json) => Error;
}

/** A JSON object, also where it came as the only item of a list (Google's errors). */
export function toDocument(text: string): JsonObject | undefined {
  const json = parseJson(text);
  const only = isJsonObject(json) ? json : toList(json)[0];
  return isJsonObject(only) ? only : undefined;
}
