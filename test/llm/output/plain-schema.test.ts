import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { isClosed, isStrict, toPlainSchema } from '../../../src/llm/output/plain-schema.ts';

// What is left of a schema for every provider, and which of two providers accepts the rest.

const reduced = (property: JsonObject): unknown =>
  (toPlainSchema({ type: 'object', properties: { a: property }, required: ['a'] }).properties as JsonObject).a;
const described = (keywords: JsonObject, words = ''): string =>
  [words, JSON.stringify(keywords)].filter(Boolean).join('\n\n');

test.each<[string, JsonObject, JsonObject]>([
  ['a known format', { type: 'string', format: 'email' }, { type: 'string', format: 'email' }],
  [
    'an unknown format',
    { type: 'string', format: 'phone' },
    { type: 'string', description: described({ format: 'phone' }) },
  ],
  [
    'a keyword with the value of a format',
    { type: 'string', default: 'email', description: 'd' },
    { type: 'string', description: described({ default: 'email' }, 'd') },
  ],
  [
    'the pattern of a known format',
    { type: 'string', format: 'uuid', pattern: 'x' },
    { type: 'string', format: 'uuid' },
  ],
  ['another pattern', { type: 'string', pattern: 'x' }, { type: 'string', description: described({ pattern: 'x' }) }],
  ['names of a dialect', { $schema: 's', $id: 'i', $anchor: 'a', $comment: 'c', type: 'null' }, { type: 'null' }],
  [
    'bounds that mean nothing',
    { type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'integer' },
  ],
  [
    'bounds that mean something',
    { type: 'integer', minimum: 0 },
    { type: 'integer', description: described({ minimum: 0 }) },
  ],
  ['names that are texts', { type: 'object', propertyNames: { type: 'string' } }, { type: 'object' }],
  [
    'names of a form',
    { type: 'object', propertyNames: { type: 'string', pattern: 'x' } },
    { type: 'object', description: described({ propertyNames: { type: 'string', pattern: 'x' } }) },
  ],
  ['oneOf', { oneOf: [{ type: 'null' }] }, { anyOf: [{ type: 'null' }] }],
  ['anyOf', { anyOf: [{ type: 'null' }] }, { anyOf: [{ type: 'null' }] }],
  [
    'anyOf beside oneOf',
    { anyOf: [{ type: 'null' }], oneOf: [{ type: 'string' }] },
    { anyOf: [{ type: 'null' }], description: described({ oneOf: [{ type: 'string' }] }) },
  ],
  ['one of which all must hold', { allOf: [{ type: 'null' }] }, { anyOf: [{ type: 'null' }] }],
  ['several of which all must hold', { allOf: [{ type: 'null' }, {}] }, { allOf: [{ type: 'null' }, {}] }],
  [
    'one of which all must hold, beside alternatives',
    { allOf: [{ type: 'null' }], anyOf: [{ type: 'null' }] },
    { allOf: [{ type: 'null' }], anyOf: [{ type: 'null' }] },
  ],
  [
    'nullable',
    { type: 'string', nullable: true, title: 't', description: 'd' },
    { title: 't', description: 'd', anyOf: [{ type: 'string' }, { type: 'null' }] },
  ],
  ['not nullable', { type: 'string', nullable: false }, { type: 'string' }],
  [
    'a property that is never there',
    { type: 'object', properties: { x: false, y: { type: 'null' } } },
    { type: 'object', properties: { y: { type: 'null' } }, additionalProperties: false },
  ],
  [
    'an open object',
    { type: 'object', properties: {}, additionalProperties: true },
    { type: 'object', properties: {}, additionalProperties: true },
  ],
  [
    'a record',
    { type: 'object', additionalProperties: { type: 'number', minimum: 1 } },
    { type: 'object', additionalProperties: { type: 'number', description: described({ minimum: 1 }) } },
  ],
  [
    'a name that is required alone',
    { type: 'object', properties: {}, required: ['z', 7] },
    { type: 'object', properties: { z: {} }, required: ['z', 7], additionalProperties: false },
  ],
  ['a list without items', { type: 'array' }, { type: 'array', items: {} }],
  ['a list or null without items', { type: ['array', 'null'] }, { type: ['array', 'null'], items: {} }],
  ['a list', { type: 'array', items: { const: 1 } }, { type: 'array', items: { const: 1, type: 'number' } }],
  [
    'a tuple of one kind',
    { type: 'array', items: [{ type: 'null' }, { type: 'null' }] },
    {
      type: 'array',
      items: { type: 'null' },
      description: described({ prefixItems: [{ type: 'null' }, { type: 'null' }] }),
    },
  ],
  [
    'a tuple and what follows it',
    { type: 'array', prefixItems: [{ type: 'null' }], items: { type: 'string' } },
    {
      type: 'array',
      items: { anyOf: [{ type: 'null' }, { type: 'string' }] },
      description: described({ prefixItems: [{ type: 'null' }] }),
    },
  ],
  [
    'values',
    { enum: ['a', 1, null, [], {}] },
    { enum: ['a', 1, null, [], {}], type: ['string', 'number', 'null', 'array', 'object'] },
  ],
  ['properties', { properties: {} }, { properties: {}, type: 'object', additionalProperties: false }],
  ['items', { items: { type: 'null' } }, { items: { type: 'null' }, type: 'array' }],
  ['anything', {}, {}],
])('a schema is reduced: %s', (_, given, expected) => {
  expect(reduced(given)).toEqual(expected);
});

test('a reference has nothing beside it, and no list of definitions without any', () => {
  const of = (property: JsonObject): JsonObject =>
    toPlainSchema({ type: 'object', properties: { a: property }, $defs: { A: { type: 'null' } } });
  const ref = { $ref: '#/$defs/A' };
  expect(of(ref)).toEqual({
    type: 'object',
    properties: { a: ref },
    additionalProperties: false,
    $defs: { A: { type: 'null' } },
  });
  expect((of({ ...ref, description: 'd' }).properties as JsonObject).a).toEqual({ description: 'd', anyOf: [ref] });
  const any = [{ type: 'null' }];
  expect((of({ ...ref, anyOf: any }).properties as JsonObject).a).toEqual({ allOf: [{ anyOf: any }, ref] });
  expect((of({ ...ref, allOf: [any[0] ?? {}, {}] }).properties as JsonObject).a).toEqual({
    allOf: [{ type: 'null' }, {}, ref],
  });
  expect(Object.keys(of({ type: 'null' }))).not.toContain('$defs');
});

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const text = { type: 'string' };
const recursive = { $defs: { A: object({ next: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] } }) } };

/** Schemas of an answer: accepted by OpenAI's strict mode, by Anthropic. */
const answers: readonly (readonly [string, JsonObject, strict: boolean, closed: boolean])[] = [
  ['closed objects', object({ a: text, b: object({ c: text }) }), true, true],
  ['an optional property', object({ a: text }, { required: [] }), false, true],
  ['an optional property below', object({ b: object({ c: text }, { required: undefined }) }), false, true],
  ['an open object', object({ a: text }, { additionalProperties: true }), false, false],
  ['an object that says nothing of others', object({ a: text }, { additionalProperties: undefined }), false, false],
  ['an open object below', object({ b: object({}, { additionalProperties: {} }) }), false, false],
  ['an object or null, open', object({ b: { type: ['object', 'null'] } }), false, false],
  ['alternatives below', object({ b: { anyOf: [text, { type: 'null' }] } }), true, true],
  ['an open alternative', object({ b: { anyOf: [text, { type: 'object' }] } }), false, false],
  ['alternatives at the top', object({ a: text }, { anyOf: [text] }), false, true],
  [
    'a reference at the top',
    { type: 'object', additionalProperties: false, $ref: '#/$defs/A', $defs: { A: text } },
    false,
    true,
  ],
  ['a schema without a type', object({ b: {} }), false, false],
  ['a schema that is none', object({ b: true }), false, false],
  ['a list', object({ b: { type: 'array', items: text } }), true, true],
  ['a list of anything', object({ b: { type: 'array', items: {} } }), false, false],
  ['a list without items', object({ b: { type: ['array', 'null'] } }), false, false],
  ['what all must hold', object({ b: { allOf: [text, text] } }), false, true],
  [
    'what all must hold, by reference',
    object({ b: { allOf: [{ $ref: '#/$defs/A' }, text] } }, { $defs: { A: text } }),
    false,
    false,
  ],
  ['a reference', object({ b: { $ref: '#/$defs/A' } }, { $defs: { A: text } }), true, true],
  [
    'a reference to an open object',
    object({ b: { $ref: '#/$defs/A' } }, { $defs: { A: { type: 'object' } } }),
    false,
    false,
  ],
  ['a reference to itself', object({ b: { $ref: '#/$defs/A' } }, recursive), true, false],
  [
    'two references to one place',
    object({ b: { $ref: '#/$defs/A' }, c: { $ref: '#/$defs/A' } }, { $defs: { A: text } }),
    true,
    true,
  ],
  ['values', object({ b: { type: 'string', enum: ['x', null, 1, true] } }), true, true],
  ['a value that is an object', object({ b: { type: 'object', const: {}, additionalProperties: false } }), true, false],
  ['a value that is a list', object({ b: { type: 'string', enum: [[]] } }), true, false],
  ['null as a value', object({ b: { type: 'null', const: null } }), true, true],
  ['no object', text, false, true],
];

describe.each(answers)('%s', (_, schema, strict, closed) => {
  test(`fits strict mode: ${strict}, Anthropic: ${closed}`, () => {
    expect([isStrict(schema), isClosed(schema)]).toEqual([strict, closed]);
  });
});
