import type { Json } from '../core/json.ts';
import { malformed } from '../llm/transport/stream-errors.ts';

/**
 * Returns a value as JSON text.
 *
 * @throws AgentError `STREAM_MALFORMED` for a value that is nested more deeply than the stack
 */
export function toJsonText(value: Json, host: string): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw malformed(host, 'a value is nested too deeply');
  }
}
