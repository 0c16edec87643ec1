import { fail } from '../error.ts';
import { defined, type Json, type JsonObject } from '../json.ts';
import type { ToolSpec } from '../llm/client.ts';
import type { Part, ToolDetails } from '../message.ts';
import { compileSchema, type InputOf, type InputSchema, type Validation } from './schema.ts';

/** What a tool may know while it runs. */
export interface ToolContext {
  /** Aborts when the run is cancelled or the tool's time is up. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
  readonly callId: string;
  /** The same for every attempt at this call: hand it to services that can tell a repeat. */
  readonly idempotencyKey: string;
  /** 1, 2, … */
  readonly attempt: number;
}

/** What a tool may give back: text or JSON for the model, or parts (an image, say). Nothing is `null`. */
export type ToolOutput = Json | readonly Part[] | object | undefined;

/** A result as a page shows it. */
export interface Presentation {
  /** One line. */
  readonly summary?: string;
  readonly details?: ToolDetails;
}

export interface ToolOptions<Schema extends InputSchema> {
  /** Letters, digits, `_` and `-`, 64 at most: what every provider accepts. */
  readonly name: string;
  /** When to use it and what it does: this is for the model. */
  readonly description: string;
  /** Standard Schema (zod 4.2, valibot with `toStandardJsonSchema`, arktype, …) or plain JSON Schema. */
  readonly input: Schema;
  readonly execute: (input: InputOf<Schema>, context: ToolContext) => ToolOutput | Promise<ToolOutput>;
  /** Whether a person must agree first. A function that throws means yes. Default: no. */
  readonly needsApproval?: boolean | ((input: InputOf<Schema>) => boolean | Promise<boolean>);
  /** ms it may take. Default: as long as it likes. */
  readonly timeout?: number;
  /** Makes a result presentable. One that throws costs nothing. */
  readonly present?: (input: InputOf<Schema>, output: Json | readonly Part[]) => Presentation;
}

/** A tool, ready for an agent: what the model is told, and the one way to an execution, which leads through the schema. */
export interface Tool extends ToolSpec {
  /** ms */
  readonly timeout?: number;
  /** Never throws: what the schema throws is its problem with the input. */
  readonly check: (input: JsonObject) => Promise<CheckedInput | { readonly problem: string }>;
}

/** An input that fits its tool's schema, and what can be done with it. */
export interface CheckedInput {
  readonly problem?: undefined;
  readonly needsApproval: () => Promise<boolean>;
  readonly execute: (context: ToolContext) => Promise<unknown>;
  readonly present: (output: Json | readonly Part[]) => Presentation;
}

/** What every provider accepts. */
const acceptedName = /^[\w-]{1,64}$/;

/**
 * Defines a tool that the model may call.
 *
 *     defineTool({ name: 'add', description: 'Adds two numbers.', input: z.object({ a: z.number(), b: z.number() }), execute: ({ a, b }) => a + b })
 *
 * @throws AgentError `INVALID_CONFIG` for a name that providers refuse, or a schema that cannot be told to a model
 */
export function defineTool<const Schema extends InputSchema>(options: ToolOptions<Schema>): Tool {
  const { name, description, needsApproval = false, timeout, present } = options;
  if (!acceptedName.test(name))
    fail('INVALID_CONFIG', `The tool name ${JSON.stringify(name)} must match ${acceptedName}.`);
  const schema = compileSchema(options.input, `tool "${name}"`);

  async function check(input: JsonObject): Promise<CheckedInput | { readonly problem: string }> {
    const validation = await schema.validate(input).catch((error: unknown): Validation => ({ problem: String(error) }));
    if (validation.problem !== undefined) return validation;
    // The one place where a value becomes the schema's type: the schema has just said that it is.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const value = validation.value as InputOf<Schema>;
    return {
      async needsApproval() {
        try {
          return typeof needsApproval === 'boolean' ? needsApproval : await needsApproval(value);
        } catch {
          return true;
        }
      },
      execute: async (context) => options.execute(value, context),
      present: (output) => present?.(value, output) ?? {},
    };
  }

  return { name, description, inputSchema: schema.jsonSchema, check, ...defined({ timeout }) };
}
