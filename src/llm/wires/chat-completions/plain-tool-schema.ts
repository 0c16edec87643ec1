import { defined, type Json, type JsonObject } from '../../../core/json.ts';
import { toList, toObject, toText } from '../../../core/model/read-json.ts';

/** What a schema without a type allows. */
const anyType: readonly string[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];
/** Keywords that say what a value is without `type`. */
const kinds = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'not'] as const;

/** Returns the input schema of a tool with a type at each place and without `pattern`: see `plainSchemas` in `compat.ts`. */
export function toPlain(schema: JsonObject): JsonObject {
  const { properties, $defs, items, prefixItems, anyOf, oneOf, allOf, additionalProperties, pattern, ...rest } = schema;
  const words = pattern === undefined ? '' : `Pattern: ${toText(pattern)}`;
  const description = [toText(rest.description), words].filter(Boolean).join('\n\n');
  return defined({
    ...rest,
    ...(kinds.every((kind) => schema[kind] === undefined) && { type: anyType }),
    ...(description !== '' && { description }),
    properties: eachOf(properties),
    items: one(items),
    prefixItems: listOf(prefixItems),
    anyOf: listOf(anyOf),
    oneOf: listOf(oneOf),
    allOf: listOf(allOf),
    additionalProperties: typeof additionalProperties === 'boolean' ? additionalProperties : one(additionalProperties),
    $defs: eachOf($defs),
  });
}

function one(schema: Json | undefined): JsonObject | undefined {
  return schema === undefined ? undefined : toPlain(toObject(schema));
}

function listOf(list: Json | undefined): readonly JsonObject[] | undefined {
  return list === undefined ? undefined : toList(list).map((schema) => toPlain(toObject(schema)));
}

function eachOf(schemas: Json | undefined): JsonObject | undefined {
  if (schemas === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(toObject(schemas)).map(([name, schema]) => [name, toPlain(toObject(schema))]),
  );
}
