import { fail } from '../error.ts';
import { hash } from '../model/hash.ts';
import { defined, type Json, type JsonObject } from '../json.ts';
import type { Part } from '../model/message.ts';
import type { CheckedInput, CheckedTool, Presentation, ToolContext } from './tool-types.ts';
import { decide } from './decide.ts';
import { execute } from './execute.ts';
import { checkToolOptions } from './check-tool-options.ts';
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

/** What a tool may return: text or JSON for the model, or parts (an image, for example). `undefined` is stored as `null`. */
export type ToolOutput = Json | readonly Part[] | object | undefined;

/** Options of `defineTool`. Required: `name`, `description`, `input` and `execute`. */
export interface ToolOptions<Schema extends InputSchema> {
  /** Letters, digits, `_` and `-`, 64 at most: what every provider accepts. */
  readonly name: string;
  /** What the tool does and when to use it. The model reads this text. */
  readonly description: string;
  /** Standard Schema (zod 4.2, valibot with `toStandardJsonSchema`, arktype, …) or plain JSON Schema. */
  readonly input: Schema;
  /** Schema of the result. A result that does not fit fails the call. Default: the result is not checked. */
  readonly output?: InputSchema;
  /** Runs the tool with a checked input. The output of the call is the returned value or, after a throw, the message of the error. */
  readonly execute: (input: InputOf<Schema>, context: ToolContext) => ToolOutput | Promise<ToolOutput>;
  /** Whether the user must approve each call. A function that throws counts as `true`. Default: `false`. */
  readonly needsApproval?: boolean | ((input: InputOf<Schema>) => boolean | Promise<boolean>);
  /** Makes each call an elicitation: JSON Schema of the user's answer. `execute` reads the answer from its context. */
  readonly answer?: JsonSchema | ((input: InputOf<Schema>) => JsonSchema);
  /** ms that the user has to decide or to answer; then the call expires, even while no page is open. Default: no limit. */
  readonly approvalTimeout?: number;
  /** ms that one call may take; then its signal aborts and the call ends as `timed-out`. Default: no limit. */
  readonly timeout?: number;
  /**
   * Maximum characters of the result, as text or JSON; a longer result is cut, with a mark that the model reads. Images, sounds and files
   * count apart: 20,000,000 characters of base64. Default 400,000, about 100,000 tokens.
   */
  readonly maxOutput?: number;
  /** Whether repeating a call with the same key is safe: a call that a closed page cut off runs again on `resume`. Default: `false`. */
  readonly idempotent?: boolean;
  /** Whether calls run alone, not in parallel with other calls of the same reply. Default: `false`. */
  readonly exclusive?: boolean;
  /**
   * Whether the model is asked again with the result; a function decides by the result, and is stored with it. When all calls of a reply
   * succeed and none asks for a follow-up, the run ends without another request. A function that throws counts as `true`. Default: `true`.
   */
  readonly followUp?: boolean | ((input: InputOf<Schema>, output: Json | readonly Part[]) => boolean);
  /** Makes a result presentable. An error in this function is ignored. */
  readonly present?: (input: InputOf<Schema>, output: Json | readonly Part[]) => Presentation;
}

/**
 * Defines a tool that the model may call.
 *
 *     defineTool({ name: 'add', description: 'Adds two numbers.', input: z.object({ a: z.number(), b: z.number() }), execute: ({ a, b }) => a + b })
 *
 * @throws AgentError `INVALID_CONFIG` for a name that providers refuse, a schema without a JSON Schema of `type: 'object'`, an `execute` that
 * is a generator, and an option of a wrong type or out of its range
 */
export function defineTool<const Schema extends InputSchema>(options: ToolOptions<Schema>): Tool {
  checkToolOptions(options);
  const { name, description, needsApproval = false, answer, timeout, approvalTimeout, present } = options;
  const { idempotent, exclusive, followUp, maxOutput } = options;
  const schema = compileSchema(options.input, `tool "${name}"`);
  const output = options.output && compileCheck(options.output, 'output');

  async function check(input: JsonObject): Promise<CheckedInput | { readonly problem: string }> {
    // A copy: a schema or a tool that changes its input changes neither the log nor what a person has approved.
    const validation = await schema
      .validate(structuredClone(input))
      .catch((error: unknown): Validation => ({ problem: String(error) }));
    if (validation.problem !== undefined) return validation;
    // The one place where a value becomes the schema's output type: the schema has just validated the value.
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
      requiresFollowUp(output) {
        try {
          return typeof followUp === 'function' ? followUp(value, output) : undefined;
        } catch {
          return true;
        }
      },
    };
  }

  const { jsonSchema: inputSchema } = schema;
  const version = hash(name + JSON.stringify(inputSchema));
  const checked: CheckedTool = { name, version, check, ...defined({ timeout, approvalTimeout, maxOutput }) };
  return {
    name,
    description,
    inputSchema,
    ...defined({ idempotent, exclusive, followUp: typeof followUp === 'boolean' ? followUp : undefined }),
    [engine]: {
      ...checked,
      checkAnswer: (userAnswer, elicitation) => problemWith(userAnswer, elicitation, elicitation, 'answer'),
      decide: (call, env) => decide(call, checked, env),
      execute: (call, env) => execute(call, checked, env),
    },
  };
}
