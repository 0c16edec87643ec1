import type { Json, JsonObject } from 'brooklet';
import { isJsonObject } from '../../src/core/json.ts';

/**
 * Returns the problems in the `messages` of a chat completions body, by the rules of the strictest services: every call has one result,
 * in order, directly after its message; no result without its call; no empty message; a user message before the first assistant message.
 */
export function problemsOfChatBody(body: JsonObject): readonly string[] {
  const messages: readonly Json[] = Array.isArray(body.messages) ? body.messages : [];
  const problems: string[] = [];
  let awaited: string[] = [];
  let hasUserMessage = false;
  for (const [index, message] of messages.entries()) {
    if (!isJsonObject(message)) return [`${index} is no object`];
    const problem = (text: string): number =>
      problems.push(`message ${index} (${JSON.stringify(message.role)}) ${text}`);
    if (message.role === 'tool') {
      const expected = awaited.shift();
      if (message.tool_call_id !== expected)
        problem(`answers ${JSON.stringify(message.tool_call_id)}, not ${expected}`);
      if (typeof message.content !== 'string' || message.content === '') problem('has an empty result');
      continue;
    }
    if (awaited.length > 0) problem(`is between a call and its result: ${awaited.join(', ')}`);
    const calls: readonly Json[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    awaited = calls.map((call) => (isJsonObject(call) && typeof call.id === 'string' ? call.id : ''));
    if (new Set(awaited).size !== awaited.length || awaited.includes('')) problem('has calls without ids of their own');
    for (const call of calls) {
      const called = isJsonObject(call) && isJsonObject(call.function) ? call.function : {};
      if (typeof called.name !== 'string' || called.name === '') problem('has a call without a name');
      try {
        if (!isJsonObject(JSON.parse(typeof called.arguments === 'string' ? called.arguments : '')))
          problem('has a call whose arguments are no object');
      } catch {
        problem('has a call whose arguments are no JSON');
      }
    }
    const { content } = message;
    const isEmpty =
      content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0);
    if (isEmpty && calls.length === 0) problem('is empty');
    if (message.role === 'user') hasUserMessage = true;
    if (message.role === 'assistant' && !hasUserMessage) problem('comes before any user message');
  }
  if (awaited.length > 0) problems.push(`no result for ${awaited.join(', ')}`);
  const last = messages.at(-1);
  if (isJsonObject(last) && last.role === 'assistant') problems.push('ends with the assistant’s own words');
  return problems;
}
