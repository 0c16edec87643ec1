import type { LLMRequest } from 'brooklet';
import type { ToolChoice } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/core/json.ts';
import { toObject } from '../../../src/core/model/read-json.ts';
import { toAnthropicBody } from '../../../src/llm/wires/anthropic/request.ts';
import { toChatBody } from '../../../src/llm/wires/chat-completions/request.ts';
import { toResponsesBody } from '../../../src/llm/wires/responses/request.ts';

const tools = [{ name: 'look.up', description: 'Looks.', inputSchema: { type: 'object' } }];
const defaults = { model: 'm', maxTokens: 9, cache: false };

function choicesOf(more: Partial<LLMRequest>): readonly unknown[] {
  const request: LLMRequest = { sessionId: 's', messages: [], ...more };
  const bodies = [
    toChatBody(request, 'm', {}),
    toResponsesBody(request, { model: 'm' }),
    toAnthropicBody(request, defaults),
  ];
  return bodies.map((body) => toObject(parseJson(JSON.stringify(body))).tool_choice);
}

describe('the tool choice of a request, on chat completions, Responses and Messages,', () => {
  test.each<[ToolChoice, readonly unknown[]]>([
    ['auto', ['auto', 'auto', { type: 'auto' }]],
    ['none', ['none', 'none', { type: 'none' }]],
    ['required', ['required', 'required', { type: 'any' }]],
    [
      { name: 'look.up' },
      [
        { type: 'function', function: { name: 'look_up' } },
        { type: 'function', name: 'look_up' },
        { type: 'tool', name: 'look_up' },
      ],
    ],
  ])('%o has the form of each wire', (toolChoice, expected) => {
    expect(choicesOf({ tools, toolChoice })).toEqual(expected);
  });

  test('is missing without a choice, and without tools: services refuse a choice among none', () => {
    expect(choicesOf({ tools })).toEqual([undefined, undefined, undefined]);
    expect(choicesOf({ toolChoice: 'required' })).toEqual([undefined, undefined, undefined]);
  });

  test("is replaced by that of the caller's providerParams", () => {
    const providerParams = { tool_choice: 'own' };
    expect(choicesOf({ tools, toolChoice: 'none', providerParams })).toEqual(['own', 'own', 'own']);
  });
});
