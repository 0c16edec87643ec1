import type { Json, JsonObject } from 'brooklet';
import { isJsonObject } from 'brooklet/core';

/** One field of an elicitation, read from its JSON Schema. */
export interface Field {
  /** The key in the answer. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isRequired: boolean;
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice';
  /** The options of a `choice`. */
  readonly choices: readonly string[];
}

/** An elicitation as the page shows it. */
export type Elicitation =
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** Yes or no. */
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text' }
  | { readonly kind: 'form'; readonly fields: readonly Field[] }
  /** Any other schema: the user writes JSON. */
  | { readonly kind: 'json' };

/** Reads the JSON Schema of an elicitation. */
export function readElicitation(schema: JsonObject): Elicitation {
  const { kind, choices } = readField('', schema, true) ?? { kind: undefined, choices: [] };
  if (kind === 'choice') return { kind, choices };
  if (kind === 'boolean' || kind === 'text') return { kind };
  const { properties, required } = schema;
  if (schema['type'] !== 'object' || !isJsonObject(properties)) return { kind: 'json' };
  const names = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).map(([name, property]) =>
    isJsonObject(property) ? readField(name, property, names.includes(name)) : undefined,
  );
  return fields.every((field) => field !== undefined) ? { kind: 'form', fields } : { kind: 'json' };
}

function readField(name: string, schema: JsonObject, isRequired: boolean): Field | undefined {
  const { type, title, description } = schema;
  const options = schema['enum'];
  const choices = Array.isArray(options) ? options.filter((one) => typeof one === 'string') : [];
  const field = {
    name,
    label: typeof title === 'string' ? title : name,
    ...(typeof description === 'string' && { hint: description }),
    isRequired,
    choices,
  };
  if (Array.isArray(options)) return choices.length === options.length ? { ...field, kind: 'choice' } : undefined;
  switch (type) {
    case 'string':
      return { ...field, kind: 'text' };
    case 'number':
    case 'integer':
    case 'boolean':
      return { ...field, kind: type };
    default:
      return undefined;
  }
}

/** Converts a form into an answer. Empty fields are omitted; the session validates the rest. */
export function toAnswer(fields: readonly Field[], form: FormData): JsonObject {
  const entries = fields.flatMap(({ name, kind }): readonly (readonly [string, Json])[] => {
    const value = form.get(name);
    if (kind === 'boolean') return [[name, value !== null]];
    if (typeof value !== 'string' || value.trim() === '') return [];
    return [[name, kind === 'number' || kind === 'integer' ? Number(value) : value]];
  });
  return Object.fromEntries(entries);
}
