import { named } from '../../core/model/shapes/named.ts';
import { fail } from '../../core/error.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import { extractTextContent, type Message } from '../../core/model/message.ts';
import { compileSchema, type InputOf, type InputSchema } from '../../core/tools/schema.ts';
import type { OutputSpec } from '../../core/model/settings.ts';
import { isStrict, toPlainSchema } from './plain-schema.ts';

/** A typed answer: its schema for the request, and its reader. */
export interface Output<Value> extends OutputSpec {
  /**
   * Returns the answer as a value of the schema's type. Rejects with AgentError `INVALID_OUTPUT` for an answer that is cut off, not JSON or
   * not valid, with the place in the message; with `CONTENT_FILTERED` where the model refused.
   */
  read(answer: Message | string): Promise<Value>;
}

/** Options of `defineOutput`. */
export interface OutputOptions<Schema extends InputSchema> {
  /** For providers and error messages: letters, digits, `_` and `-`, 64 at most. Default `answer`. */
  readonly name?: string;
  /** Standard Schema or plain JSON Schema, of `type: 'object'`. */
  readonly schema: Schema;
}

/**
 * Defines the schema of an answer.
 *
 *     const city = defineOutput({ schema: z.object({ name: z.string(), people: z.number() }) });
 *     const { message } = await session.send('The biggest city of Peru?', { output: city });
 *     const { name } = await city.read(message);
 *
 * Providers accept only a part of JSON Schema: the other keywords become part of the descriptions, and `read` validates them.
 *
 * @throws AgentError `INVALID_CONFIG` for a name or a schema that providers refuse
 */
export function defineOutput<const Schema extends InputSchema>(
  options: OutputOptions<Schema>,
): Output<InputOf<Schema>> {
  const { name = 'answer', schema: given } = named(options, { name: true, schema: true }, 'defineOutput');
  if (!/^[\w-]{1,64}$/.test(name))
    fail(
      'INVALID_CONFIG',
      `The output name ${JSON.stringify(name)} is invalid: use at most 64 letters, digits, _ and -.`,
    );
  const compiled = compileSchema(given, `output "${name}"`, 'answer');
  const schema = toPlainSchema(compiled.jsonSchema);
  const strict = isStrict(schema);

  return {
    name,
    schema,
    strict,
    async read(answer) {
      const json = toJsonObject(extractTextContent(answer)) ?? failToRead(name, answer);
      const validation = await compiled.validate(json);
      if (validation.problem !== undefined)
        return fail(
          'INVALID_OUTPUT',
          `The answer is not a valid "${name}": ${validation.problem}. Send the prompt again.`,
        );
      // Parse boundary: the schema has just validated the value.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return validation.value as InputOf<Schema>;
    },
  };
}

/** Models that know the schema only from the prompt put their JSON into a code fence, or a sentence before it. */
function toJsonObject(text: string): JsonObject | undefined {
  const json = parseJson(text) ?? parseJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  return isJsonObject(json) ? json : undefined;
}

function failToRead(name: string, answer: Message | string | undefined): never {
  const { finish, status } = typeof answer === 'object' ? answer : {};
  if (finish === 'content-filter')
    return fail('CONTENT_FILTERED', `There is no "${name}": the model refused. Rephrase the prompt.`);
  const why =
    finish === 'length'
      ? 'it was cut off at the token limit. Allow more tokens (maxTokens).'
      : status === 'interrupted'
        ? 'it was interrupted. Resume, or send the prompt again.'
        : 'it is not one JSON object. Send the prompt again.';
  return fail('INVALID_OUTPUT', `The answer is not a valid "${name}": ${why}`);
}
