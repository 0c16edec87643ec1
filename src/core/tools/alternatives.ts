import type { Json, JsonObject } from '../json.ts';
import { toList, toObject, toText } from '../model/read-json.ts';
import { resolve } from './json-schema.ts';

/** Keywords that may stand beside alternatives: they describe, and restrict nothing. */
const annotations: ReadonlySet<string> = new Set(
  'title description default examples deprecated readOnly writeOnly'.split(' '),
);
/** Keywords that hold beside alternatives, and that no service merges into them. */
const kept: ReadonlySet<string> = new Set('anyOf oneOf allOf not if then else'.split(' '));

/** Keywords that restrict values of one type. */
const ofType: Readonly<Record<string, ReadonlySet<string>>> = {
  object: new Set(
    'properties required additionalProperties patternProperties propertyNames minProperties maxProperties dependentRequired dependentSchemas'.split(
      ' ',
    ),
  ),
  array: new Set('items prefixItems contains minContains maxContains minItems maxItems uniqueItems'.split(' ')),
  string: new Set('minLength maxLength pattern format'.split(' ')),
};

/** Whether a keyword can restrict a value of these types. */
function isFor(keyword: string, types: Json | undefined): boolean {
  const owner = Object.entries(ofType).find(([, keywords]) => keywords.has(keyword));
  return owner === undefined || types === undefined || types === owner[0] || toList(types).includes(owner[0]);
}

/** Returns a schema without the keywords that its types make meaningless: Gemini refuses `properties` of a text. */
export function withoutForeignKeywords(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => isFor(keyword, schema.type)));
}

/**
 * Returns a schema with nothing but annotations beside its `anyOf` or `oneOf`: what holds for all alternatives becomes a part of each. The values
 * that it allows stay the same. Moonshot refuses a `type` beside alternatives, and llama.cpp reads the alternatives alone.
 *
 * @param spend returns whether so many more characters may be added: a small schema could become a large one
 */
export function distributed(schema: JsonObject, spend: (characters: number) => boolean): JsonObject {
  const keyword = schema.anyOf === undefined ? 'oneOf' : 'anyOf';
  const parts = toList(schema[keyword]);
  const entries = Object.entries(schema);
  const shared = Object.fromEntries(entries.filter(([name]) => !annotations.has(name) && !kept.has(name)));
  if (parts.length === 0 || Object.keys(shared).length === 0) return schema;
  if (!spend(JSON.stringify(shared).length * parts.length)) return schema;
  return {
    ...Object.fromEntries(entries.filter(([name]) => annotations.has(name) || kept.has(name))),
    [keyword]: parts.map((part) => distributed(merged(shared, toObject(part)), spend)),
  };
}

/** Returns an alternative with what holds for all of them. A reference stays alone: what it names has a type. */
function merged(shared: JsonObject, part: JsonObject): JsonObject {
  if (part.$ref !== undefined) return part;
  const both = { ...shared, ...part };
  const required = [...new Set([...toList(shared.required), ...toList(part.required)])];
  const all = toObject(shared.properties);
  // A property of an alternative that only has to be there is described beside the alternatives.
  const own = Object.entries(toObject(part.properties)).filter(
    ([name, one]) => !Object.hasOwn(all, name) || Object.keys(toObject(one)).length > 0,
  );
  return withoutForeignKeywords({
    ...both,
    ...(both.properties !== undefined && { properties: { ...all, ...Object.fromEntries(own) } }),
    ...(required.length > 0 && { required }),
  });
}

const atTop = ['anyOf', 'oneOf', 'allOf'] as const;

/** Names that an object requires: in a list, or in the properties themselves (`required: true`, draft 3). */
export function requiredOf({ required, properties }: JsonObject): readonly string[] {
  const own = Object.entries(toObject(properties)).filter(([, one]) => toObject(one).required === true);
  return [...new Set([...toList(required).filter((name) => typeof name === 'string'), ...own.map(([name]) => name)])];
}

/**
 * Returns a schema without alternatives at the top, where services refuse them: with the properties of all of them, required where each
 * requires them. The description contains the alternatives as they were.
 */
export function withoutAlternatives(schema: JsonObject): JsonObject {
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
  const merging = new Map(Object.entries(toObject(rest.properties)).map(([name, one]) => [name, [one ?? {}]]));
  const required = new Set(requiredOf(rest));

  /** Adds the properties of an alternative, and returns what it requires. */
  function add(given: Json): ReadonlySet<string> {
    const part = toObject(given);
    const needs = new Set(requiredOf(part));
    if (seen.has(part)) return needs;
    seen.add(part);
    for (const [name, one] of Object.entries(toObject(part.properties)))
      merging.set(name, [...(merging.get(name) ?? []), one ?? {}]);
    if (typeof part.$ref === 'string') for (const name of add(resolve(part.$ref, schema) ?? {})) needs.add(name);
    for (const one of toList(part.allOf)) for (const name of add(one)) needs.add(name);
    for (const keyword of ['anyOf', 'oneOf'] as const)
      for (const name of common(toList(part[keyword]).map(add))) needs.add(name);
    return needs;
  }

  for (const name of add({ anyOf, oneOf, allOf, $ref })) required.add(name);
  const properties = Object.fromEntries([...merging].map(([name, schemas]) => [name, anyOfThese(schemas)]));
  const words = atTop.some((keyword) => schema[keyword] !== undefined) ? JSON.stringify({ anyOf, oneOf, allOf }) : '';
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
