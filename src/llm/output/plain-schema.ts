import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { toText } from '../../core/model/read-json.ts';

/** Keywords that OpenAI's strict mode and Anthropic's `output_config` both accept unchanged. */
const plain: ReadonlySet<string> = new Set(['type', '$ref', 'enum', 'const', 'title', 'description', 'required']);
/** Keywords with schemas by name. */
const named: ReadonlySet<string> = new Set(['properties', '$defs']);
/** Keywords with lists of schemas. */
const listed: ReadonlySet<string> = new Set(['anyOf', 'allOf']);
const formats: ReadonlySet<Json | undefined> = new Set(
  'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '),
);

/**
 * Reduces a JSON Schema to the part that every provider accepts: objects with known properties are closed, `oneOf` becomes `anyOf`, and
 * all other keywords (bounds, patterns, defaults) become part of the description, where the model reads them. The reader of the answer
 * must validate those keywords.
 */
export function toPlainSchema(schema: JsonObject): JsonObject {
  const kept: Record<string, Json | undefined> = {};
  const described: Record<string, Json | undefined> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (plain.has(keyword) || (keyword === 'format' && formats.has(value))) kept[keyword] = value;
    else if (named.has(keyword) && isJsonObject(value))
      kept[keyword] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toPlain(one)]));
    else if (keyword === 'oneOf' || listed.has(keyword))
      kept[keyword === 'oneOf' ? 'anyOf' : keyword] = Array.isArray(value) ? value.map(toPlain) : undefined;
    else if (keyword === 'items' || keyword === 'additionalProperties') kept[keyword] = toPlain(value);
    else if (!isNoise(keyword, value, schema)) described[keyword] = value;
  }
  if (isJsonObject(kept.properties)) kept.additionalProperties ??= false;
  if (Object.keys(described).length > 0)
    kept.description = [toText(schema.description), JSON.stringify(described)].filter(Boolean).join('\n\n');
  return kept;
}

function toPlain(schema: Json | undefined): Json {
  return isJsonObject(schema) ? toPlainSchema(schema) : (schema ?? null);
}

/** Whether a schema library generated the keyword without a meaning. */
function isNoise(keyword: string, value: Json | undefined, { format }: JsonObject): boolean {
  return (
    keyword === '$schema' ||
    (keyword === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') ||
    // The pattern repeats a format that is kept.
    (keyword === 'pattern' && formats.has(format)) ||
    (typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER)
  );
}

/** Whether every object is closed and requires all of its properties, and no schema uses `allOf`: OpenAI's strict mode requires this. */
export function isStrict(schema: Json | undefined): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (!isJsonObject(schema)) return true;
  const { type, properties, additionalProperties, required = [], allOf, anyOf, items, $defs } = schema;
  const own = isJsonObject(properties) ? properties : {};
  return (
    allOf === undefined &&
    (type !== 'object' || additionalProperties === false) &&
    Object.keys(own).every((name) => Array.isArray(required) && required.includes(name)) &&
    [...Object.values(own), ...(isJsonObject($defs) ? Object.values($defs) : []), anyOf, items].every(isStrict)
  );
}
