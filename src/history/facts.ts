import { defined, isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { FinishReason, Usage } from '../core/model/message.ts';
import { toCount, toObject, toText } from '../core/model/read-json.ts';

/** What a program states about the request that a message answers. */
export interface ReplyFacts {
  readonly model?: string;
  readonly usage?: Usage;
  readonly finish?: FinishReason;
}

/**
 * Returns the tokens of a request, under the names of Anthropic, OpenAI, Ollama, the AI SDK, LobeChat and Codex; `undefined` where there is
 * neither input nor output.
 */
export function toUsage(value: Json | undefined): Usage | undefined {
  if (!isJsonObject(value)) return undefined;
  const into = toObject(value.input_tokens_details ?? value.prompt_tokens_details ?? value.inputTokenDetails);
  const out = toObject(value.output_tokens_details ?? value.completion_tokens_details ?? value.outputTokenDetails);
  const input = toCount(
    value.input_tokens,
    value.prompt_tokens,
    value.prompt_eval_count,
    value.inputTokens,
    value.promptTokens,
    value.totalInputTokens,
    value.input,
  );
  const output = toCount(
    value.output_tokens,
    value.completion_tokens,
    value.eval_count,
    value.outputTokens,
    value.completionTokens,
    value.totalOutputTokens,
    value.output,
  );
  if (input === undefined && output === undefined) return undefined;
  return {
    input: input ?? 0,
    output: output ?? 0,
    ...defined({
      cached: toCount(
        value.cached_input_tokens,
        into.cached_tokens,
        into.cacheReadTokens,
        value.cachedInputTokens,
        value.inputCachedTokens,
        value.cached,
      ),
      reasoning: toCount(
        value.reasoning_output_tokens,
        out.reasoning_tokens,
        out.reasoningTokens,
        value.reasoningTokens,
        value.outputReasoningTokens,
      ),
      cacheRead: toCount(value.cache_read_input_tokens),
      cacheWritten: toCount(value.cache_creation_input_tokens),
    }),
  };
}

const finishes: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool-calls'],
  ['tool_calls', 'tool-calls'],
  ['tool-calls', 'tool-calls'],
  ['pause_turn', 'pause'],
  ['content_filter', 'content-filter'],
  ['content-filter', 'content-filter'],
  ['refusal', 'content-filter'],
]);

/** Returns why a reply ended, by the name of its provider; `undefined` for another name. */
export function toFinish(value: Json | undefined): FinishReason | undefined {
  return finishes.get(toText(value).toLowerCase());
}

/** Returns what a message states under the names of Anthropic and OpenAI. */
export function factsOf({ model, usage, stop_reason: stop, finish_reason: finish }: JsonObject): ReplyFacts {
  return defined({ model: toText(model) || undefined, usage: toUsage(usage), finish: toFinish(stop ?? finish) });
}
