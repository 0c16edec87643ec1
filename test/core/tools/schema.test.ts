import { AgentError, type JsonObject } from 'brooklet';
import type { InputSchema } from 'brooklet/tools';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileSchema } from '../../../src/core/tools/schema.ts';

const compile = (schema: InputSchema) => compileSchema(schema, 'tool "add"');

function failureOf(schema: unknown): unknown {
  try {
    return compile(schema as InputSchema);
  } catch (error) {
    return error;
  }
}

/** A Standard Schema written by hand: the minimum that a library must provide. */
function standard(
  validate: (value: unknown) => unknown,
  json: () => unknown = () => ({ type: 'object' }),
): InputSchema {
  return {
    '~standard': { version: 1, vendor: 'by hand', validate, jsonSchema: { input: json } },
  } as unknown as InputSchema;
}

const schemas: readonly [string, InputSchema][] = [
  ['zod', z.object({ a: z.number(), b: z.string().optional() })],
  ['arktype', type({ a: 'number', 'b?': 'string' })],
  [
    'plain JSON Schema',
    { type: 'object', properties: { a: { type: 'number' }, b: { type: 'string' } }, required: ['a'] },
  ],
];

describe.each(schemas)('a schema of %s', (_name, schema) => {
  test('is sent to a model as JSON Schema of an object', () => {
    expect(compile(schema).jsonSchema).toMatchObject({
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'string' } },
      required: ['a'],
    });
  });

  test('is plain JSON', () => {
    const { jsonSchema } = compile(schema);
    expect(JSON.parse(JSON.stringify(jsonSchema))).toStrictEqual(jsonSchema);
  });

  test('accepts an input that fits', async () => {
    expect(await compile(schema).validate({ a: 1, b: 'x' })).toEqual({ value: { a: 1, b: 'x' } });
  });

  test.each<JsonObject>([{}, { a: '1' }, { a: 1, b: 2 }])('rejects %j with the position', async (input) => {
    const { problem } = await compile(schema).validate(input);
    expect(problem).toMatch('b' in input ? /input\.b|\bb must/ : /input\.a|\ba must/);
  });
});

describe('a schema', () => {
  test('may transform an input', async () => {
    const schema = z.object({ day: z.iso.date().transform((text) => new Date(text)), n: z.number().default(3) });
    expect(await compile(schema).validate({ day: '2020-02-03' })).toEqual({
      value: { day: new Date('2020-02-03'), n: 3 },
    });
    // The model receives the schema of the input, not of the output.
    expect(compile(schema).jsonSchema).toMatchObject({ properties: { day: { type: 'string' } }, required: ['day'] });
  });

  test('may be asynchronous', async () => {
    const schema = z.object({ a: z.number().refine((n) => Promise.resolve(n > 0), 'must be taken') });
    expect(await compile(schema).validate({ a: 1 })).toEqual({ value: { a: 1 } });
    expect(await compile(schema).validate({ a: -1 })).toEqual({ problem: 'input.a: must be taken' });
  });

  test('reports all problems, with their positions', async () => {
    const schema = standard(() => ({
      issues: [{ message: 'is odd', path: ['list', 0, { key: 'n' }] }, { message: 'is bad' }],
    }));
    expect(await compile(schema).validate({})).toEqual({ problem: 'input.list.0.n: is odd; input: is bad' });
  });

  test('that throws rejects, synchronously or asynchronously', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    await expect(compile(standard(broken)).validate({})).rejects.toThrow('broken');
    await expect(compile(standard(() => Promise.reject(new Error('broken')))).validate({})).rejects.toThrow('broken');
    const { validate } = compile({ type: 'object', properties: { a: { pattern: '[' } } });
    await expect(validate({ a: 'x' })).rejects.toThrow('Invalid regular expression');
  });

  test('may be a function (arktype)', () => {
    expect(compile(type({ a: 'string' })).jsonSchema).toMatchObject({ type: 'object' });
  });

  test('without a conversion to JSON Schema is rejected with advice', () => {
    const failure = failureOf(v.object({ a: v.number() }));
    expect(failure).toBeInstanceOf(AgentError);
    expect(failure).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringMatching(/"add" \(valibot\).*toStandardJsonSchema/),
    });
  });

  test.each<[string, unknown]>([
    ['zod, of text', z.string()],
    ['zod, of a list', z.array(z.string())],
    ['zod, of one of several objects', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    ['arktype, of a number', type('number')],
    ['JSON Schema, of text', { type: 'string' }],
    ['JSON Schema, of anything', {}],
    ['JSON Schema, of an object or nothing', { type: ['object', 'null'] }],
    ['zod, of what JSON cannot hold', z.object({ when: z.date() })],
    [
      'a library that says nothing',
      standard(
        () => ({ value: {} }),
        () => undefined,
      ),
    ],
    [
      'a library that says no JSON',
      standard(
        () => ({ value: {} }),
        () => ({ type: 'object', default: () => 1 }),
      ),
    ],
    [
      'a library that throws',
      standard(
        () => ({ value: {} }),
        () => JSON.parse('no'),
      ),
    ],
  ])('of %s is rejected', (_what, schema) => {
    expect(failureOf(schema)).toMatchObject({ name: 'AgentError', code: 'INVALID_CONFIG', type: 'VALIDATION' });
  });

  test('valibot’s own adapter, or any other that adds the conversion, is sufficient', async () => {
    const schema = v.object({ a: v.number() });
    const adapted = {
      '~standard': {
        ...schema['~standard'],
        jsonSchema: { input: () => ({ type: 'object', properties: { a: { type: 'number' } } }) },
      },
    };
    const { jsonSchema, validate } = compile(adapted);
    expect(jsonSchema).toEqual({ type: 'object', properties: { a: { type: 'number' } } });
    expect(await validate({ a: 1 })).toEqual({ value: { a: 1 } });
    expect((await validate({ a: 'x' })).problem).toContain('input.a');
  });
});
