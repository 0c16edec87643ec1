import { fail, toAgentError } from '../error.ts';
import { isJsonObject, type JsonObject, toJson } from '../json.ts';
import { copyJson } from '../model/copy-json.ts';
import { danglingRef, problemWith } from './json-schema.ts';

/** The part of Standard Schema v1 (standardschema.dev) that tools use; the schemas of zod, valibot and arktype fit. */
export interface StandardSchema<Output = unknown, Input = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Standard JSON Schema: returns the schema in the form that a model reads. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** JSON Schema as a plain object of `type: 'object'`. `json-schema.ts` lists the keywords that are checked. */
export type JsonSchema = JsonObject;

/** Schema of a JSON object: a Standard Schema that can also be written as JSON Schema, or plain JSON Schema. */
export type InputSchema = StandardSchema | JsonSchema;

/** The type of `execute`'s input for a schema: the schema's own output type, or a JSON object. */
export type InputOf<Schema extends InputSchema> = Schema extends StandardSchema<infer Output> ? Output : JsonObject;

/** The type of a value before the schema has converted it: what the log contains. */
export type UnconvertedOf<Schema extends InputSchema> =
  Schema extends StandardSchema<unknown, infer Input> ? (unknown extends Input ? JsonObject : Input) : JsonObject;

/** The result of checking an input: the schema's output value, or the problem, as text for the model. */
export type Validation = { readonly value: unknown; readonly problem?: undefined } | { readonly problem: string };

/** Checks a value against a schema. Rejects with the error that the schema throws. */
export type Check = (value: unknown) => Promise<Validation>;

export interface CompiledSchema {
  readonly jsonSchema: JsonObject;
  readonly validate: Check;
}

/**
 * Prepares a schema for checks, and for the model.
 *
 * @param of the owner of the schema, for error messages: `tool "add"`
 * @param what the name of the value in problems
 * @throws AgentError `INVALID_CONFIG` for a schema without a JSON Schema of `type: 'object'`, and for a `$ref` that leads nowhere
 */
export function compileSchema(schema: InputSchema, of: string, what = 'input'): CompiledSchema {
  const jsonSchema = jsonSchemaOf(schema, `The ${what} schema of ${of}`);
  if (jsonSchema.type !== 'object')
    fail('INVALID_CONFIG', `The ${what} schema of ${of} must be a JSON Schema of type 'object'.`);
  const dangling = danglingRef(jsonSchema, jsonSchema);
  if (dangling !== undefined)
    fail(
      'INVALID_CONFIG',
      `The ${what} schema of ${of} refers to ${JSON.stringify(dangling)}, which is not in it: add the definition, below \`$defs\` for example.`,
    );
  // A copy of its own: the page has the other one, in the tool.
  return { jsonSchema, validate: compileCheck(isStandard(schema) ? schema : structuredClone(jsonSchema), what) };
}

/**
 * Prepares the schema of a tool's result.
 *
 * @throws AgentError `INVALID_CONFIG` for a JSON Schema that JSON cannot represent
 */
export function compileOutput(schema: InputSchema, toolName: string): Check {
  const which = `The output schema of tool "${toolName}"`;
  return compileCheck(isStandard(schema) ? schema : copyJson(schema, which, 'INVALID_CONFIG'), 'output');
}

export function compileCheck(schema: InputSchema, what: string): Check {
  if (!isStandard(schema))
    return async (value) => {
      const problem = problemWith(toJson(value), schema, schema, what);
      return problem === undefined ? { value } : { problem };
    };
  return async (value) => {
    const result = await schema['~standard'].validate(value);
    return result.issues === undefined
      ? { value: result.value }
      : { problem: result.issues.map((issue) => describe(issue, what)).join('; ') };
  };
}

/**
 * Returns a schema in the form that a model reads.
 *
 * @param which the schema, for error messages: `The input schema of tool "add"`
 * @throws AgentError `INVALID_CONFIG` for a schema that cannot be written as JSON Schema
 */
export function jsonSchemaOf(schema: InputSchema, which: string): JsonObject {
  return isStandard(schema) ? toJsonSchema(schema['~standard'], which) : copyJson(schema, which, 'INVALID_CONFIG');
}

export function isStandard(schema: object): schema is StandardSchema {
  return '~standard' in schema;
}

function toJsonSchema({ jsonSchema, vendor }: StandardSchema['~standard'], which: string): JsonObject {
  if (jsonSchema === undefined) {
    const message = `${which} (${vendor}) cannot be converted to JSON Schema. Use zod ≥ 4.2, arktype ≥ 2.1.28, valibot's toStandardJsonSchema(), or plain JSON Schema.`;
    return fail('INVALID_CONFIG', message);
  }
  try {
    const json = toJson(jsonSchema.input({ target: 'draft-2020-12' }));
    return isJsonObject(json) ? json : {};
  } catch (error) {
    throw toAgentError(error, 'INVALID_CONFIG');
  }
}

function describe({ message, path = [] }: StandardIssue, what: string): string {
  const steps = path.map((step) => String(typeof step === 'object' ? step.key : step));
  return `${[what, ...steps].join('.')}: ${message}`;
}
