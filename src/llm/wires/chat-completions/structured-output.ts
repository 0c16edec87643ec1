import type { JsonObject } from '../../../core/json.ts';
import { extractTextContent, type Message } from '../../../core/model/message.ts';
import type { OutputSpec } from '../../../core/model/settings.ts';
import type { ChatCompat } from './compat.ts';

/** Returns the `response_format` of a request: the schema, JSON of any kind, or nothing, by what the service supports. */
export function toResponseFormat(
  { name, schema, strict }: OutputSpec,
  format: NonNullable<ChatCompat['structuredOutput']>,
): JsonObject | undefined {
  if (format === 'none') return undefined;
  return format === 'json_object'
    ? { type: 'json_object' }
    : { type: 'json_schema', json_schema: { name, schema, strict } };
}

/**
 * Returns the messages with the schema as text at the end of the instructions, for a service that accepts no schema. The result has at
 * most one leading system message: some servers ignore a second one.
 */
export function withSchemaInWords(messages: readonly Message[], { schema }: OutputSpec): readonly Message[] {
  const instruction = `Answer with one JSON object and nothing else, without a code fence. It must fit this JSON Schema: ${JSON.stringify(schema)}`;
  const lead = messages[0]?.role === 'system' ? messages[0] : undefined;
  const text = [...(lead ? [extractTextContent(lead)] : []), instruction].join('\n\n');
  return [{ id: '', role: 'system', content: [{ type: 'text', text }], timestamp: 0 }, ...messages.slice(lead ? 1 : 0)];
}
