import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../../src/core/json.ts';
import type { LLMRequest } from '../../../src/core/model/llm.ts';
import { defineOutput } from '../../../src/llm/output/output.ts';
import { toAnthropicBody } from '../../../src/llm/wires/anthropic/request.ts';
import { toChatBody } from '../../../src/llm/wires/chat-completions/request.ts';

const address = { type: 'object', properties: { s: { type: 'string' } }, required: ['s'] };

/** Returns why OpenAI refuses a strict schema ("Structured outputs: supported schemas"; openai/openai-node#1100 for `$ref`). */
function strictProblem(schema: Json | undefined, root: JsonObject): string | undefined {
  if (!isJsonObject(schema)) return 'no schema';
  const { type, $ref, anyOf, properties = {}, required = [], items, $defs = {} } = schema;
  if ($ref !== undefined) {
    const name = JSON.stringify($ref).replace('#/$defs/', '').replaceAll('"', '');
    if (Object.keys(schema).length > 1) return `$ref cannot have keywords ${Object.keys(schema).join()}`;
    return isJsonObject(root.$defs) && Object.hasOwn(root.$defs, name) ? undefined : `${name} was not found`;
  }
  if (type === undefined && anyOf === undefined) return "schema must have a 'type' key";
  if ([type].flat().includes('object')) {
    if (schema.additionalProperties !== false) return 'additionalProperties must be false';
    if (Object.keys(properties as object).join() !== (required as string[]).join())
      return 'required must list every key';
  }
  if ([type].flat().includes('array') && items === undefined) return 'array schema missing items';
  const parts = [
    ...Object.values(properties as object),
    ...Object.values($defs as object),
    ...((anyOf ?? []) as Json[]),
  ];
  return [...parts, ...(items === undefined ? [] : [items])].map((one: Json) => strictProblem(one, root)).find(Boolean);
}

/** Returns why Anthropic refuses a schema ("Structured outputs: JSON Schema limitations"). */
function anthropicProblem(schema: Json | undefined): string | undefined {
  if (Array.isArray(schema)) return schema.map((one: Json) => anthropicProblem(one)).find(Boolean);
  if (!isJsonObject(schema)) return undefined;
  if ([schema.type].flat().includes('object') && schema.additionalProperties !== false)
    return 'additionalProperties must be explicitly set to false';
  return anthropicProblem(Object.values(schema) as Json[]);
}

function sent(schema: z.ZodType<object> | JsonObject) {
  const output = defineOutput({ name: 'o', schema });
  const request: LLMRequest = {
    sessionId: 's',
    messages: [{ id: 'm', role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 0 }],
    output,
  };
  const anthropic = toAnthropicBody(request, { model: 'm', maxTokens: 1, cache: false });
  return { output, chat: toChatBody(request, 'm', {}), anthropic };
}

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});

const cases: [string, z.ZodType<object> | JsonObject, isStrict: boolean, isInWords: boolean][] = [
  [
    'a $ref with words',
    object(
      { home: { $ref: '#/$defs/Addr', description: 'where' }, work: { $ref: '#/$defs/Addr' } },
      { $defs: { Addr: address } },
    ),
    true,
    false,
  ],
  [
    'a $ref in allOf with words (pydantic 1)',
    object({ home: { allOf: [{ $ref: '#/$defs/Addr' }], title: 'Home' } }, { $defs: { Addr: address } }),
    true,
    false,
  ],
  ['definitions', object({ a: { $ref: '#/definitions/A' } }, { definitions: { A: { type: 'string' } } }), true, false],
  ['a $ref to a property', object({ a: { type: 'string', enum: ['x'] }, b: { $ref: '#/properties/a' } }), true, false],
  [
    'definitions of one name in two places',
    object(
      { a: { $ref: '#/definitions/A' }, b: { $ref: '#/$defs/A' } },
      { definitions: { A: { type: 'string' } }, $defs: { A: { type: 'number' } } },
    ),
    true,
    false,
  ],
  ['z.any()', z.object({ a: z.any() }).required(), false, true],
  ['a record', z.object({ by: z.record(z.string(), z.number()) }), false, true],
  ['an open object', z.looseObject({ a: z.string() }), false, true],
  ['an object without properties', object({ a: { type: 'object' } }), false, true],
  ['a list without items', object({ a: { type: 'array' } }), false, true],
  ['a tuple', z.object({ a: z.tuple([z.string(), z.number()]) }), true, false],
  [
    'a tuple of draft 7',
    object({ a: { type: 'array', items: [{ type: 'string' }, { type: 'string' }] } }),
    true,
    false,
  ],
  ['nullable', object({ a: { type: 'string', nullable: true } }), true, false],
  ['values without a type', object({ a: { enum: ['x', 'y'] }, b: { const: 1 } }), true, false],
  [
    'a name that is required and not described',
    object({ a: { type: 'string' } }, { required: ['a', 'b'] }),
    false,
    true,
  ],
  [
    'a recursive schema',
    object(
      { next: { anyOf: [{ $ref: '#/$defs/n' }, { type: 'null' }] } },
      { $defs: { n: object({ next: { anyOf: [{ $ref: '#/$defs/n' }, { type: 'null' }] } }) } },
    ),
    true,
    true,
  ],
  ['alternatives at the top', object({ a: { type: 'string' } }, { anyOf: [{ required: ['a'] }] }), false, true],
];

describe.each(cases)('the schema of an answer: %s', (_, schema, isStrict, isInWords) => {
  const { output, chat, anthropic } = sent(schema);

  test('is strict only where OpenAI accepts that', () => {
    expect(output.strict).toBe(isStrict);
    if (isStrict) expect(strictProblem(output.schema, output.schema)).toBeUndefined();
    expect(chat).toMatchObject({ response_format: { json_schema: { strict: isStrict } } });
  });

  test('is sent to Anthropic as it accepts it, or in words', () => {
    expect(JSON.stringify(anthropic.system ?? '').includes('JSON Schema')).toBe(isInWords);
    expect(anthropic.output_config === undefined).toBe(isInWords);
    expect(anthropicProblem(anthropic.output_config)).toBeUndefined();
  });

  test('has no reference that leads nowhere', () => {
    const refs = JSON.stringify(output.schema).match(/(?<="\$ref":")[^"]+/g) ?? [];
    for (const ref of refs) expect(output.schema.$defs).toHaveProperty([ref.replace('#/$defs/', '')]);
  });
});

test('a reference that leads nowhere is refused where the answer is defined', () => {
  expect(() => defineOutput({ schema: object({ a: { $ref: '#/definitions/B' } }) })).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining('#/definitions/B') }),
  );
});

test('Anthropic gets no property whose name it refuses', () => {
  const inputSchema = object({ $filter: { type: 'string' }, ok: { type: 'string' } });
  const request: LLMRequest = { sessionId: 's', messages: [], tools: [{ name: 'f', description: 'f', inputSchema }] };
  const { tools } = toAnthropicBody(request, { maxTokens: 1, cache: false });
  expect(tools).toEqual([{ name: 'f', description: 'f', input_schema: object({ ok: { type: 'string' } }) }]);
});
