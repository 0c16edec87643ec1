import type { Json, JsonObject } from 'brooklet';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { problemWith } from '../../../src/core/tools/json-schema.ts';
import { seeded } from '../../support/seeded.ts';

const problem = (value: Json, schema: Json): string | undefined =>
  problemWith(
    value,
    schema,
    typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? (schema as JsonObject) : {},
  );

/** Untrusted JSON, with any keys. */
function parsed(text: string): JsonObject {
  const value: JsonObject = JSON.parse(text);
  return value;
}

const node = {
  $defs: {
    node: {
      type: 'object',
      properties: { value: { type: 'number' }, next: { $ref: '#/$defs/node' } },
      required: ['value'],
    },
  },
  $ref: '#/$defs/node',
};

describe('JSON Schema', () => {
  test.each<[schema: Json, value: Json]>([
    [true, 1],
    [{}, null],
    [{ type: 'string' }, 'a'],
    [{ type: 'number' }, 1.5],
    [{ type: 'integer' }, 2],
    [{ type: 'integer' }, 2.0],
    [{ type: 'boolean' }, false],
    [{ type: 'null' }, null],
    [{ type: 'array' }, []],
    [{ type: 'object' }, {}],
    [{ type: ['string', 'null'] }, null],
    [{ enum: ['a', { b: [1] }] }, { b: [1] }],
    [{ enum: [null] }, null],
    [{ const: null }, null],
    [{ const: { a: [1, { b: 2 }], c: 3 } }, { c: 3, a: [1, { b: 2 }] }],
    [{ properties: { a: { type: 'string' } } }, { a: 'x', b: 1 }],
    [{ properties: { a: { type: 'string' } } }, 'not an object'],
    [{ required: ['a'] }, { a: null }],
    [{ additionalProperties: false, properties: { a: true } }, { a: 1 }],
    [{ additionalProperties: { type: 'number' } }, { a: 1, b: 2 }],
    [{ items: { type: 'number' } }, [1, 2]],
    [{ prefixItems: [{ type: 'number' }, { type: 'string' }] }, [1, 'a', null]],
    [{ prefixItems: [{ type: 'number' }], items: { type: 'string' } }, [1, 'a']],
    [{ prefixItems: [{ type: 'number' }], items: false }, [1]],
    [{ minItems: 1, maxItems: 2 }, [1]],
    [{ minLength: 2, maxLength: 2 }, '👩👩'],
    [{ pattern: '^a+$' }, 'aa'],
    [{ pattern: 'a' }, 1],
    [{ minimum: 1, maximum: 1 }, 1],
    [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, 2],
    [{ multipleOf: 0.1 }, 0.3],
    [{ multipleOf: 5 }, -10],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 1],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, 1],
    [{ allOf: [{ minimum: 1 }, { maximum: 3 }] }, 2],
    [{ not: { type: 'string' } }, 1],
    [{ not: false }, 1],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'a'],
    [{ $ref: '#/$defs/a~1b~0c', $defs: { 'a/b~c': { type: 'string' } } }, 'a'],
    [{ $ref: '#/allOf/0', allOf: [{ type: 'string' }] }, 'a'],
    [node, { value: 1, next: { value: 2, next: { value: 3 } } }],
    [{ format: 'email', title: 'x', description: 'x', default: 1, examples: [] }, 'no email'],
  ])('%j accepts %j', (schema, value) => {
    expect(problem(value, schema)).toBeUndefined();
  });

  test.each<[schema: Json, value: Json, problem: string]>([
    [false, 1, 'input is not allowed'],
    [{ type: 'string' }, 1, 'input must be string, not number'],
    [{ type: 'number' }, '1', 'input must be number, not string'],
    [{ type: 'integer' }, 1.5, 'input must be integer, not number'],
    [{ type: 'object' }, [], 'input must be object, not array'],
    [{ type: 'object' }, null, 'input must be object, not null'],
    [{ type: 'array' }, {}, 'input must be array, not object'],
    [{ type: ['string', 'null'] }, 1, 'input must be string or null, not number'],
    [{ enum: ['a', 1] }, 'b', 'input must be "a" or 1'],
    [{ enum: [] }, 'b', 'input must be nothing at all'],
    [{ const: { a: 1 } }, { a: 1, b: 2 }, 'input must be {"a":1}'],
    [{ const: [1, 2] }, [2, 1], 'input must be [1,2]'],
    [{ properties: { a: { type: 'string' } } }, { a: 1 }, 'input.a must be string, not number'],
    [{ properties: { a: { properties: { b: false } } } }, { a: { b: 1 } }, 'input.a.b is not allowed'],
    [{ required: ['a', 'b'] }, { a: 1 }, 'input.b is missing'],
    [{ additionalProperties: false, properties: { a: true } }, { b: 1 }, 'input.b is not allowed'],
    [{ additionalProperties: { type: 'number' } }, { a: 'x' }, 'input.a must be number, not string'],
    [{ items: { type: 'number' } }, [1, 'a'], 'input[1] must be number, not string'],
    [{ prefixItems: [{ type: 'number' }], items: { type: 'string' } }, [1, 2], 'input[1] must be string, not number'],
    [{ prefixItems: [{ type: 'number' }], items: false }, [1, 2], 'input[1] is not allowed'],
    [{ minItems: 1 }, [], 'input breaks minItems 1'],
    [{ maxItems: 1 }, [1, 2], 'input breaks maxItems 1'],
    [{ minLength: 3 }, '👩👩', 'input breaks minLength 3'],
    [{ maxLength: 1 }, 'ab', 'input breaks maxLength 1'],
    [{ pattern: '^a+$' }, 'b', 'input does not match ^a+$'],
    [{ minimum: 1 }, 0, 'input breaks minimum 1'],
    [{ maximum: 1 }, 2, 'input breaks maximum 1'],
    [{ exclusiveMinimum: 1 }, 1, 'input breaks exclusiveMinimum 1'],
    [{ exclusiveMaximum: 1 }, 1, 'input breaks exclusiveMaximum 1'],
    [{ multipleOf: 0.1 }, 0.35, 'input breaks multipleOf 0.1'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, null, 'input must be string, not null'],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, null, 'input must be string, not null'],
    [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1, 'input fits more than one of its alternatives'],
    [{ allOf: [{ minimum: 1 }, { maximum: 3 }] }, 4, 'input breaks maximum 3'],
    [{ not: { type: 'string' } }, 'a', 'input is what it must not be'],
    [{ not: {} }, 1, 'input is what it must not be'],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 1, 'input must be string, not number'],
    [{ $ref: '#/$defs/a', $defs: { a: true }, type: 'string' }, 1, 'input must be string, not number'],
    [node, { value: 1, next: { value: 2, next: {} } }, 'input.next.next.value is missing'],
  ])('%j rejects %j with the reason: %s', (schema, value, why) => {
    expect(problem(value, schema)).toBe(why);
  });

  test.each(['#/$defs/nobody', '#nobody', 'https://example.com/schema.json', '#/allOf/7'])(
    'rejects everything if its $ref %s cannot be resolved',
    ($ref) => {
      expect(problem(1, { $ref, allOf: [{}], $defs: {} })).toContain($ref);
    },
  );

  test('ignores keywords with a value of the wrong type', () => {
    expect(
      problem('a', { type: 7, enum: 'a', minLength: '9', allOf: {}, required: 'a', properties: [], items: 3 }),
    ).toBeUndefined();
  });
});

describe('a hostile schema or input', () => {
  test('with keys from Object.prototype is checked like any other', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(problem(parsed(`{"${key}":1}`), schema)).toBe(`input.${key} is not allowed`);
      expect(problem({}, { required: [key] })).toBe(`input.${key} is missing`);
      expect(problem(parsed(`{"${key}":1}`), parsed(`{"properties":{"${key}":{"type":"string"}}}`))).toBe(
        `input.${key} must be string, not number`,
      );
      expect(problem(parsed(`{"${key}":{}}`), { const: {} })).toBe('input must be {}');
    }
    expect({}).not.toHaveProperty('polluted');
  });

  test('nested thousands of times is checked only to the depth of the schema', () => {
    const deep = parsed(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`);
    expect(problem(deep, { properties: { a: { type: 'array' } } })).toBeUndefined();
  });

  test('of a recursive schema is rejected beyond a depth, without a stack overflow', () => {
    let list: JsonObject = { value: 0 };
    for (let n = 0; n < 5_000; n++) list = { value: n, next: list };
    expect(problem(list, node)).toContain('nested too deeply');
  });

  test.each<[string, JsonObject]>([
    ['itself', { $ref: '#' }],
    ['itself by a detour', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    ['itself twice, and twice again', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }],
    ['itself in every way', { allOf: [{ anyOf: [{ $ref: '#' }, { $ref: '#' }] }, { oneOf: [{ $ref: '#' }] }] }],
  ])('that refers to %s terminates', (_what, schema) => {
    expect(problem(1, schema)).toContain('goes in circles');
  });

  test('that refers to itself for nested values is not a cycle', () => {
    const tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#' } } },
      required: ['children'],
    };
    expect(problem({ children: [{ children: [] }, { children: [{ children: [] }] }] }, tree)).toBeUndefined();
    expect(problem({ children: [{ children: [{}] }] }, tree)).toBe('input.children[0].children[0].children is missing');
  });

  test('of an exponential pattern is decided', () => {
    expect(problem('a'.repeat(5_000) + '!', { pattern: '^(a+)+$' })).toBe('input does not match ^(a+)+$');
  });

  test.each<[string, JsonObject]>([
    ['a pattern that is not supported', { pattern: '(?<=a)b' }],
    ['a reference to nothing', { $ref: '#/$defs/none' }],
    ['a circle', { $ref: '#' }],
  ])('of %s is a problem, also where the schema negates it', (_what, undecidable) => {
    for (const schema of [undecidable, { not: undecidable }, { anyOf: [undecidable, true] }])
      expect(problem('ab', schema)).toContain('cannot be checked');
  });

  test('of alternatives that multiply with each level takes a bounded number of steps', () => {
    const again = { allOf: [{ properties: { a: { $ref: '#' } } }, { required: ['z'] }] };
    const schema = { anyOf: [again, { ...again }, { ...again }, { ...again }] };
    let value: JsonObject = {};
    for (let depth = 0; depth < 12; depth++) value = { a: value };
    expect(problem(value, schema)).toContain('takes too many steps');
  });

  test('of half a million items is walked once', () => {
    const many = Array.from({ length: 500_000 }, (_, n) => n);
    expect(problem(many, { items: { type: 'number' } })).toBeUndefined();
    expect(problem([...many, 'x'], { items: { type: 'number' } })).toBe('input[500000] must be number, not string');
  });

  test('never makes the check throw, except for an invalid pattern', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, schema) => {
        problem(value, schema);
      }),
      seeded(500),
    );
    expect(() => problem('a', { pattern: '[' })).toThrow(SyntaxError);
  });

  test('is accepted by the schema made from it, and by no other', () => {
    const schemaOf = (value: Json): Json => {
      if (Array.isArray(value))
        return { type: 'array', prefixItems: value.map(schemaOf), items: false, minItems: value.length };
      if (typeof value !== 'object' || value === null) return { const: value };
      const entries = Object.entries(value).map(([key, inner]): [string, Json] => [key, schemaOf(inner ?? null)]);
      return {
        type: 'object',
        properties: Object.fromEntries(entries),
        required: entries.map(([key]) => key),
        additionalProperties: false,
      };
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (one, other) => {
        const [mine, yours]: [Json, Json] = [one, other];
        expect(problem(mine, schemaOf(mine))).toBeUndefined();
        expect(problem(mine, { const: mine })).toBeUndefined();
        const same = JSON.stringify(sorted(mine)) === JSON.stringify(sorted(yours));
        expect(problem(yours, schemaOf(mine)) === undefined).toBe(same);
        expect(problem(yours, { const: mine }) === undefined).toBe(same);
      }),
      seeded(500),
    );
  });
});

/** With sorted keys, so that equal values have equal text. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return { entries: entries.map(([key, inner]): Json => [key, sorted(inner ?? null)]) };
}
