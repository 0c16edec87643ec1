import { isJsonObject, type Json, type JsonObject } from '../../core/model/index.ts';

/** One field of a form, read from its JSON Schema. */
export interface Field {
  /** The key in the value. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isRequired: boolean;
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice';
  /** The options of a `choice`. */
  readonly choices: readonly string[];
}

/** A schema as a form shows it. */
export type FormKind =
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** Yes or no. */
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text' }
  /** `isSingle`: the value is that of the only field, not an object. */
  | { readonly kind: 'fields'; readonly fields: readonly Field[]; readonly isSingle?: boolean }
  /** Any other schema: the person writes JSON. */
  | { readonly kind: 'json' };

/** Fields above which a form is not a help. */
const maxFields = 60;
/** Choices above which buttons become a list. */
const maxButtons = 12;

/** Reads the JSON Schema of a form. */
export function readSchema(schema: JsonObject): FormKind {
  const { kind, choices } = readField('', schema, true) ?? { kind: undefined, choices: [] };
  if (kind === 'choice') {
    if (choices.length <= maxButtons) return { kind, choices };
    return { kind: 'fields', fields: [{ name: single, label: '', isRequired: true, kind, choices }], isSingle: true };
  }
  if (kind === 'boolean' || kind === 'text') return { kind };
  const { properties, required } = schema;
  if (schema['type'] !== 'object' || !isJsonObject(properties)) return { kind: 'json' };
  const names = Array.isArray(required) ? required : [];
  const entries = Object.entries(properties);
  if (entries.length > maxFields) return { kind: 'json' };
  const fields = entries.map(([name, property]) =>
    isJsonObject(property) ? readField(name, property, names.includes(name)) : undefined,
  );
  return fields.every((field) => field !== undefined) ? { kind: 'fields', fields } : { kind: 'json' };
}

/** Name of the input of a value that is not an object. */
export const single = 'value';

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
  if (Array.isArray(options))
    return choices.length === options.length && choices.length > 0 ? { ...field, kind: 'choice' } : undefined;
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

/**
 * Converts the entries of a form into its value. Empty fields are omitted, and what the value had beside the fields is kept.
 *
 * @param before the value before the person has changed it
 */
export function toValue({ fields, isSingle }: FieldsForm, form: FormData, before: Json | undefined): Json {
  const known = isJsonObject(before) ? before : {};
  const names = new Set(fields.map(({ name }) => name));
  const kept = Object.entries(known).filter(([name]) => !names.has(name));
  const entries = fields.flatMap(({ name, kind, isRequired }): readonly (readonly [string, Json])[] => {
    const value = form.get(name);
    // A box that is not checked and was not a part of the value stays none.
    if (kind === 'boolean')
      return value === null && known[name] === undefined && !isRequired ? [] : [[name, value !== null]];
    if (typeof value !== 'string' || value.trim() === '') return [];
    return [[name, kind === 'number' || kind === 'integer' ? Number(value) : value]];
  });
  return isSingle ? (entries[0]?.[1] ?? '') : Object.fromEntries([...kept, ...entries]);
}

type FieldsForm = Extract<FormKind, { readonly kind: 'fields' }>;

/** Returns a schema of an input, as far as its values show it: the model's input is edited where the page has no schema. */
export function schemaOf(input: JsonObject): JsonObject {
  const properties = Object.entries(input).map(([name, value]) => [name, { type: typeOf(value) }] as const);
  return { type: 'object', properties: Object.fromEntries(properties), required: Object.keys(input) };
}

function typeOf(value: Json | undefined): string {
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
  return typeof value === 'number' ? 'number' : 'object';
}

/** Parses JSON; `undefined` for any other text. */
export function parseJSON(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
