import type { LLMRequest } from '../../core/model/llm.ts';
import { isToolPart, type Message, type Part, toolParts } from '../../core/model/message.ts';
import { partText, resultText } from '../../core/model/tool-result.ts';
import type { Attributes } from './otlp.ts';

/** A part of a message, by gen-ai-input-messages.json of the conventions. */
type GenAIPart =
  | { readonly type: 'text' | 'reasoning'; readonly content: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly arguments: unknown }
  | { readonly type: 'tool_call_response'; readonly id: string; readonly response: string };

/** Returns the texts of a request as attributes. Attachments are named, not contained. */
export function requestTexts(request: LLMRequest | undefined): Attributes {
  if (request === undefined) return {};
  const { messages, tools = [] } = request;
  const instructions = messages
    .filter(({ role }) => role === 'system')
    .flatMap(({ content }) => content.flatMap(toPart));
  const input = messages.filter(({ role }) => role !== 'system').flatMap(toMessages);
  const definitions = tools.map(({ name, description, inputSchema: parameters }) => ({
    type: 'function',
    name,
    description,
    parameters,
  }));
  return {
    'gen_ai.system_instructions': instructions.length > 0 ? JSON.stringify(instructions) : undefined,
    'gen_ai.input.messages': JSON.stringify(input),
    'gen_ai.tool.definitions': definitions.length > 0 ? JSON.stringify(definitions) : undefined,
  };
}

export function answerTexts(answer: Message | undefined): Attributes {
  if (answer === undefined) return {};
  const { role, content, finish = 'unknown' } = answer;
  const parts = content.flatMap(toPart);
  return { 'gen_ai.output.messages': JSON.stringify([{ role, parts, finish_reason: finish }]) };
}

/** Returns a message and, for an answer, the results of its calls. */
function toMessages(message: Message): readonly object[] {
  const { role, content } = message;
  const results = toolParts(message).map((call): GenAIPart => {
    return { type: 'tool_call_response', id: call.callId, response: resultText(call) };
  });
  return [{ role, parts: content.flatMap(toPart) }, ...(results.length > 0 ? [{ role: 'tool', parts: results }] : [])];
}

function toPart(part: Part): readonly GenAIPart[] {
  if (isToolPart(part)) {
    const { callId: id, name, input, inputText } = part;
    return [{ type: 'tool_call', id, name, arguments: input ?? inputText }];
  }
  if (part.type === 'reasoning') return [{ type: 'reasoning', content: part.text }];
  const content = partText(part);
  return content === '' ? [] : [{ type: 'text', content }];
}
