import { named } from '../core/model/shapes/named.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import { type Tool } from '../core/tools/tool.ts';
import { optionalTextOf, textOf } from './input.ts';
import { mark } from './trust/mark.ts';

/** Options of `askTool`. */
export interface AskToolOptions {
  /** ms until an unanswered prompt expires. Default: no expiry. */
  readonly approvalTimeout?: number;
}

const shortText = { type: 'string', minLength: 1, maxLength: 200 } as const;
const choices = { type: 'array', items: shortText, minItems: 2, maxItems: 20 } as const;

/** The fields of a form. The field types are a closed set, so no pattern or `$ref` written by the model is evaluated. */
const fields = {
  type: 'array',
  minItems: 1,
  maxItems: 20,
  description: 'For several things at once: the fields of a form.',
  items: {
    type: 'object',
    properties: {
      name: { ...shortText, description: 'Under which the answer comes back, e.g. departure' },
      label: { ...shortText, description: 'What the person reads. Default: the name.' },
      type: { type: 'string', enum: ['text', 'number', 'integer', 'boolean', 'choice'] },
      choices,
      optional: { type: 'boolean' },
    },
    required: ['name', 'type'],
    additionalProperties: false,
  },
} as const;

/**
 * A tool with which the model asks the user for input: a choice, a text, or a form. The call awaits approval until the user
 * answers with `session.answer`, in any tab and after any time within `approvalTimeout`. The JSON Schema of the answer is
 * built from the model's input and stored in `approval.elicitation` of the call; its `title` is the text of the question.
 */
export function askTool(options: AskToolOptions = {}): Tool {
  const { approvalTimeout } = named(options, { approvalTimeout: true }, 'askTool');
  const tool = defineTool({
    name: 'ask_user',
    description:
      'Asks the person a question and waits for the answer. Give `choices` to let them pick one, or `fields` for a form; with neither they write text. Ask only what you cannot find out yourself.',
    input: {
      type: 'object',
      properties: {
        question: { type: 'string', minLength: 1, maxLength: 2_000 },
        choices: { ...choices, description: 'What the person may pick one of.' },
        fields,
      },
      required: ['question'],
      additionalProperties: false,
    },
    answer: toElicitation,
    ...(approvalTimeout !== undefined && { approvalTimeout }),
    execute: (_input, { answer }) => answer,
    present: (_input, output) =>
      isJsonObject(output)
        ? { summary: 'Answered', details: { type: 'json', value: output } }
        : { summary: `Answered: ${typeof output === 'string' ? output : JSON.stringify(output)}` },
  });
  return mark(tool, { trusted: true, harmless: true });
}

/** Returns the JSON Schema of the answer. */
function toElicitation(input: JsonObject): JsonObject {
  const title = textOf(input, 'question');
  const form = toList(input.fields).filter(isJsonObject);
  if (form.length === 0) return { title, ...textOrChoice(input) };
  return {
    title,
    type: 'object',
    properties: Object.fromEntries(form.map((field) => [textOf(field, 'name'), toProperty(field)])),
    required: form.filter(({ optional }) => optional !== true).map((field) => textOf(field, 'name')),
    additionalProperties: false,
  };
}

function toProperty(field: JsonObject): JsonObject {
  const title = optionalTextOf(field, 'label') ?? textOf(field, 'name');
  const type = textOf(field, 'type');
  return type === 'text' || type === 'choice' ? { title, ...textOrChoice(field) } : { title, type };
}

/** Without choices the answer is free text. */
function textOrChoice({ choices }: JsonObject): JsonObject {
  const from = [...new Set(toList(choices))];
  return from.length > 0 ? { type: 'string', enum: from } : { type: 'string', minLength: 1, maxLength: 10_000 };
}

function toList(value: Json | undefined): readonly Json[] {
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  return list;
}
