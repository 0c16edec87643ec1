import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { toList } from '../model/read-json.ts';

/** Names that begin so are words of this package in the schema of an answer: the state of a question, the address that it is about. */
const ownWords = /^x-(mcp|brooklet)/i;

/**
 * Returns a schema that a server or an agent wrote, without what only this package may say in it, at every level. So the fields of this package
 * can stand beside those of the schema, and a page may trust them.
 */
export function foreignSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) =>
      value === undefined || ownWords.test(name) ? [] : [[name, inner(value)] as const],
    ),
  );
}

function inner(value: Json): Json {
  if (Array.isArray(value)) return toList(value).map(inner);
  return isJsonObject(value) ? foreignSchema(value) : value;
}
