import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { defineTool } from '../../../src/core/tools/define-tool.ts';
import { toToolSchema } from '../../../src/core/tools/tool-schema.ts';

const schemaOf = (input: JsonObject): JsonObject =>
  toToolSchema(defineTool({ name: 'f', description: 'f', input, execute: () => 'ok' }).inputSchema);
const propertyOf = (property: unknown): unknown =>
  schemaOf({ type: 'object', properties: { a: property as JsonObject } }).properties;

describe('the input schema of a tool, as a request has it,', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['an object without properties', { type: 'object' }, { type: 'object', properties: {} }],
    ['properties as a list (PHP)', { type: 'object', properties: [] }, { type: 'object', properties: {} }],
    ['properties that are null', { type: 'object', properties: null }, { type: 'object', properties: {} }],
    ['required that is null', { type: 'object', properties: {}, required: null }, { type: 'object', properties: {} }],
    [
      'the name of a dialect',
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
      { type: 'object', properties: {} },
    ],
    [
      'a good schema',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
    ],
  ])('is made acceptable: %s', (_, given, expected) => {
    expect(schemaOf(given)).toEqual(expected);
  });

  test.each<[string, unknown, unknown]>([
    ['a list without items', { type: 'array' }, { type: 'array', items: {} }],
    ['a list or null without items', { type: ['array', 'null'] }, { type: ['array', 'null'], items: {} }],
    ['a nested object', { type: 'object' }, { type: 'object', properties: {} }],
    [
      'a tuple of draft 7',
      { type: 'array', items: [{ type: 'string' }] },
      { type: 'array', prefixItems: [{ type: 'string' }], items: {} },
    ],
    [
      'an exclusive minimum of draft 4',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    ['an unknown type', { type: 'any', description: 'd' }, { description: 'd' }],
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['true', true, {}],
    ['a broken pattern', { type: 'string', pattern: '(' }, { type: 'string' }],
    ['an empty enum', { type: 'string', enum: [] }, { type: 'string' }],
    ['a description that is null', { type: 'string', description: null }, { type: 'string' }],
  ])('is made valid at any depth: %s', (_, given, expected) => {
    expect(propertyOf(given)).toEqual({ a: expected });
  });

  test('takes names that properties require of themselves, and leaves out what is never allowed', () => {
    const input = { type: 'object', properties: { a: { type: 'string', required: true }, b: false } };
    expect(schemaOf(input)).toEqual({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] });
  });

  test.each(['anyOf', 'oneOf', 'allOf'])(
    'has no %s at the top: the properties of all, required where each requires them',
    (keyword) => {
      const schema = schemaOf({
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
        [keyword]: [
          { properties: { a: { type: 'string' }, c: { type: 'number' } }, required: ['a', 'c'] },
          { $ref: '#/$defs/other' },
        ],
        $defs: { other: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } },
      });
      expect(schema).not.toHaveProperty(keyword);
      expect(schema).toMatchObject({
        type: 'object',
        properties: {
          id: { type: 'string' },
          a: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          c: { type: 'number' },
        },
        description: expect.stringContaining(keyword),
      });
      expect(schema.required).toEqual(keyword === 'allOf' ? ['id', 'a', 'c'] : ['id', 'a']);
    },
  );

  test('has what its references name in $defs, from wherever they lead', () => {
    const owner = { type: 'object', properties: { parent: { $ref: '#/definitions/a~1b' }, all: { $ref: '#' } } };
    expect(
      schemaOf({
        type: 'object',
        properties: { a: { $ref: '#/definitions/a~1b' }, b: { $ref: '#/properties/list' }, list: { type: 'null' } },
        definitions: { 'a/b': owner, unused: { type: 'string' } },
      }),
    ).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/a_1b' }, b: { $ref: '#/$defs/list' }, list: { type: 'null' } },
      $defs: {
        a_1b: { type: 'object', properties: { parent: { $ref: '#/$defs/a_1b' }, all: { $ref: '#' } } },
        list: { type: 'null' },
      },
    });
  });

  test('has a reference alone, with its words beside it', () => {
    const $defs = { A: { type: 'string' } };
    const $ref = '#/$defs/A';
    const of = (property: JsonObject): unknown =>
      (schemaOf({ type: 'object', properties: { a: property }, $defs }).properties as JsonObject).a;
    expect(of({ $ref })).toEqual({ $ref });
    expect(of({ $ref, minLength: 2 })).toEqual({ $ref });
    expect(of({ $ref, description: 'd', default: 'x' })).toEqual({ description: 'd', default: 'x', anyOf: [{ $ref }] });
    expect(of({ $ref, nullable: true })).toEqual({ anyOf: [{ $ref }, { type: 'null' }] });
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      'requirements',
      {
        type: 'object',
        description: 'd',
        properties: { path: { type: 'string' }, url: { type: 'string' } },
        required: ['path'],
        additionalProperties: false,
        anyOf: [{ required: ['url'] }, { properties: { path: { type: 'string', minLength: 1 } } }],
      },
      {
        description: 'd',
        anyOf: [
          {
            type: 'object',
            properties: { path: { type: 'string' }, url: { type: 'string' } },
            required: ['path', 'url'],
            additionalProperties: false,
          },
          {
            type: 'object',
            properties: { path: { type: 'string', minLength: 1 }, url: { type: 'string' } },
            required: ['path'],
            additionalProperties: false,
          },
        ],
      },
    ],
    [
      'types',
      { type: ['string', 'null'], minLength: 1, oneOf: [{ format: 'uri' }, { type: 'null' }] },
      { oneOf: [{ type: ['string', 'null'], format: 'uri', minLength: 1 }, { type: 'null' }] },
    ],
    [
      'alternatives in alternatives',
      { type: 'string', anyOf: [{ anyOf: [{ minLength: 1 }, { maxLength: 2 }] }, { enum: ['a'] }] },
      {
        anyOf: [
          {
            anyOf: [
              { type: 'string', minLength: 1 },
              { type: 'string', maxLength: 2 },
            ],
          },
          { type: 'string', enum: ['a'] },
        ],
      },
    ],
    ['a reference', { type: 'null', anyOf: [{ $ref: '#' }, {}] }, { anyOf: [{ $ref: '#' }, { type: 'null' }] }],
    ['nothing', { description: 'd', anyOf: [{ type: 'null' }] }, { description: 'd', anyOf: [{ type: 'null' }] }],
  ])('has what holds beside alternatives in each of them: %s', (_, given, expected) => {
    expect(propertyOf(given)).toEqual({ a: expected });
  });

  test('stays small where alternatives would multiply it', () => {
    const properties = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}`, { type: 'string' }]));
    const anyOf = Array.from({ length: 1_000 }, (_, index) => ({ required: [`p${index % 100}`] }));
    const given = { type: 'object', properties: { a: { type: 'object', properties, anyOf } } };
    expect(JSON.stringify(schemaOf(given)).length).toBeLessThan(JSON.stringify(given).length * 3);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['const', { const: 'a' }, { enum: ['a'], type: 'string' }],
    ['const null', { const: null }, { enum: [null], type: 'null' }],
    ['values of one type', { enum: [1, 2] }, { enum: [1, 2], type: 'number' }],
    ['values of several types', { enum: ['a', 1] }, { enum: ['a', 1] }],
    ['an object', { properties: {} }, { type: 'object', properties: {} }],
    ['names', { required: ['b'] }, { type: 'object', properties: { b: {} }, required: ['b'] }],
  ])('has the type that its keywords imply: %s', (_, given, expected) => {
    expect(propertyOf(given)).toEqual({ a: expected });
  });

  test('describes what it requires, and says "anything" as `true`', () => {
    const given = {
      type: 'object',
      required: ['x', 'y'],
      properties: { y: { type: 'string' } },
      additionalProperties: {},
    };
    const expected = { type: 'object', required: ['x', 'y'], properties: { y: { type: 'string' }, x: {} } };
    expect(schemaOf(given)).toEqual({ ...expected, additionalProperties: true });
    expect(propertyOf(given)).toEqual({ a: { ...expected, additionalProperties: true } });
    expect(propertyOf({ type: 'object', additionalProperties: { type: 'any' } })).toEqual({
      a: { type: 'object', properties: {}, additionalProperties: true },
    });
  });

  test('has no keywords of other types', () => {
    expect(propertyOf({ type: 'string', properties: {}, required: ['b'], minItems: 1, minLength: 1 })).toEqual({
      a: { type: 'string', minLength: 1 },
    });
    expect(propertyOf({ type: ['array', 'null'], minItems: 1, minLength: 1 })).toEqual({
      a: { type: ['array', 'null'], items: {}, minItems: 1 },
    });
  });

  test.each(['#/definitions/B', 'https://example.com/schema.json', 'T0'])(
    'is refused where %s is not in it',
    ($ref) => {
      const input = { type: 'object', properties: { a: { type: 'array', items: { $ref } } }, definitions: { A: {} } };
      expect(() => schemaOf(input)).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(JSON.stringify($ref)) }),
      );
    },
  );

  test('may have a property named $ref, and default values that look like references', () => {
    const input = { type: 'object', properties: { $ref: { type: 'string' }, d: { default: { $ref: '#/x' } } } };
    expect(schemaOf(input)).toEqual(input);
  });
});
