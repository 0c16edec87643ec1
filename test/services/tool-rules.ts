import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts';
import { toList, toObject, toText } from '../../src/core/model/read-json.ts';
import { firstIn, leads } from './schema-rules.ts';
import type { Rule, ServiceRequest } from './service.ts';

// What services refuse of tools: their names, and the schemas of their input. One refused tool makes every request fail.

interface SentTool {
  readonly name: string;
  readonly schema: JsonObject;
}

/** Returns the tools of a request, on each wire. */
const toolsOf = ({ body }: ServiceRequest): readonly SentTool[] =>
  toList(body.tools)
    .map(toObject)
    .map((tool) => {
      const { name, parameters, input_schema } = isJsonObject(tool.function) ? tool.function : tool;
      return { name: toText(name), schema: toObject(parameters ?? input_schema) };
    });

/** Creates a rule about the schema of each tool. */
function ofSchemas(refuses: string, source: string, check: (schema: JsonObject) => string | undefined): Rule {
  return {
    refuses,
    source,
    check: (request) =>
      toolsOf(request)
        .map(({ schema }) => check(schema))
        .find(Boolean),
  };
}

/** Creates a rule about each schema in the schema of each tool. */
function ofNodes(refuses: string, source: string, check: (node: JsonObject, root: JsonObject) => string | false): Rule {
  return ofSchemas(refuses, source, (schema) => firstIn(schema, (node) => check(node, schema)));
}

const isOf = ({ type }: JsonObject, kind: string): boolean => type === kind || toList(type).includes(kind);

export const openAITools: Rule = ofSchemas(
  'a tool whose schema has an object without properties, a list without items, or alternatives, values or a negation at the top',
  "OpenAI: 400 \"object schema missing properties\", \"array schema missing items\" (containers/kubernetes-mcp-server#340, langchain-ai/langchain-mcp-adapters#137); 400 \"schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level\" (langchain-ai/langchainjs#9804, goruck/home-generative-agent#545)",
  (schema) => {
    if (schema.type !== 'object') return `schema must have type 'object', got ${JSON.stringify(schema.type)}`;
    const odd = ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'].find((keyword) => schema[keyword] !== undefined);
    if (odd !== undefined) return `schema must not have '${odd}' at the top level`;
    if (!isJsonObject(schema.properties)) return 'object schema missing properties';
    return firstIn(schema, (node) => node.type === 'array' && node.items === undefined && 'array schema missing items');
  },
);

/** Values that the meta-schema of draft 2020-12 demands. */
const demanded: Readonly<Record<string, (value: Json | undefined) => boolean>> = {
  $schema: (value) => value === 'https://json-schema.org/draft/2020-12/schema',
  properties: isJsonObject,
  required: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  items: (value) => isJsonObject(value) || typeof value === 'boolean',
  exclusiveMinimum: (value) => typeof value === 'number',
  exclusiveMaximum: (value) => typeof value === 'number',
  description: (value) => typeof value === 'string',
  enum: Array.isArray,
  type: (value) =>
    (Array.isArray(value) ? toList(value) : [value]).every((one) =>
      ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'].includes(toText(one)),
    ),
};

/** Creates the rule of a service that checks schemas against the meta-schema. */
const validDraft = (source: string): Rule =>
  ofNodes(
    'a tool whose schema is not valid by draft 2020-12: keywords of earlier drafts, unknown types',
    source,
    (node) => {
      const wrong = Object.keys(node).find(
        (keyword) => Object.hasOwn(demanded, keyword) && demanded[keyword]?.(node[keyword]) === false,
      );
      return wrong !== undefined && `JSON schema is invalid: ${wrong} ${JSON.stringify(node[wrong])}`;
    },
  );

export const anthropicTools: readonly Rule[] = [
  validDraft(
    'Anthropic: 400 "JSON schema is invalid. It must match JSON Schema draft 2020-12" (anthropics/claude-code#586, blurrah/mcp-graphql#14)',
  ),
  ofSchemas(
    'a tool whose schema has alternatives at the top, or properties whose names have other signs than letters, digits, _, . and -',
    'Anthropic: 400 "input_schema does not support oneOf, allOf, or anyOf at the top level" (anthropics/claude-code#5973); 400 "Property keys should match pattern \'^[a-zA-Z0-9_.-]{1,64}$\'" (ComposioHQ/composio#3500)',
    (schema) => {
      if (schema.type !== 'object') return 'input_schema.type: Field required';
      if (['oneOf', 'anyOf', 'allOf'].some((keyword) => schema[keyword] !== undefined))
        return 'input_schema does not support oneOf, allOf, or anyOf at the top level';
      const odd = Object.keys(toObject(schema.properties)).find((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name));
      return odd === undefined ? undefined : `Property keys should match pattern: ${odd}`;
    },
  ),
];

export const mistralTools: Rule = validDraft(
  'Mistral: 400 "Invalid tool schema: … is not valid under any of the given schemas" (SylphxAI/pdf-reader-mcp#63)',
);

/** Creates the rule of a service that wants a letter at the beginning of a name. */
const lettersFirst = (source: string, pattern: RegExp): Rule => ({
  refuses: 'a tool whose name begins with a digit',
  source,
  check: (request) => {
    const odd = toolsOf(request).find(({ name }) => !pattern.test(name));
    return odd && `the name ${odd.name} must start with a letter`;
  },
});

export const geminiTools: readonly Rule[] = [
  lettersFirst(
    'Gemini: 400 "Invalid function name. Must start with a letter or an underscore" (diegosouzapw/OmniRoute#13715, google-gemini/gemini-cli#7878)',
    /^[a-z_]/i,
  ),
  ofNodes(
    'a tool whose schema has properties or required names of a value that is no object',
    'Gemini: 400 "parameters.properties[…].properties: only allowed for OBJECT type" (anomalyco/opencode#11889)',
    (node) =>
      node.type !== undefined &&
      !isOf(node, 'object') &&
      (node.properties ?? node.required) !== undefined &&
      'properties: only allowed for OBJECT type',
  ),
];

export const groqTools: Rule = ofNodes(
  'a tool whose schema requires names without properties',
  "Groq: 400 \"invalid JSON schema for tool …: 'required' present but 'properties' is missing\" (usestrix/strix#1088, #1204)",
  (node) =>
    node.required !== undefined && node.properties === undefined && "'required' present but 'properties' is missing",
);

export const moonshotTools: readonly Rule[] = [
  lettersFirst(
    'Kimi: 400 "function name is invalid, must start with a letter" (MoonshotAI/kimi-cli#1773, #2531)',
    /^[a-z]/i,
  ),
  ofNodes(
    'a tool whose schema is not "Moonshot flavored": a type beside alternatives, words beside a reference, references to other places than $defs, no type, required names without a property, items as a list',
    'MoonshotAI/walle, docs/validation-principles.md, sections 2 and 8; 400 "not a valid moonshot flavored json schema" (MoonshotAI/kimi-code#2661, #1610, MoonshotAI/kimi-cli#2061, earendil-works/pi#4138, vercel/ai#18921)',
    (node, root) => {
      if (node === root && node.type !== 'object')
        return 'tools.function.parameters.type is required and must be "object"';
      const ref = node.$ref;
      if (ref !== undefined) {
        if (ref !== '#' && !toText(ref).startsWith('#/$defs/')) return 'references must start with #/$defs/';
        if (ref !== '#' && !leads(root, toText(ref))) return `invalid $ref path: ${toText(ref)}`;
        return Object.keys(node).length > 1 && 'conflicting keywords found after $ref expansion';
      }
      if (node.anyOf !== undefined)
        return node.type !== undefined && 'when using anyOf, type should be defined in anyOf items';
      if (node.type === undefined && node.oneOf === undefined && node.allOf === undefined) return 'type is not defined';
      if (node.items !== undefined && !isJsonObject(node.items)) return 'items must be an object';
      const properties = toObject(node.properties);
      const odd = Object.keys(properties).find((name) => !isJsonObject(properties[name]));
      if (odd !== undefined) return `property schema for '${odd}' must be an object`;
      const missing = toList(node.required).find((name) => !Object.hasOwn(properties, toText(name)));
      return missing !== undefined && `required property '${toText(missing)}' is not defined in properties`;
    },
  ),
];

/** What servers refuse that make a grammar of the schemas. */
export const grammarTools: Rule = ofNodes(
  'a tool whose schema has a pattern without ^ and $ or with classes such as \\d, or words without a type',
  'llama.cpp, and LM Studio and Ollama on it: 400 "JSON schema conversion failed: Pattern must start with \'^\' and end with \'$\'" (ggml-org/llama.cpp#26930, containers/kubernetes-mcp-server#758), "unknown escape" (NousResearch/hermes-agent#18530), "Unrecognized schema" (ggml-org/llama.cpp#14227)',
  (node) => {
    const pattern = toText(node.pattern);
    if (pattern !== '' && !/^\^.*\$$/.test(pattern)) return "Pattern must start with '^' and end with '$'";
    if (/\\[dswDSW]/.test(pattern)) return 'error parsing grammar: unknown escape';
    // The alternatives alone are read.
    if (node.$ref !== undefined || node.anyOf !== undefined || node.oneOf !== undefined || node.allOf !== undefined)
      return false;
    const isKnown = ['type', 'enum', 'const', 'properties', 'items', 'prefixItems'].some(
      (name) => node[name] !== undefined,
    );
    return !isKnown && Object.keys(node).length > 0 && `Unrecognized schema: ${JSON.stringify(node)}`;
  },
);

export const lmstudioTools: Rule = ofSchemas(
  'a tool whose schema has no properties',
  'LM Studio: 400 "invalid_type … function.parameters.properties Required" (unclecode/crawl4ai#2207)',
  ({ properties }) => (isJsonObject(properties) ? undefined : 'function.parameters.properties: Required'),
);

export const ollamaTools: Rule = ofNodes(
  'a tool whose properties are no object',
  'Ollama: 400 "json: cannot unmarshal array into Go struct field .tools.function.parameters.properties" (ollama/ollama#10328)',
  ({ properties }) =>
    properties !== undefined && !isJsonObject(properties) && 'cannot unmarshal array into Go struct field properties',
);
