import type { FinishReason } from '../../core/model/message.ts';

/**
 * What the reasons of all wires mean, by the words inside them. Gateways pass the reasons of other wires on, in capitals and with prefixes:
 * `MAX_TOKENS` (Gemini), `model_length` (Mistral), `guardrail_intervened` (Bedrock), `ERROR_TOXIC` (Cohere). The first row that fits counts:
 * a reason that names a failure is a failure, whatever other words it contains.
 */
const meanings: readonly (readonly [FinishReason | 'failure', RegExp])[] = [
  // Gemini's compatible endpoint: `function_call_filter: MALFORMED_FUNCTION_CALL`. It filtered no content.
  ['failure', /malformed|function_call_filter|unexpected_tool|too_many_tool|missing_thought/],
  ['length', /length|max_([a-z]+_)?tokens|token_limit|error_limit|context_window|truncated/],
  [
    'content-filter',
    /filter|sensitive|refus|safety|prohibited|recitation|block|spii|guardrail|toxic|moderat|content_policy/,
  ],
  ['failure', /error|insufficient|invalid|fail|abort|cancel|timeout|overload/],
  ['stop', /^(|stop.*|eos.*|end.*|complete.*|finished|done|.*(tool|function).*)$/],
];

/**
 * Maps a wire's own reason to a `FinishReason`.
 *
 * @param raw what the wire states; empty where the wire states nothing. Not a failure: see `isFailure`.
 * @param hasCalls whether the answer requests tool calls. Calls win over `stop`, which some services state for every answer; a reason
 * that names tools is a plain `stop` without them.
 */
export function toFinishReason(raw: string, hasCalls: boolean): FinishReason {
  const meaning = meaningOf(raw);
  if (meaning === 'length' || meaning === 'content-filter') return meaning;
  if (hasCalls) return 'tool-calls';
  return meaning === 'stop' ? 'stop' : 'other';
}

/** Whether a wire's reason states that the model or the service failed: the answer does not count, and none of its calls may run. */
export function isFailure(raw: string): boolean {
  return meaningOf(raw) === 'failure';
}

/** Returns what a service would report as the error for a reason that is a failure. */
export function toFailure(raw: string): { readonly error: { readonly code?: string; readonly message: string } } {
  return {
    error: {
      ...(/malformed|function_call_filter|unexpected_tool/i.test(raw) && { code: 'tool_use_failed' }),
      message: raw,
    },
  };
}

function meaningOf(raw: string): FinishReason | 'failure' {
  const words = raw
    .toLowerCase()
    .replace(/^finish_?reason[._]/, '')
    .replace(/[^a-z]+/g, '_');
  return meanings.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other';
}
