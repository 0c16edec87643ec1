import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts';
import { toList, toObject, toText } from '../../src/core/model/read-json.ts';
import type { Rule, ServiceRequest } from './service.ts';

// What services refuse of the schemas of typed answers.

/** Yields a schema and all schemas in it. */
function* nodesOf(schema: Json | undefined): Generator<JsonObject> {
  if (Array.isArray(schema)) {
    for (const one of toList(schema)) yield* nodesOf(one);
    return;
  }
  if (!isJsonObject(schema)) return;
  yield schema;
  for (const field of ['properties', '$defs', 'definitions'])
    for (const one of Object.values(toObject(schema[field]))) yield* nodesOf(one);
  for (const field of ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'])
    yield* nodesOf(schema[field]);
}

/** Returns the first words that `check` has for a schema, or for one in it. */
export function firstIn(schema: Json | undefined, check: (node: JsonObject) => string | false): string | undefined {
  for (const node of nodesOf(schema)) {
    const words = check(node);
    if (words !== false) return words;
  }
  return undefined;
}

/** Whether a reference leads to a place of the schema. */
export const leads = (root: Json | undefined, ref: string): boolean =>
  ref
    .slice(2)
    .split('/')
    .reduce<Json | undefined>((at, key) => toObject(at)[key], root) !== undefined;

function checkStrict(schema: Json | undefined): string | undefined {
  return firstIn(schema, (node) => {
    const ref = toText(node.$ref);
    if (ref !== '' && Object.keys(node).length > 1) return `$ref cannot have keywords ${Object.keys(node).join(', ')}`;
    if (ref !== '') return !leads(schema, ref) && `reference ${ref} cannot be resolved`;
    if (node.type === undefined && node.anyOf === undefined && node.enum === undefined && node.const === undefined)
      return "schema must have a 'type' key";
    if (node.type !== 'object') return false;
    if (node.additionalProperties !== false) return "'additionalProperties' is required to be supplied and to be false";
    const missing = Object.keys(toObject(node.properties)).find((name) => !toList(node.required).includes(name));
    return missing !== undefined && `'required' is required to include '${missing}'`;
  });
}

/** Returns the schema of the typed answer, where it is strict. */
const strictSchema = ({ body }: ServiceRequest): Json | undefined => {
  const chat = toObject(toObject(body.response_format).json_schema);
  const format = toObject(toObject(body.text).format);
  return [chat, format].find(({ strict }) => strict === true)?.schema;
};

export const strictSchemaRule: Rule = {
  refuses: 'a strict schema with words beside $ref, without a type, with open objects or optional fields',
  source:
    'OpenAI docs, "Structured Outputs", supported schemas; 400 "$ref cannot have keywords" (langchain-ai/langchainjs#11381)',
  check: (request) => checkStrict(strictSchema(request)),
};

export const closedSchemaRule: Rule = {
  refuses: 'a schema of the answer with open objects, or with a reference that leads nowhere',
  source: 'Anthropic docs, "Structured outputs", JSON Schema limitations (veryfront/veryfront-code#3918)',
  check({ body }) {
    const { schema } = toObject(toObject(body.output_config).format);
    return firstIn(schema, (node) => {
      if (node.$ref !== undefined)
        return !leads(schema, toText(node.$ref)) && `${toText(node.$ref)} cannot be resolved`;
      return (
        node.type === 'object' &&
        node.additionalProperties !== false &&
        "For 'object' type, 'additionalProperties' must be explicitly set to false"
      );
    });
  },
};
