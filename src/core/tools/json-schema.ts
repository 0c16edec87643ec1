import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/**
 * Checks a value against the part of JSON Schema (draft 2020-12) that tools are written in, without `eval`, so that it works
 * under a strict content security policy: `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`,
 * `prefixItems`, lengths and bounds, `pattern`, `anyOf`, `oneOf`, `allOf`, `not` and `$ref` within the schema.
 * Other keywords (`format`, say) are for the model only.
 *
 * @returns what is wrong and where, for the model to read, or `undefined`
 */
export function problemWith(
  value: Json | undefined,
  schema: Json | undefined,
  root: JsonObject,
  path = 'input',
  depth = 0,
  /** The schemas that are looking at this same value. */
  trail: readonly JsonObject[] = [],
): string | undefined {
  if (schema === false) return `${path} is not allowed`;
  if (!isJsonObject(schema)) return undefined;
  if (depth > 64) return `${path} is nested too deeply`;
  if (trail.includes(schema)) return `${path} cannot be checked: its schema goes in circles`;

  const check = (inner: Json | undefined, part: Json | undefined, at = path): string | undefined =>
    problemWith(inner, part, root, at, depth + 1, at === path ? [...trail, schema] : []);
  const each = (keyword: string): readonly Json[] => toList(schema[keyword]);
  const number = (keyword: string): number | undefined => {
    const limit = schema[keyword];
    return typeof limit === 'number' ? limit : undefined;
  };

  if (typeof schema.$ref === 'string') {
    const target = resolve(schema.$ref, root);
    const problem =
      target === undefined ? `${path} cannot be checked: there is no ${schema.$ref}` : check(value, target);
    if (problem) return problem;
  }
  const types =
    typeof schema.type === 'string' ? [schema.type] : each('type').filter((type) => typeof type === 'string');
  if (types.length > 0 && !types.some((type) => hasType(value, type)))
    return `${path} must be ${types.join(' or ')}, not ${typeName(value)}`;
  if (schema.const !== undefined && !isEqual(value, schema.const))
    return `${path} must be ${JSON.stringify(schema.const)}`;
  if (Array.isArray(schema.enum) && !each('enum').some((one) => isEqual(value, one))) {
    return `${path} must be one of ${each('enum')
      .map((one) => JSON.stringify(one))
      .join(', ')}`;
  }
  for (const part of each('allOf')) {
    const problem = check(value, part);
    if (problem) return problem;
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const problems = each(keyword).map((part) => check(value, part));
    const fitting = problems.filter((problem) => problem === undefined).length;
    if (problems.length > 0 && fitting === 0) return problems[0];
    if (keyword === 'oneOf' && fitting > 1) return `${path} fits more than one of its alternatives`;
  }
  if (schema.not !== undefined && check(value, schema.not) === undefined) return `${path} is what it must not be`;

  if (typeof value === 'string') {
    // Counted only where it matters: a file is a long string.
    const length = schema.minLength === undefined && schema.maxLength === undefined ? 0 : [...value].length;
    if (length < (number('minLength') ?? 0)) return `${path} is shorter than ${number('minLength')} characters`;
    if (length > (number('maxLength') ?? Infinity)) return `${path} is longer than ${number('maxLength')} characters`;
    if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(value))
      return `${path} does not match ${schema.pattern}`;
  }
  if (typeof value === 'number') {
    if (value < (number('minimum') ?? -Infinity)) return `${path} is less than ${number('minimum')}`;
    if (value > (number('maximum') ?? Infinity)) return `${path} is more than ${number('maximum')}`;
    if (value <= (number('exclusiveMinimum') ?? -Infinity))
      return `${path} must be more than ${number('exclusiveMinimum')}`;
    if (value >= (number('exclusiveMaximum') ?? Infinity))
      return `${path} must be less than ${number('exclusiveMaximum')}`;
    const step = number('multipleOf');
    if (step !== undefined && !Number.isInteger(Number((value / step).toFixed(9))))
      return `${path} is not a multiple of ${step}`;
  }
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    if (items.length < (number('minItems') ?? 0)) return `${path} has fewer than ${number('minItems')} items`;
    if (items.length > (number('maxItems') ?? Infinity)) return `${path} has more than ${number('maxItems')} items`;
    const prefix = each('prefixItems');
    for (const [index, item] of items.entries()) {
      const problem = check(item, index < prefix.length ? prefix[index] : schema.items, `${path}[${index}]`);
      if (problem) return problem;
    }
  }
  if (isJsonObject(value)) {
    for (const key of each('required')) {
      if (typeof key === 'string' && !Object.hasOwn(value, key)) return `${path}.${key} is missing`;
    }
    const properties = isJsonObject(schema.properties) ? schema.properties : {};
    for (const key of Object.keys(value)) {
      const known = Object.hasOwn(properties, key);
      const problem = check(value[key], known ? properties[key] : schema.additionalProperties, `${path}.${key}`);
      if (problem) return problem;
    }
  }
  return undefined;
}

function toList(value: Json | undefined): readonly Json[] {
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  return list;
}

function hasType(value: Json | undefined, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : type === typeName(value);
}

function typeName(value: Json | undefined): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    const others: readonly Json[] = other;
    return one.length === others.length && one.every((item: Json, index) => isEqual(item, others[index]));
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
    );
  }
  return one === other;
}

/** `#/$defs/name` and the like: a JSON Pointer (RFC 6901) into the schema itself. */
function resolve(ref: string, root: JsonObject): Json | undefined {
  let found: Json | undefined = root;
  for (const step of ref.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isJsonObject(found)) found = toList(found)[Number(key)];
    else found = Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return ref === '#' || ref.startsWith('#/') ? found : undefined;
}
