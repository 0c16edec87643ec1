import { fail, messageOf } from '../error.ts';
import { defined, isJsonObject, type Json, type JsonObject, toJson } from '../json.ts';
import { copyJson } from '../model/copy-json.ts';
import { type InputSchema, jsonSchemaOf } from './schema.ts';

/** Registered: a tool may come from another copy of the package. */
const key: unique symbol = Symbol.for('brooklet.question');

/** What `execute` returns to ask the person: made by `askPerson`. */
export interface Question {
  readonly [key]: JsonObject;
}

/** Field of `approval.elicitation`: the question comes from `askPerson`, with what the next execution needs. */
const field = 'x-brooklet-asked';
/** Characters of JSON. */
const maxState = 262_144;

/**
 * Makes the result with which `execute` asks the person in the midst of its work. The call then awaits the answer, also after a reload and in
 * another tab, and `execute` runs again with `context.answer` and `context.state`. It may ask again.
 *
 *     async execute({ to }, { answer, state }) {
 *       const found = await search(to);
 *       if (found.length > 1 && answer === undefined)
 *         return askPerson({ title: 'Which one?', enum: found.map(({ name }) => name) });
 *       …
 *     }
 *
 * Whatever `execute` did before it asked is done again, unless `state` says what was done: `execute` starts from its beginning.
 *
 * @param schema of the answer: Standard Schema with a JSON Schema, or plain JSON Schema; `title` is the question
 * @param state JSON of at most 262,144 characters, stored with the question; `context.state` of the next execution
 * @throws AgentError `TOOL_FAILED` for a schema or a state that cannot be stored
 */
export function askPerson(schema: InputSchema, state?: unknown): Question {
  const kept = state === undefined ? undefined : toKept(state);
  const elicitation = copyJson(
    jsonSchemaOf(schema, 'The schema of a question'),
    'The schema of a question',
    'TOOL_FAILED',
  );
  return asQuestion({ ...elicitation, [field]: defined({ state: kept }) });
}

function toKept(state: unknown): Json {
  try {
    const kept = toJson(state);
    if (JSON.stringify(kept).length <= maxState) return kept;
  } catch (cause) {
    return fail('TOOL_FAILED', `The state of a question cannot be stored. ${messageOf(cause)}`, cause);
  }
  return fail('TOOL_FAILED', `The state of a question has more than ${maxState} characters.`);
}

/** Returns the question with this `approval.elicitation`. */
export function asQuestion(elicitation: JsonObject): Question {
  return { [key]: elicitation };
}

/** Returns the `approval.elicitation` of a question, `undefined` for any other result. */
export function elicitationOf(result: unknown): JsonObject | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  const elicitation: unknown = Reflect.get(result, key);
  return isJsonObject(elicitation) ? elicitation : undefined;
}

/** Returns the state of a question of `askPerson`, `undefined` for another elicitation. */
export function askedBy(elicitation: JsonObject | undefined): { readonly state?: Json } | undefined {
  const asked = elicitation?.[field];
  return isJsonObject(asked) ? asked : undefined;
}
