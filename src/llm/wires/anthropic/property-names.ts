import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import { toList } from '../../../core/model/read-json.ts';

/** "Property keys should match pattern": the error of the service, for every request with such a tool. */
const valid = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Returns a tool's schema without the properties whose names the service refuses: the model cannot pass them there. */
export function withValidNames(schema: JsonObject): JsonObject {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return schema;
  const entries = Object.entries(properties);
  if (entries.every(([name]) => valid.test(name))) return schema;
  const names = toList(required).filter((name) => typeof name === 'string' && valid.test(name));
  return {
    ...schema,
    properties: Object.fromEntries(entries.filter(([name]) => valid.test(name))),
    ...(required !== undefined && { required: names }),
  };
}
