import { fail } from '../error.ts';
import type { Json, JsonObject } from '../json.ts';
import { resolve } from './json-schema.ts';

/** The places of a schema that its `$ref`s name. */
export interface References {
  /**
   * Returns the reference to a place as providers accept it, `#/$defs/name`, whatever the place was: `#/definitions/name`,
   * `#/properties/a`. The whole schema stays `#`.
   *
   * @throws AgentError `INVALID_CONFIG` for a place that is not in the schema
   */
  nameOf(ref: string): string;
  /** Returns the reduced schemas of all places that were named. */
  definitions(): JsonObject;
}

/** @param reduce called once for each place */
export function createReferences(
  root: JsonObject,
  reduce: (schema: Json | undefined, references: References) => JsonObject,
): References {
  const names = new Map<string, string>();
  const definitions = new Map<string, JsonObject>();

  /** Returns a name that no other place has. */
  function freeName(ref: string): string {
    const base = ref.replace(/^.*\//, '').replace(/[^\w.-]/g, '_') || 'part';
    const taken = new Set(names.values());
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`;
    return name;
  }

  const references: References = {
    nameOf(ref) {
      const place = resolve(ref, root);
      if (place === undefined)
        fail('INVALID_CONFIG', `The schema refers to ${JSON.stringify(ref)}, which is not in it.`);
      if (ref === '#') return ref;
      let name = names.get(ref);
      if (name === undefined) {
        name = freeName(ref);
        // Named first: a schema may refer to itself.
        names.set(ref, name);
        definitions.set(name, reduce(place, references));
      }
      return `#/$defs/${name}`;
    },
    definitions: () => Object.fromEntries(definitions),
  };
  return references;
}
