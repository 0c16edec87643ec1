import { defined, type JsonObject } from '../core/json.ts';
import { totalInput, type Usage } from '../core/model/message.ts';
import { toCount } from '../core/model/read-json.ts';

/** Returns the tokens of a reply as AG-UI counts them: `inputTokens` includes what was read from and written to a cache. */
export function toTokenUsage(usage: Usage, model: string | undefined): JsonObject {
  const { output, cached = 0, cacheRead = 0, cacheWritten, reasoning } = usage;
  return defined({
    model,
    inputTokens: totalInput(usage),
    outputTokens: output,
    cachedInputTokens: cached + cacheRead || undefined,
    cacheWriteInputTokens: cacheWritten,
    reasoningTokens: reasoning,
  });
}

/** Returns the sum of the tokens of all models that a remote agent used. */
export function fromTokenUsage(counts: readonly JsonObject[]): Usage {
  const sum = (key: string): number | undefined => {
    const known = counts.flatMap((count) => toCount(count[key]) ?? []);
    return known.length === 0 ? undefined : known.reduce((total, count) => total + count);
  };
  const cacheWritten = sum('cacheWriteInputTokens');
  return {
    input: Math.max(0, (sum('inputTokens') ?? 0) - (cacheWritten ?? 0)),
    output: sum('outputTokens') ?? 0,
    ...defined({ cached: sum('cachedInputTokens'), cacheWritten, reasoning: sum('reasoningTokens') }),
  };
}
