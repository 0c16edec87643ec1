import { isJsonObject, type Json } from '../../src/core/json.ts';

/** A field of a message: its type, and whether it is a list. */
interface Field {
  readonly type: string;
  readonly isList: boolean;
  /** The choice of which the message has at most one field. */
  readonly oneOf: string | undefined;
}

/** What a file of Protocol Buffers (proto3) defines, by name without a package. */
export interface ProtoSchema {
  readonly messages: ReadonlyMap<string, ReadonlyMap<string, Field>>;
  /** The numbers of each enumeration. */
  readonly enums: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Reads the definitions of a file without comments and options. The names of the fields are those of the JSON encoding. */
export function readProto(source: string): ProtoSchema {
  const messages = new Map<string, Map<string, Field>>();
  const enums = new Map<string, Set<number>>();
  const open: { readonly kind: string; readonly name: string }[] = [];
  const last = (kind: string): string => open.findLast((one) => one.kind === kind)?.name ?? '';
  for (const [, kind, name = '', list, type = '', field = '', number] of source.matchAll(
    /(message|enum|oneof)\s+(\w+)\s*\{|(repeated\s+)?([\w.]+)?\s+(\w+)\s*=\s*(\d+);|\}/g,
  )) {
    if (kind !== undefined) {
      open.push({ kind, name });
      if (kind === 'message') messages.set(name, new Map());
      if (kind === 'enum') enums.set(name, new Set());
    } else if (field === '') open.pop();
    else if (open.at(-1)?.kind === 'enum') enums.get(last('enum'))?.add(Number(number));
    else
      messages.get(last('message'))?.set(
        field.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
        {
          type: type.replace(/.*\./, ''),
          isList: list !== undefined,
          oneOf: open.at(-1)?.kind === 'oneof' ? last('oneof') : undefined,
        },
      );
  }
  return { messages, enums };
}

/** Returns a whole number that is written as text or as a number. */
function toInteger(value: Json): bigint | undefined {
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText && /^-?\d+$/.test(String(value)) ? BigInt(value) : undefined;
}

const isUnsigned = (bits: number) => (value: Json) => {
  const integer = toInteger(value);
  return integer !== undefined && BigInt.asUintN(bits, integer) === integer;
};

const isSigned = (bits: number) => (value: Json) => {
  const integer = toInteger(value);
  return integer !== undefined && BigInt.asIntN(bits, integer) === integer;
};

/** The JSON of the scalar types. An id of OTLP is hex, other bytes are base64. */
const scalars: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  double: (value) => typeof value === 'number' || value === 'NaN' || value === 'Infinity' || value === '-Infinity',
  bytes: (value) => typeof value === 'string' && /^(?:[\da-f]{2})*$/.test(value),
  uint32: isUnsigned(32),
  fixed32: isUnsigned(32),
  fixed64: isUnsigned(64),
  int32: isSigned(32),
  int64: isSigned(64),
};

/** Returns the paths in the JSON of a message that its definition does not allow. */
export function problemsOf(value: Json, message: string, schema: ProtoSchema, path = ''): readonly string[] {
  const fields = schema.messages.get(message);
  if (fields === undefined || !isJsonObject(value)) return [`${path} is no ${message}`];
  const problems: string[] = [];
  const chosen = new Map<string, string>();
  for (const [name, inner] of Object.entries(value)) {
    const field = fields.get(name);
    const place = `${path}.${name}`;
    if (field === undefined) problems.push(`${place} is unknown`);
    else if (field.isList && !Array.isArray(inner)) problems.push(`${place} is no list`);
    else {
      const items: readonly Json[] = field.isList && Array.isArray(inner) ? inner : [inner];
      problems.push(...items.flatMap((item) => problemsOfValue(item, field.type, schema, place)));
      if (field.oneOf === undefined) continue;
      if (chosen.has(field.oneOf)) problems.push(`${path} has ${chosen.get(field.oneOf)} and ${name}`);
      chosen.set(field.oneOf, name);
    }
  }
  return problems;
}

function problemsOfValue(value: Json, type: string, schema: ProtoSchema, path: string): readonly string[] {
  const numbers = schema.enums.get(type);
  const isValid = numbers ? (one: Json) => typeof one === 'number' && numbers.has(one) : scalars[type];
  if (isValid === undefined) return problemsOf(value, type, schema, path);
  return isValid(value) ? [] : [`${path} is no ${type}: ${JSON.stringify(value)}`];
}
