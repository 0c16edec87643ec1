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

  test('keeps references that lead somewhere, also to definitions', () => {
    const given = {
      type: 'object',
      properties: { a: { $ref: '#/definitions/A' }, b: { $ref: '#' } },
      definitions: { A: { type: 'string' } },
    };
    expect(schemaOf(given)).toEqual(given);
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
