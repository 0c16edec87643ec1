import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { toList, toObject, toText } from '../../core/model/read-json.ts';
import { createReferences, type References } from '../../core/tools/references.ts';

/** Keywords that OpenAI's strict mode and Anthropic's `output_config` both accept unchanged. */
const plain: ReadonlySet<string> = new Set(['type', 'enum', 'const', 'title', 'description', 'required']);
const formats: ReadonlySet<Json | undefined> = new Set(
  'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '),
);
/** Keywords that are handled apart. */
const structure: ReadonlySet<string> = new Set(
  '$ref $defs definitions properties anyOf oneOf allOf items prefixItems additionalProperties nullable'.split(' '),
);

/**
 * Reduces a JSON Schema to the part that every provider accepts: objects with known properties are closed, `oneOf` becomes `anyOf`, what a
 * `$ref` names is in `$defs` at the top, a tuple becomes a list of its kinds, and all other keywords (bounds, patterns, defaults) become
 * part of the description, where the model reads them. The reader of the answer must validate those keywords.
 *
 * @throws AgentError `INVALID_CONFIG` for a `$ref` that leads nowhere
 */
export function toPlainSchema(schema: JsonObject): JsonObject {
  const references = createReferences(schema, reduce);
  const root = reduce(schema, references);
  const definitions = references.definitions();
  return { ...root, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) };
}

function reduce(given: Json | undefined, references: References): JsonObject {
  const schema = toObject(given);
  const { $ref, properties, anyOf, oneOf, allOf, additionalProperties, nullable } = schema;
  const kept: Record<string, Json | undefined> = {};
  const described: Record<string, Json | undefined> = {};
  const each = (list: Json | undefined): readonly JsonObject[] => toList(list).map((one) => reduce(one, references));

  for (const [keyword, value] of Object.entries(schema)) {
    if (plain.has(keyword) || (keyword === 'format' && formats.has(value))) kept[keyword] = value;
    // Its value is set below; here it gets its place.
    else if (structure.has(keyword)) kept[keyword === 'oneOf' ? 'anyOf' : keyword] = undefined;
    else if (!isNoise(keyword, value, schema)) described[keyword] = value;
  }
  if (isJsonObject(properties)) {
    const names = Object.entries(properties).filter(([, one]) => one !== false);
    kept.properties = Object.fromEntries(names.map(([name, one]) => [name, reduce(one, references)]));
  }
  if (Array.isArray(anyOf) || Array.isArray(oneOf)) kept.anyOf = each(anyOf ?? oneOf);
  if (Array.isArray(anyOf) && Array.isArray(oneOf)) described.oneOf = oneOf;
  // One schema of which all must hold is that schema.
  if (Array.isArray(allOf)) kept[allOf.length === 1 && kept.anyOf === undefined ? 'anyOf' : 'allOf'] = each(allOf);
  if (typeof $ref === 'string') Object.assign(kept, refer(references.nameOf($ref), kept));
  withItems(schema, kept, described, references);
  if (additionalProperties !== undefined)
    kept.additionalProperties = isJsonObject(additionalProperties)
      ? reduce(additionalProperties, references)
      : additionalProperties;
  kept.type ??= typeOf(kept);
  if (isJsonObject(kept.properties)) {
    kept.additionalProperties ??= false;
    kept.properties = withRequired(kept.properties, kept.required);
  }
  if (Object.keys(described).length > 0)
    kept.description = [toText(schema.description), JSON.stringify(described)].filter(Boolean).join('\n\n');
  return nullable === true ? orNull(kept) : withoutUndefined(kept);
}

/** OpenAI's strict mode refuses words beside a `$ref`, not beside an `anyOf`. */
function refer(name: string, { anyOf, allOf, ...beside }: JsonObject): JsonObject {
  const ref = { $ref: name };
  if (anyOf !== undefined || allOf !== undefined)
    return { anyOf: undefined, allOf: [...toList(allOf), ...(anyOf === undefined ? [] : [{ anyOf }]), ref] };
  return Object.values(beside).every((value) => value === undefined) ? ref : { anyOf: [ref] };
}

/** A list has one schema for its items. The schemas of a tuple become alternatives, and their order a part of the description. */
function withItems(
  { type, items, prefixItems }: JsonObject,
  kept: Record<string, Json | undefined>,
  described: Record<string, Json | undefined>,
  references: References,
): void {
  const tuple = Array.isArray(items) ? items : prefixItems;
  if (Array.isArray(tuple)) {
    const kinds = new Map(toList(tuple).map((one) => [JSON.stringify(one), reduce(one, references)]));
    if (isJsonObject(items)) kinds.set(JSON.stringify(items), reduce(items, references));
    kept.items = kinds.size === 1 ? [...kinds.values()][0] : { anyOf: [...kinds.values()] };
    described.prefixItems = tuple;
  } else if (isJsonObject(items)) kept.items = reduce(items, references);
  else if (type === 'array' || toList(type).includes('array')) kept.items = {};
}

/** A property that is required must be described. */
function withRequired(properties: JsonObject, required: Json | undefined): JsonObject {
  const missing = toList(required).filter((name) => typeof name === 'string' && !Object.hasOwn(properties, name));
  return { ...properties, ...Object.fromEntries(missing.map((name) => [toText(name), {}])) };
}

/** Strict services want a type in each schema: that of its values, or of its keywords. */
function typeOf({ properties, items, enum: values, const: value, anyOf, allOf, $ref }: JsonObject): Json | undefined {
  if (anyOf !== undefined || allOf !== undefined || $ref !== undefined) return undefined;
  if (properties !== undefined) return 'object';
  if (items !== undefined) return 'array';
  const all = value === undefined ? toList(values) : [value];
  const found = [...new Set(all.map((one) => (one === null ? 'null' : Array.isArray(one) ? 'array' : typeof one)))];
  return found.length > 1 ? found : found[0];
}

/** `nullable` is OpenAPI's word for a type that allows null. */
function orNull({ description, title, ...schema }: Record<string, Json | undefined>): JsonObject {
  return withoutUndefined({ title, description, anyOf: [withoutUndefined(schema), { type: 'null' }] });
}

function withoutUndefined(schema: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** Whether a schema library generated the keyword without a meaning. */
function isNoise(keyword: string, value: Json | undefined, { format }: JsonObject): boolean {
  return (
    ['$schema', '$id', '$anchor', '$comment'].includes(keyword) ||
    (keyword === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') ||
    // The pattern repeats a format that is kept.
    (keyword === 'pattern' && formats.has(format)) ||
    (typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER)
  );
}

/**
 * Whether a reduced schema fits OpenAI's strict mode: every object is closed and requires all of its properties, every schema has a type,
 * alternatives or a lone `$ref`, no schema uses `allOf`, and the top is an object without alternatives.
 */
export function isStrict(schema: JsonObject): boolean {
  return schema.type === 'object' && schema.anyOf === undefined && schema.$ref === undefined && fitsStrict(schema);
}

function fitsStrict(schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return false;
  const { type, properties = {}, additionalProperties, required, allOf, anyOf, items, $defs = {}, $ref } = schema;
  const kinds = Array.isArray(type) ? toList(type) : [type];
  const own = toObject(properties);
  return (
    allOf === undefined &&
    (type !== undefined || anyOf !== undefined || $ref !== undefined) &&
    (!kinds.includes('object') || additionalProperties === false) &&
    Object.keys(own).every((name) => toList(required).includes(name)) &&
    [...Object.values(own), ...Object.values(toObject($defs)), ...toList(anyOf)].every(fitsStrict) &&
    (!kinds.includes('array') || fitsStrict(items))
  );
}

/**
 * Returns whether a reduced schema fits Anthropic's structured outputs ("JSON Schema limitations" of their documentation): every object is
 * closed, every schema has a type or alternatives, values are scalars, and no `$ref` leads back to where it is, or is in `allOf`.
 */
export function isClosed(schema: JsonObject): boolean {
  const definitions = toObject(schema.$defs);

  function fits(given: Json | undefined, within: readonly string[]): boolean {
    if (!isJsonObject(given)) return false;
    const { type, properties, additionalProperties, allOf, anyOf, items, enum: values, const: value, $ref } = given;
    if (typeof $ref === 'string') {
      const name = $ref.slice('#/$defs/'.length);
      return !within.includes(name) && fits(definitions[name], [...within, name]);
    }
    const kinds = Array.isArray(type) ? toList(type) : [type];
    const parts = [...toList(anyOf), ...toList(allOf), ...Object.values(toObject(properties))];
    return (
      (type !== undefined || anyOf !== undefined || allOf !== undefined) &&
      (!kinds.includes('object') || additionalProperties === false) &&
      [...toList(values), value].every((one) => typeof one !== 'object' || one === null) &&
      toList(allOf).every((one) => toObject(one).$ref === undefined) &&
      (!kinds.includes('array') || fits(items, within)) &&
      parts.every((part) => fits(part, within))
    );
  }

  return fits(schema, []);
}
