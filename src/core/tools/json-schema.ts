import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { matches } from './pattern.ts';
import { spend, type Steps, Undecided } from './undecided.ts';

/** Steps of one check. */
const maxSteps = 4_000_000;
/** Steps for one more schema for the same value: only these can multiply with the depth of a value. */
const costOfPart = 10;

/**
 * Checks a value against the part of JSON Schema (draft 2020-12) that tools use, without `eval`, so that the check works under a strict
 * content security policy: `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`, `prefixItems`, lengths and
 * bounds, `pattern`, `anyOf`, `oneOf`, `allOf`, `not` and `$ref` within the schema. Other keywords (`format`, for example) are not
 * checked: only the model reads them. The time is bounded, whatever the schema: a schema may be untrusted.
 *
 * @returns the problem and its path, as text for the model, or `undefined` for a value that fits
 */
export function problemWith(
  value: Json | undefined,
  schema: Json | undefined,
  root: JsonObject,
  path = 'input',
): string | undefined {
  try {
    return problemAt(value, schema, { root, path, depth: 0, trail: [], steps: { left: maxSteps } });
  } catch (error) {
    if (error instanceof Undecided) return `${path} cannot be checked: ${error.message}`;
    throw error;
  }
}

/** Where in a value a check is. */
interface Place {
  readonly root: JsonObject;
  readonly path: string;
  readonly depth: number;
  /** The schemas that are being checked against this same value, to detect a schema that refers to itself. */
  readonly trail: readonly JsonObject[];
  readonly steps: Steps;
}

function problemAt(value: Json | undefined, schema: Json | undefined, place: Place): string | undefined {
  const { root, path, depth, trail, steps } = place;
  spend(steps, trail.length > 0 ? costOfPart : 1);
  if (schema === false) return `${path} is not allowed`;
  if (!isJsonObject(schema)) return undefined;
  if (depth > 64) throw new Undecided(`${path} is nested too deeply`);
  if (trail.includes(schema)) throw new Undecided('its schema goes in circles');

  const check = (inner: Json | undefined, part: Json | undefined, at = path): string | undefined =>
    problemAt(inner, part, { root, path: at, depth: depth + 1, trail: at === path ? [...trail, schema] : [], steps });
  const each = (keyword: string): readonly Json[] => toList(schema[keyword]);

  const { $ref, pattern, properties } = schema;
  const parts = [...each('allOf')];
  if (typeof $ref === 'string') {
    const target = resolve($ref, root);
    if (target === undefined) throw new Undecided(`its schema has no ${$ref}`);
    parts.unshift(target);
  }
  const problem = first(parts, (part) => check(value, part));
  if (problem) return problem;
  const types =
    typeof schema.type === 'string' ? [schema.type] : each('type').filter((type) => typeof type === 'string');
  if (types.length > 0 && !types.some((type) => hasType(value, type)))
    return `${path} must be ${types.join(' or ')}, not ${typeName(value)}`;
  const choice = schema.const === undefined ? schema.enum : [schema.const];
  if (Array.isArray(choice) && !toList(choice).some((one) => isEqual(value, one)))
    return `${path} must be ${choice.map((one) => JSON.stringify(one)).join(' or ') || 'nothing at all'}`;
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const problems = each(keyword).map((part) => check(value, part));
    const fitting = problems.filter((problem) => problem === undefined).length;
    if (problems.length > 0 && fitting === 0) return problems[0];
    if (keyword === 'oneOf' && fitting > 1) return `${path} fits more than one of its alternatives`;
  }
  if (schema.not !== undefined && check(value, schema.not) === undefined) return `${path} is what it must not be`;

  for (const [keyword, type, breaks] of bounds) {
    const limit = schema[keyword];
    if (typeof limit === 'number' && type === typeName(value) && breaks(measure(value), limit))
      return `${path} breaks ${keyword} ${limit}`;
  }
  if (typeof value === 'string' && typeof pattern === 'string' && !matches(pattern, value, steps))
    return `${path} does not match ${pattern}`;
  if (Array.isArray(value)) {
    const prefix = each('prefixItems');
    return first(toList(value), (item, index) =>
      check(item, index < prefix.length ? prefix[index] : schema.items, `${path}[${index}]`),
    );
  }
  if (!isJsonObject(value)) return undefined;
  const missing = each('required')
    .filter((key) => typeof key === 'string')
    .find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return `${path}.${missing} is missing`;
  return first(Object.keys(value), (key) =>
    check(
      value[key],
      isJsonObject(properties) && Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties,
      `${path}.${key}`,
    ),
  );
}

/** Returns the problem of the first item that has one. */
function first<T>(list: readonly T[], check: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of list.entries()) {
    const problem = check(item, index);
    if (problem) return problem;
  }
  return undefined;
}

const less = (size: number, limit: number): boolean => size < limit;
const more = (size: number, limit: number): boolean => size > limit;

/** Keyword, the type to which it applies, and whether a size breaks its limit. */
const bounds: readonly (readonly [keyword: string, type: string, breaks: typeof less])[] = [
  ['minLength', 'string', less],
  ['maxLength', 'string', more],
  ['minItems', 'array', less],
  ['maxItems', 'array', more],
  ['minimum', 'number', less],
  ['maximum', 'number', more],
  ['exclusiveMinimum', 'number', (size, limit) => size <= limit],
  ['exclusiveMaximum', 'number', (size, limit) => size >= limit],
  ['multipleOf', 'number', (size, step) => !Number.isInteger(Number((size / step).toFixed(9)))],
];

/** Returns the number of code points of a text, the number of items of a list, or a number itself. */
function measure(value: Json | undefined): number {
  if (typeof value === 'string') return [...value].length;
  return Array.isArray(value) ? value.length : Number(value);
}

function toList(value: Json | undefined): readonly Json[] {
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  return list;
}

function hasType(value: Json | undefined, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : type === typeName(value);
}

function typeName(value: Json | undefined): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    const others: readonly Json[] = other;
    return one.length === others.length && one.every((item: Json, index) => isEqual(item, others[index]));
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
    );
  }
  return one === other;
}

/** Returns the first `$ref` of a schema that leads nowhere within it: whatever the model sends, no check could be made. */
export function danglingRef(schema: Json | undefined, root: JsonObject): string | undefined {
  if (Array.isArray(schema)) return first(toList(schema), (one) => danglingRef(one, root));
  if (!isJsonObject(schema)) return undefined;
  const { $ref } = schema;
  if (typeof $ref === 'string' && resolve($ref, root) === undefined) return $ref;
  return first(Object.entries(schema), ([keyword, value]) => {
    if (named.has(keyword))
      return isJsonObject(value) ? first(Object.values(value), (one) => danglingRef(one, root)) : undefined;
    return nested.has(keyword) ? danglingRef(value, root) : undefined;
  });
}

/** Keywords with schemas by name, and keywords with a schema or a list of schemas. Other keywords contain data. */
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
const nested: ReadonlySet<string> = new Set(
  'items prefixItems additionalProperties anyOf oneOf allOf not contains if then else'.split(' '),
);

/** Resolves a reference such as `#/$defs/name`: a JSON Pointer (RFC 6901) into the schema itself. */
export function resolve(ref: string, root: JsonObject): Json | undefined {
  let found: Json | undefined = root;
  for (const step of ref.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isJsonObject(found)) found = toList(found)[Number(key)];
    else found = Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return ref === '#' || ref.startsWith('#/') ? found : undefined;
}
