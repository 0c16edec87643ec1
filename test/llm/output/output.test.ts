import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { defineOutput } from '../../../src/llm/output/output.ts';
import type { Message } from '../../../src/core/model/message.ts';
import { withSchemaInWords } from '../../../src/llm/wires/chat-completions/structured-output.ts';

const city = defineOutput({
  name: 'city',
  schema: z.object({ name: z.string().min(2), people: z.number().int().min(1).optional() }),
});
const answer = (text: string, more: Partial<Message> = {}): Message => ({
  id: 'm',
  role: 'assistant',
  content: [
    { type: 'reasoning', text: '{' },
    { type: 'text', text },
  ],
  timestamp: 0,
  ...more,
});

describe('the answer to a request with a schema', () => {
  test('is read as a value of the schema’s type', async () => {
    const lima = await city.read(answer('{"name":"Lima","people":10}'));
    expectTypeOf(lima).toEqualTypeOf<{ name: string; people?: number | undefined }>();
    expect(lima).toEqual({ name: 'Lima', people: 10 });
    expect(await city.read('{"name":"Lima"}')).toEqual({ name: 'Lima' });
  });

  test('is read from a code fence and after a sentence: some models know the schema only from the prompt', async () => {
    expect(await city.read('Here you are:\n```json\n{"name": "Lima"}\n```')).toEqual({ name: 'Lima' });
  });

  test('is transformed by the schema', async () => {
    const trimmed = defineOutput({ schema: z.object({ name: z.string().trim() }) });
    expect(await trimmed.read('{"name":" Lima "}')).toEqual({ name: 'Lima' });
  });

  test.each<[string, Message, string, RegExp]>([
    ['not valid', answer('{"name":"L","people":1}'), 'INVALID_OUTPUT', /answer\.name/],
    ['not JSON', answer('Lima.'), 'INVALID_OUTPUT', /not one JSON object/],
    ['a list', answer('[1]'), 'INVALID_OUTPUT', /not one JSON object/],
    ['empty', answer(''), 'INVALID_OUTPUT', /not one JSON object/],
    ['cut off at the token limit', answer('{"name":"Li', { finish: 'length' }), 'INVALID_OUTPUT', /maxTokens/],
    ['interrupted', answer('{"name":"Li', { status: 'interrupted' }), 'INVALID_OUTPUT', /was interrupted/],
    ['a refusal', answer('I cannot.', { finish: 'content-filter' }), 'CONTENT_FILTERED', /refused/],
  ])('is rejected where it is %s', async (_, message, code, words) => {
    await expect(city.read(message)).rejects.toMatchObject({ code, message: expect.stringMatching(words) as string });
  });

  test('is validated against the bounds of a plain JSON Schema too', async () => {
    const plain = defineOutput({
      schema: { type: 'object', properties: { n: { type: 'number', maximum: 3 } }, required: ['n'] },
    });
    expect(await plain.read('{"n":3}')).toEqual({ n: 3 });
    await expect(plain.read('{"n":4}')).rejects.toMatchObject({
      code: 'INVALID_OUTPUT',
      message: 'The answer is not a valid "answer": answer.n breaks maximum 3. Send the prompt again.',
    });
  });
});

describe('the schema for providers', () => {
  test('is closed, and describes the keywords that some providers refuse', () => {
    expect(city).toMatchObject({
      name: 'city',
      strict: false,
      schema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: '{"minLength":2}' },
          people: { type: 'integer', description: '{"minimum":1}' },
        },
        required: ['name'],
        additionalProperties: false,
      },
    });
    expect(city.schema).not.toHaveProperty('$schema');
    const asked = answer('Where?', { role: 'user' });
    const [first, second] = withSchemaInWords([asked], city);
    expect(first).toMatchObject({
      role: 'system',
      content: [{ text: expect.stringContaining(JSON.stringify(city.schema)) as string }],
    });
    expect(second).toBe(asked);
  });

  test('is strict where every property is required, in each object', () => {
    const of = (schema: z.ZodType<object>): boolean => defineOutput({ schema }).strict;
    const inner = z.object({ a: z.string(), b: z.enum(['x', 'y']).nullable() });
    expect(of(z.object({ one: inner, many: z.array(inner) }))).toBe(true);
    expect(of(z.object({ one: inner.partial() }))).toBe(false);
    expect(of(z.object({ many: z.array(inner.partial()) }))).toBe(false);
    expect(of(z.object({ by: z.record(z.string(), z.number()) }))).toBe(false);
    expect(defineOutput({ schema: { type: 'object', properties: {}, allOf: [] } }).strict).toBe(false);
  });

  test('keeps maps open, known formats, and descriptions before the described keywords', () => {
    const { schema } = defineOutput({
      schema: z.object({
        mail: z.email(),
        tags: z.array(z.string()).max(3).describe('At most three.'),
        by: z.record(z.string(), z.number()),
        either: z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b') })]),
      }),
    });
    expect(schema.properties).toEqual({
      mail: { type: 'string', format: 'email' },
      tags: { type: 'array', items: { type: 'string' }, description: 'At most three.\n\n{"maxItems":3}' },
      by: { type: 'object', additionalProperties: { type: 'number' } },
      either: {
        anyOf: ['a', 'b'].map((t) => ({
          type: 'object',
          properties: { t: { type: 'string', const: t } },
          required: ['t'],
          additionalProperties: false,
        })),
      },
    });
  });

  test('may be recursive', () => {
    const { schema, strict } = defineOutput({
      schema: {
        type: 'object',
        properties: { root: { $ref: '#/$defs/node' } },
        required: ['root'],
        $defs: {
          node: {
            type: 'object',
            properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
            required: ['next'],
          },
        },
      },
    });
    expect(strict).toBe(true);
    expect(schema).toMatchObject({ $defs: { node: { additionalProperties: false } } });
  });

  test('is rejected without a valid name or an object type', () => {
    expect(() => defineOutput({ name: 'a b', schema: { type: 'object' } })).toThrow(/name/);
    expect(() => defineOutput({ schema: { type: 'array' } })).toThrow(/answer schema of output "answer".*'object'/);
  });
});
