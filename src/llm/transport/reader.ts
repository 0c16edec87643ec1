import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { LLMChunk } from '../../core/model/llm.ts';
import { toList } from '../../core/model/read-json.ts';

/**
 * One wire's understanding of one answer: JSON in, chunks out, no I/O. It takes what fetch, an SDK or a test hands it.
 * Both methods throw AgentError, or what `refuse` gives; what was emitted before stays valid.
 */
export interface Reader {
  /**
   * One document of the answer. `event` is the name it came under, if any. Where a part of the package has to be loaded to understand it,
   * a promise, which rejects as `read` throws, and with AgentError `NETWORK_ERROR` where the part cannot be had. The rest waits its turn.
   */
  read(json: JsonObject, event?: string): void | Promise<void>;
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
