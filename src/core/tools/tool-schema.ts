import { defined, isJsonObject, type Json, type JsonObject } from '../json.ts';
import { toList, toObject, toText } from '../model/read-json.ts';
import { distributed, requiredOf, withoutAlternatives, withoutForeignKeywords } from './alternatives.ts';
import { resolve } from './json-schema.ts';
import { createReferences, type References } from './references.ts';

/** Characters that the parts of alternatives may add to a schema. */
const maxAdded = 50_000;

/**
 * Returns the input schema of a tool in the form that every service accepts. A tool may be that of an untrusted server, and a service that
 * refuses the schema of one tool refuses every request: OpenAI wants `properties` of objects, `items` of lists, and no alternatives at the
 * top; Anthropic and Mistral check schemas against draft 2020-12; Gemini knows no `$schema`; Moonshot resolves references to `$defs` alone,
 * and wants `type` in each alternative, not beside them. What the schema allows stays the same as far as services can express it; calls are
 * checked against the original.
 */
export function toToolSchema(schema: JsonObject): JsonObject {
  const root = withoutAlternatives(schema);
  let left = maxAdded;
  const spend = (characters: number): boolean => (left -= characters) >= 0;
  const references = createReferences(root, (place, all) => normalize(place, { root, references: all, spend }));
  const { type: _type, ...rest } = normalize(root, { root, references, spend });
  const $defs = references.definitions();
  return { type: 'object', ...rest, ...(Object.keys($defs).length > 0 && { $defs }) };
}

/** What the normalization of a whole schema knows. */
interface Whole {
  readonly root: JsonObject;
  readonly references: References;
  readonly spend: (characters: number) => boolean;
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
  // What a reference names is written to `$defs` at the top.
  '$defs',
  'definitions',
]);
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);
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
function normalize(schema: Json | undefined, whole: Whole): JsonObject {
  const from = toObject(schema);
  const to: Record<string, Json | undefined> = {};
  for (const [keyword, value] of Object.entries(from)) {
    // Its value is set below; here it gets its place.
    if (keyword === 'required') to.required = undefined;
    if (dropped.has(keyword)) continue;
    if (keyword === 'type') to.type = toType(value, from.nullable === true);
    else if (keyword === '$ref')
      to.$ref = resolve(toText(value), whole.root) === undefined ? undefined : whole.references.nameOf(toText(value));
    else if (named.has(keyword)) to[keyword] = normalizeEach(value, whole);
    else if (listed.has(keyword))
      to[keyword] = Array.isArray(value) && value.length > 0 ? normalizeList(value, whole) : undefined;
    // A list of schemas is `prefixItems` since draft 2020-12.
    else if (keyword === 'items' && Array.isArray(value)) to.prefixItems = normalizeList(value, whole);
    else if (single.has(keyword))
      to[keyword] = typeof value === 'boolean' && keyword !== 'items' ? value : normalize(value, whole);
    // A list of one value; Gemini knows no `const`.
    else if (keyword === 'const') to.enum = [value ?? null];
    else if (checks.get(keyword)?.(value) ?? true) to[keyword] = value;
  }
  if (to.$ref !== undefined) return besideRef(to, from.nullable === true);
  Object.assign(to, exclusive(from, 'minimum', 'exclusiveMinimum'), exclusive(from, 'maximum', 'exclusiveMaximum'));
  const required = requiredOf(from);
  to.type ??= required.length > 0 ? 'object' : typeOf(to);
  complete(to, required);
  return distributed(withoutForeignKeywords(defined(to)), whole.spend);
}

/** Adds what services want of an object and of a list. A property that is required must be described. */
function complete(to: Record<string, Json | undefined>, required: readonly string[]): void {
  const types: readonly (Json | undefined)[] = Array.isArray(to.type) ? to.type : [to.type];
  if (types.includes('object')) {
    const missing = required.filter((name) => !Object.hasOwn(toObject(to.properties), name));
    to.properties = { ...toObject(to.properties), ...Object.fromEntries(missing.map((name) => [name, {}])) };
    // The empty schema allows everything; services make a rule of `true` more readily.
    if (isJsonObject(to.additionalProperties) && Object.keys(to.additionalProperties).length === 0)
      to.additionalProperties = true;
  }
  if (types.includes('array')) to.items ??= {};
  to.required = required.length > 0 ? required : undefined;
}

/** Returns the type that a schema implies: that of its properties, or of all of its values. */
function typeOf({ properties, enum: values }: JsonObject): Json | undefined {
  if (isJsonObject(properties)) return 'object';
  const all = new Set(toList(values).map((one) => (one === null ? 'null' : Array.isArray(one) ? 'array' : typeof one)));
  return all.size === 1 ? [...all][0] : undefined;
}

/** Returns a reference with its description, and without other keywords: draft 7 ignores them, and Moonshot refuses them. */
function besideRef({ $ref, title, description, default: value }: JsonObject, nullable: boolean): JsonObject {
  const words = defined({ title, description, default: value });
  if (!nullable && Object.keys(words).length === 0) return defined({ $ref });
  return { ...words, anyOf: [defined({ $ref }), ...(nullable ? [{ type: 'null' }] : [])] };
}

function toType(type: Json | undefined, nullable: boolean): Json | undefined {
  const known = (Array.isArray(type) ? toList(type) : [type]).filter((one) => types.has(one));
  const all = [...new Set(nullable && known.length > 0 ? [...known, 'null'] : known)];
  return all.length > 1 ? all.map(toText) : all[0];
}

function normalizeList(list: Json | undefined, whole: Whole): readonly JsonObject[] {
  return toList(list).map((one) => normalize(one, whole));
}

/** A property that is `false` is never allowed: it is left out. */
function normalizeEach(schemas: Json | undefined, whole: Whole): JsonObject {
  const entries = Object.entries(toObject(schemas)).filter(([, one]) => one !== false);
  return Object.fromEntries(entries.map(([name, one]) => [name, normalize(one, whole)]));
}

/** `exclusiveMinimum: true` beside a `minimum` is draft 4. */
function exclusive(schema: JsonObject, limit: string, keyword: string): JsonObject {
  return schema[keyword] === true && typeof schema[limit] === 'number'
    ? { [limit]: undefined, [keyword]: schema[limit] }
    : {};
}

/** Whether a text is a regular expression. */
function isPattern(value: Json | undefined): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
