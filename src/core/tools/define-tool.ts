import { fail } from '../error.ts';
import { hash } from '../model/hash.ts';
import { defined, type JsonObject } from '../json.ts';
import { compileAnswer, withAnswer } from './answers.ts';
import { elicitationOf } from './ask-person.ts';
import { readFields, reading } from '../model/shapes/read-input.ts';
import { detached } from './detached.ts';
import type { ReportThrown } from './report-thrown.ts';
import type { CheckedInput, CheckedTool } from './tool-types.ts';
import { decide } from './decide.ts';
import { execute } from './execute.ts';
import { checkToolOptions } from './check-tool-options.ts';
import {
  compileOutput,
  compileSchema,
  type InputSchema,
  type JsonSchema,
  type UnconvertedOf,
  type Validation,
} from './schema.ts';
import { engine, type Tool } from './tool.ts';
import type { OutputOf, ResultOf, ToolOptions, ToolOutput } from './tool-options.ts';

/**
 * Defines a tool that the model may call.
 *
 *     defineTool({ name: 'add', description: 'Adds two numbers.', input: z.object({ a: z.number(), b: z.number() }), execute: ({ a, b }) => a + b })
 *
 * @throws AgentError `INVALID_CONFIG` for a name that providers refuse, a schema without a JSON Schema of `type: 'object'`, an `execute` that
 * is a generator, and an option of a wrong type or out of its range
 */
export function defineTool<
  const Name extends string,
  const Input extends InputSchema,
  const Output extends InputSchema = JsonSchema,
  Result extends ResultOf<Output> = ResultOf<Output>,
  const Answer extends InputSchema = JsonSchema,
>(
  options: ToolOptions<Input, Name, Output, Result, Answer>,
): Tool<Name, UnconvertedOf<Input>, OutputOf<Output, Result>>;
export function defineTool(given: ToolOptions<InputSchema, string, InputSchema, ToolOutput, InputSchema>): Tool {
  const options = readFields(given, 'The options of a tool', 'INVALID_CONFIG');
  reading('An option of a tool', () => checkToolOptions(options), 'INVALID_CONFIG');
  const { name, description, needsApproval = false, timeout, approvalTimeout, present } = options;
  const { idempotent, exclusive, followUp, maxOutput } = options;
  const schema = compileSchema(options.input, `tool "${name}"`);
  const output = options.output && compileOutput(options.output, name);
  const bindAnswer = compileAnswer(options.answer, name);

  async function check(
    input: JsonObject,
    report: ReportThrown = () => {},
  ): Promise<CheckedInput | { readonly problem: string }> {
    // A copy: a schema or a tool that changes its input changes neither the log nor what a person has approved.
    const validation = await schema.validate(structuredClone(input)).catch((error: unknown): Validation => {
      report('The input schema', error);
      return { problem: String(error) };
    });
    if (validation.problem !== undefined) return validation;
    const { value } = validation;
    const answers = bindAnswer(value, report);
    // Invariant: what runs is what was checked and approved. The functions that are called before `execute` get copies of the input, and those that
    // are called after it get the input of `execute`, and copies of the output, which is that of the log.
    return {
      async needsApproval() {
        try {
          return typeof needsApproval === 'boolean' ? needsApproval : await needsApproval(detached(value));
        } catch (error) {
          report('`needsApproval`', error);
          return true;
        }
      },
      elicitation: answers.elicitation,
      checkAnswer: answers.check,
      async execute(context) {
        const result = await options.execute.call(given, value, await withAnswer(context, answers));
        if (elicitationOf(result) !== undefined) return result;
        const { problem } = (await output?.(result)) ?? {};
        if (problem !== undefined) fail('TOOL_FAILED', `What the tool returned does not fit its schema: ${problem}`);
        return result;
      },
      present: (output) => present?.(value, structuredClone(output)) ?? {},
      requiresFollowUp(output) {
        try {
          return typeof followUp === 'function' ? followUp(value, structuredClone(output)) : undefined;
        } catch (error) {
          report('`followUp`', error);
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
      async checkAnswer(userAnswer, { input = {}, approval }) {
        const call = await check(input);
        return call.problem ?? (await call.checkAnswer(userAnswer, approval?.elicitation)).problem;
      },
      decide: (call, env) => decide(call, checked, env),
      execute: (call, env) => execute(call, checked, env),
    },
  };
}
