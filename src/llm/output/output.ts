import { fail } from '../../core/error.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import { extractTextContent, type Message } from '../../core/model/message.ts';
import { compileSchema, type InputOf, type InputSchema } from '../../core/tools/schema.ts';
import type { OutputSpec } from '../../core/model/llm.ts';
import { isStrict, toPlainSchema } from './plain-schema.ts';

/** A typed answer: what a request is told of it, and how it is read. */
export interface Output<Value> extends OutputSpec {
  /**
   * The answer as a value of the schema's type. Rejects with AgentError `INVALID_OUTPUT` for one that is cut, no JSON or a misfit,
   * and says where; with `CONTENT_FILTERED` where the model refused.
   */
  read(answer: Message | string): Promise<Value>;
}

/** Options of `defineOutput`. */
export interface OutputOptions<Schema extends InputSchema> {
  /** For providers and messages: letters, digits, `_` and `-`. Default `answer`. */
  readonly name?: string;
  /** Standard Schema or plain JSON Schema, of `type: 'object'`. */
  readonly schema: Schema;
}

/**
 * Defines what an answer has to be.
 *
 *     const city = defineOutput({ schema: z.object({ name: z.string(), people: z.number() }) });
 *     const { message } = await session.send('The biggest city of Peru?', { output: city });
 *     const { name } = await city.read(message);
 *
 * Providers take a part of JSON Schema only: the rest is told in words, and checked by `read`.
 *
 * @throws AgentError `INVALID_CONFIG` for a name or a schema that providers refuse
 */
export function defineOutput<const Schema extends InputSchema>({
  name = 'answer',
  schema: given,
}: OutputOptions<Schema>): Output<InputOf<Schema>> {
  if (!/^[\w-]{1,64}$/.test(name))
    fail('INVALID_CONFIG', `The output name ${JSON.stringify(name)} must be letters, digits, _ and -, 64 at most.`);
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
        return fail('INVALID_OUTPUT', `The answer is no "${name}": ${validation.problem}. Ask again.`);
      // The one place where an answer becomes the schema's type: the schema has just said that it is.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return validation.value as InputOf<Schema>;
    },
  };
}

/** Models that are only told in words put their JSON into a code fence, or a sentence before it. */
function toJsonObject(text: string): JsonObject | undefined {
  const json = parseJson(text) ?? parseJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  return isJsonObject(json) ? json : undefined;
}

function failToRead(name: string, answer: Message | string | undefined): never {
  const { finish, status } = typeof answer === 'object' ? answer : {};
  if (finish === 'content-filter')
    return fail('CONTENT_FILTERED', `There is no "${name}": the model refused. Ask in another way.`);
  const why =
    finish === 'length'
      ? 'it was cut at its limit of tokens. Allow more (maxTokens).'
      : status === 'interrupted'
        ? 'it broke off. Resume, or ask again.'
        : 'it is not one JSON object. Ask again.';
  return fail('INVALID_OUTPUT', `The answer is no "${name}": ${why}`);
}
