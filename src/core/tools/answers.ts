import { fail } from '../error.ts';
import type { JsonObject } from '../json.ts';
import { askedBy } from './ask-person.ts';
import { detached } from './detached.ts';
import { problemWith } from './json-schema.ts';
import type { ReportThrown } from './report-thrown.ts';
import { compileCheck, type InputSchema, isStandard, jsonSchemaOf } from './schema.ts';
import type { AnsweredContext, CheckedInput, ToolContext } from './tool-types.ts';

/** The `answer` of a tool, bound to one input. */
export interface Answers {
  /** Returns the JSON Schema of the answer, `undefined` for a tool that asks nothing. Where the tool's `answer` throws, any answer fits. */
  readonly elicitation: () => JsonObject | undefined;
  /** Checks an answer against a Standard Schema, else against the elicitation. Never rejects. */
  readonly check: CheckedInput['checkAnswer'];
}

/**
 * Returns a function that binds the `answer` of a tool to an input.
 *
 * @throws AgentError `INVALID_CONFIG` for a schema that cannot be written as JSON Schema
 */
export function compileAnswer<Value>(
  answer: InputSchema | ((input: Value) => InputSchema) | undefined,
  toolName: string,
): (input: Value, report: ReportThrown) => Answers {
  const toJSONSchema = (schema: InputSchema | undefined): JsonObject | undefined =>
    schema && jsonSchemaOf(schema, `The answer schema of tool "${toolName}"`);
  const isFunction = typeof answer === 'function' && !isStandard(answer);
  const fixed = isFunction ? undefined : toJSONSchema(answer);

  return (input, report) => ({
    elicitation() {
      try {
        return isFunction ? toJSONSchema(answer(detached(input))) : fixed;
      } catch (error) {
        report('`answer`', error);
        return {};
      }
    },
    async check(value, elicitation) {
      try {
        const schema = isFunction ? answer(detached(input)) : answer;
        // A question of `askPerson` has a schema of its own.
        if (schema && isStandard(schema) && !askedBy(elicitation)) return await compileCheck(schema, 'answer')(value);
      } catch (error) {
        report('`answer`', error);
        return { problem: String(error) };
      }
      const problem = elicitation && problemWith(value, elicitation, elicitation, 'answer');
      return problem === undefined ? { value } : { problem };
    },
  });
}

/**
 * Returns the context with the answer as a Standard Schema returns it. The log may contain an answer to an earlier version of the schema. The
 * answer to a question of `askPerson` was checked against the question.
 */
export async function withAnswer(context: ToolContext, { check }: Answers): Promise<AnsweredContext<unknown>> {
  if (context.state !== undefined) return { ...context, answer: context.answer };
  const validation = await check(context.answer);
  if (validation.problem !== undefined) return fail('TOOL_FAILED', `The answer does not fit: ${validation.problem}`);
  return { ...context, answer: validation.value };
}
