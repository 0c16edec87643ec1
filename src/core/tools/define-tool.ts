import { fail } from '../error.ts';
import { hash } from '../model/hash.ts';
import { defined, type Json, type JsonObject } from '../json.ts';
import type { Part } from '../model/message.ts';
import type { CheckedInput, CheckedTool, Presentation, ToolContext } from './checked-tool.ts';
import { decide } from './decide.ts';
import { execute } from './execute.ts';
import { problemWith } from './json-schema.ts';
import {
  compileCheck,
  compileSchema,
  type InputOf,
  type InputSchema,
  type JsonSchema,
  type Validation,
} from './schema.ts';
import { engine, type Tool } from './tool.ts';

/** What a tool may give back: text or JSON for the model, or parts (an image, say). Nothing is `null`. */
export type ToolOutput = Json | readonly Part[] | object | undefined;

/** Options of `defineTool`. Required: `name`, `description`, `input` and `execute`. */
export interface ToolOptions<Schema extends InputSchema> {
  /** Letters, digits, `_` and `-`, 64 at most: what every provider accepts. */
  readonly name: string;
  /** When to use it and what it does: this is for the model. */
  readonly description: string;
  /** Standard Schema (zod 4.2, valibot with `toStandardJsonSchema`, arktype, …) or plain JSON Schema. */
  readonly input: Schema;
  /** What it returns; a result that does not fit is an error. Default: not checked. */
  readonly output?: InputSchema;
  readonly execute: (input: InputOf<Schema>, context: ToolContext) => ToolOutput | Promise<ToolOutput>;
  /** Whether a person must agree first. A function that throws means yes. Default: no. */
  readonly needsApproval?: boolean | ((input: InputOf<Schema>) => boolean | Promise<boolean>);
  /** Makes each call a question: what a person may answer, as JSON Schema. `execute` finds their answer in its context. */
  readonly answer?: JsonSchema | ((input: InputOf<Schema>) => JsonSchema);
  /** ms a person has to decide or to answer; then the call expires, also while no page is open. Default: for ever. */
  readonly approvalTimeout?: number;
  /** ms it may take. Default: as long as it likes. */
  readonly timeout?: number;
  /** Running it twice with the same key does no harm: a call that a closed page cut off is run again on `resume`. */
  readonly idempotent?: boolean;
  /** Runs alone: not beside other calls of the same reply. */
  readonly exclusive?: boolean;
  /** `false`: when all calls of a reply are of such tools and succeed, the run ends without asking the model again. */
  readonly followUp?: boolean;
  /** Makes a result presentable. One that throws costs nothing. */
  readonly present?: (input: InputOf<Schema>, output: Json | readonly Part[]) => Presentation;
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
  const { name, description, needsApproval = false, answer, timeout, approvalTimeout, present } = options;
  const { idempotent, exclusive, followUp } = options;
  if (!acceptedName.test(name))
    fail('INVALID_CONFIG', `The tool name ${JSON.stringify(name)} must match ${acceptedName}.`);
  const schema = compileSchema(options.input, `tool "${name}"`);
  const output = options.output && compileCheck(options.output, 'output');

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
      elicitation: () => (typeof answer === 'function' ? answer(value) : answer),
      async execute(context) {
        const result = await options.execute(value, context);
        const { problem } = (await output?.(result)) ?? {};
        if (problem !== undefined) fail('TOOL_FAILED', `What the tool returned does not fit its schema: ${problem}`);
        return result;
      },
      present: (output) => present?.(value, output) ?? {},
    };
  }

  const { jsonSchema: inputSchema } = schema;
  const version = hash(name + JSON.stringify(inputSchema));
  const checked: CheckedTool = { name, version, check, ...defined({ timeout, approvalTimeout }) };
  return {
    name,
    description,
    inputSchema,
    ...defined({ idempotent, exclusive, followUp }),
    [engine]: {
      ...checked,
      checkAnswer: (given, elicitation) => problemWith(given, elicitation, elicitation, 'answer'),
      decide: (call, env) => decide(call, checked, env),
      execute: (call, env) => execute(call, checked, env),
    },
  };
}
