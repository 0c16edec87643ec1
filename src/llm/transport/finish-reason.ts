import type { FinishReason } from '../../core/model/message.ts';

/**
 * Maps a wire's own reason to a `FinishReason`.
 *
 * @param raw what the wire states; empty where the wire states nothing
 * @param hasCalls whether the answer requests tool calls. Calls win over `stop`, which some services state for every answer; a reason
 * that names tools is a plain `stop` without them.
 */
export function toFinishReason(raw: string, hasCalls: boolean): FinishReason {
  if (/length|max_tokens|max_output_tokens|context_window/.test(raw)) return 'length';
  if (/filter|sensitive|refusal|safety/i.test(raw)) return 'content-filter';
  if (hasCalls) return 'tool-calls';
  return /^(|stop.*|eos.*|end_turn|completed|.*(tool|function).*)$/.test(raw) ? 'stop' : 'other';
}
