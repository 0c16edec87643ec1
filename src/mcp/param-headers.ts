import { isJsonObject, type JsonObject } from '../core/json.ts';
import { toText } from '../core/model/read-json.ts';

/** A parameter of a tool that its server reads from a header, too (`x-mcp-header`). */
export interface ParamHeader {
  readonly name: string;
  /** Where the value is in the input. */
  readonly path: readonly string[];
}

const key = 'x-mcp-header';

/** Returns the header parameters of a schema, or the reason why the protocol forbids them. */
export function paramHeadersOf(schema: JsonObject): readonly ParamHeader[] | string {
  const found = collect(schema, []);
  if (!found.every(({ name, type }) => /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^(string|integer|boolean)$/.test(type)))
    return `${key} is not a header name, or is of a parameter that is not a text, an integer or a boolean`;
  if (new Set(found.map(({ name }) => name.toLowerCase())).size < found.length)
    return `two parameters have the same ${key}`;
  if (JSON.stringify(schema).split(`"${key}":`).length - 1 > found.length) return `${key} is not of a plain property`;
  return found;
}

function collect(schema: JsonObject, path: readonly string[]): readonly (ParamHeader & { readonly type: string })[] {
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([property, inner]) => {
    if (!isJsonObject(inner)) return [];
    const at = [...path, property];
    const own = inner[key] === undefined ? [] : [{ name: toText(inner[key]), path: at, type: toText(inner.type) }];
    return [...own, ...collect(inner, at)];
  });
}
