import type { JsonObject } from '../../../core/json.ts';
import type { Usage } from '../../../core/model/message.ts';
import { toCount, toObject } from '../../../core/model/read-json.ts';

/**
 * Maps the usage of a language model. All versions count cached tokens as a part of the input; where tokens were written to a cache, the
 * provider counts and charges them apart, and so does the result.
 *
 * @returns `undefined` where the input was not counted
 */
export function toUsage({ inputTokens, outputTokens, ...v2 }: JsonObject): Usage | undefined {
  const input = toObject(inputTokens);
  const output = toObject(outputTokens);
  const total = toCount(input.total, inputTokens);
  if (total === undefined) return undefined;
  const answered = toCount(output.total, outputTokens) ?? 0;
  const reasoning = toCount(output.reasoning, v2.reasoningTokens);
  const cached = toCount(input.cacheRead, v2.cachedInputTokens);
  const written = toCount(input.cacheWrite);
  // As a part of the output the number would be wrong.
  const thought = reasoning !== undefined && reasoning <= answered ? { reasoning } : {};
  if (written === undefined && (cached ?? 0) <= total)
    return { input: total, output: answered, ...(cached !== undefined && { cached }), ...thought };
  const read = cached ?? 0;
  const fresh = toCount(input.noCache, total - read - (written ?? 0)) ?? total;
  return {
    input: fresh,
    output: answered,
    ...(read > 0 && { cacheRead: read }),
    ...(written !== undefined && written > 0 && { cacheWritten: written }),
    ...(thought.reasoning !== undefined && thought.reasoning > 0 && thought),
  };
}
