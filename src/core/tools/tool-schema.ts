import { defined, isJsonObject, type Json, type JsonObject } from '../json.ts';
import { toList, toObject, toText } from '../model/read-json.ts';
import { resolve } from './json-schema.ts';

/**
 * Returns the input schema of a tool in the form that every service accepts. A tool may be that of a stranger's server, and a service that
 * refuses the schema of one tool refuses every request: OpenAI wants `properties` of objects, `items` of lists, and no alternatives at the
 * top; Anthropic checks schemas against draft 2020-12; Gemini knows no `$schema`. What the schema allows stays the same as far as services
 * can express it; calls are checked against the original.
 */
export function toToolSchema(schema: JsonObject): JsonObject {
  const root = withoutAlternatives(schema);
  const { type: _type, ...rest } = normalize(root, root);
  return { type: 'object', ...rest };
}

const types: ReadonlySet<Json | undefined> = new Set('object array string number integer boolean null'.split(' '));
const isText = (value: Json | undefined): boolean => typeof value === 'string';
const isNumber = (value: Json | undefined): boolean => typeof value === 'number';
const isCount = (value: Json | undefined): boolean => Number.isInteger(value) && Number(value) >= 0;

/** Keywords whose value must be of one kind: the meta-schema refuses others. */
const checks: ReadonlyMap<string, (value: Json | undefined) => boolean> = new Map([
  ...['title', 'description', 'format', '$anchor'].map((keyword) => [keyword, isText] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((keyword) => [keyword, isNumber] as const),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (keyword) => [keyword, isCount] as const,
  ),
  ['multipleOf', (value) => typeof value === 'number' && value > 0],
  ['uniqueItems', (value) => typeof value === 'boolean'],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['pattern', isPattern],
]);

/** Names of a dialect, which services refuse or ignore; `$id` would change what a `$ref` means. */
const dropped: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  '$comment',
  '$vocabulary',
  'nullable',
  '__proto__',
  'required',
]);
const named: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const listed: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const single: ReadonlySet<string> = new Set([
  'additionalProperties',
  'items',
  'not',
  'contains',
  'if',
  'then',
  'else',
  'propertyNames',
]);

/** Returns a schema at any depth with valid keywords only. `true` becomes the empty schema. */
function normalize(schema: Json | undefined, root: JsonObject): JsonObject {
  const from = toObject(schema);
  const to: Record<string, Json | undefined> = {};
  for (const [keyword, value] of Object.entries(from)) {
    // Its value is set below; here it gets its place.
    if (keyword === 'required') to.required = undefined;
    if (dropped.has(keyword)) continue;
    if (keyword === 'type') to.type = toType(value, from.nullable === true);
    else if (keyword === '$ref')
      to.$ref = isText(value) && resolve(toText(value), root) !== undefined ? value : undefined;
    else if (named.has(keyword)) to[keyword] = normalizeEach(value, root);
    else if (listed.has(keyword))
      to[keyword] = Array.isArray(value) && value.length > 0 ? normalizeList(value, root) : undefined;
    // A list of schemas is `prefixItems` since draft 2020-12.
    else if (keyword === 'items' && Array.isArray(value)) to.prefixItems = normalizeList(value, root);
    else if (single.has(keyword))
      to[keyword] = typeof value === 'boolean' && keyword !== 'items' ? value : normalize(value, root);
    else if (checks.get(keyword)?.(value) ?? true) to[keyword] = value;
  }
  Object.assign(to, exclusive(from, 'minimum', 'exclusiveMinimum'), exclusive(from, 'maximum', 'exclusiveMaximum'));
  if (isJsonObject(to.properties)) to.type ??= 'object';
  const all: readonly (Json | undefined)[] = Array.isArray(to.type) ? to.type : [to.type];
  if (all.includes('object')) to.properties ??= {};
  if (all.includes('array')) to.items ??= {};
  const required = requiredOf(from);
  to.required = required.length > 0 ? required : undefined;
  return defined(to);
}

function toType(type: Json | undefined, nullable: boolean): Json | undefined {
  const known = (Array.isArray(type) ? toList(type) : [type]).filter((one) => types.has(one));
  const all = [...new Set(nullable && known.length > 0 ? [...known, 'null'] : known)];
  return all.length > 1 ? all.map(toText) : all[0];
}

function normalizeList(list: Json | undefined, root: JsonObject): readonly JsonObject[] {
  return toList(list).map((one) => normalize(one, root));
}

/** A property that is `false` is never allowed: it is left out. */
function normalizeEach(schemas: Json | undefined, root: JsonObject): JsonObject {
  const entries = Object.entries(toObject(schemas)).filter(([, one]) => one !== false);
  return Object.fromEntries(entries.map(([name, one]) => [name, normalize(one, root)]));
}

/** `exclusiveMinimum: true` beside a `minimum` is draft 4. */
function exclusive(schema: JsonObject, limit: string, keyword: string): JsonObject {
  return schema[keyword] === true && typeof schema[limit] === 'number'
    ? { [limit]: undefined, [keyword]: schema[limit] }
    : {};
}

/** The names that are required: in a list, or in the properties themselves (`required: true`, draft 3). */
function requiredOf({ required, properties }: JsonObject): readonly string[] {
  const own = Object.entries(toObject(properties)).filter(([, one]) => toObject(one).required === true);
  return [...new Set([...toList(required).filter((name) => typeof name === 'string'), ...own.map(([name]) => name)])];
}

/** Whether a text is a regular expression. */
function isPattern(value: Json | undefined): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

const alternatives = ['anyOf', 'oneOf', 'allOf'] as const;

/**
 * Returns a schema without alternatives at the top, where services refuse them: with the properties of all of them, required where each
 * requires them. The description contains the alternatives as they were.
 */
function withoutAlternatives(schema: JsonObject): JsonObject {
  const {
    anyOf,
    oneOf,
    allOf,
    not,
    enum: values,
    const: value,
    if: condition,
    then,
    else: other,
    $ref,
    ...rest
  } = schema;
  const removed = [anyOf, oneOf, allOf, not, values, value, condition, then, other, $ref];
  if (removed.every((one) => one === undefined)) return schema;
  const seen = new Set<Json>();
  const merged = new Map(Object.entries(toObject(rest.properties)).map(([name, one]) => [name, [one ?? {}]]));
  const required = new Set(requiredOf(rest));

  /** Adds the properties of an alternative, and returns what it requires. */
  function add(given: Json): ReadonlySet<string> {
    const part = toObject(given);
    const needs = new Set(requiredOf(part));
    if (seen.has(part)) return needs;
    seen.add(part);
    for (const [name, one] of Object.entries(toObject(part.properties)))
      merged.set(name, [...(merged.get(name) ?? []), one ?? {}]);
    if (typeof part.$ref === 'string') for (const name of add(resolve(part.$ref, schema) ?? {})) needs.add(name);
    for (const one of toList(part.allOf)) for (const name of add(one)) needs.add(name);
    for (const keyword of ['anyOf', 'oneOf'] as const)
      for (const name of common(toList(part[keyword]).map(add))) needs.add(name);
    return needs;
  }

  for (const name of add({ anyOf, oneOf, allOf, $ref })) required.add(name);
  const properties = Object.fromEntries([...merged].map(([name, schemas]) => [name, anyOfThese(schemas)]));
  const words = alternatives.some((keyword) => schema[keyword] !== undefined)
    ? JSON.stringify({ anyOf, oneOf, allOf })
    : '';
  return {
    ...rest,
    type: 'object',
    properties,
    required: [...required],
    // Closed alternatives would close the merged schema to each other's properties.
    additionalProperties: undefined,
    description:
      [toText(rest.description), words.length > 2_000 ? '' : words].filter(Boolean).join('\n\n') || undefined,
  };
}

/** Returns the names that are in all sets. */
function common(sets: readonly ReadonlySet<string>[]): readonly string[] {
  return [...(sets[0] ?? [])].filter((name) => sets.every((one) => one.has(name)));
}

function anyOfThese(schemas: readonly Json[]): Json {
  const unique = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()];
  return unique.length === 1 ? (unique[0] ?? {}) : { anyOf: unique };
}
