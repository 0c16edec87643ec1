import type { Json } from '../../json.ts';
import { type Annotation, maxAnnotations } from '../annotation.ts';
import { type Fields, id } from './fields.ts';
import { count, filled, type Flaw, listOf, maybe, object, type Shape, text, time } from './shape.ts';

const fields: Fields<Annotation> = {
  id,
  seq: count(),
  text: filled(10_000),
  at: time,
  userName: maybe(text(1_000)),
};

/** One annotation; unknown fields are removed. */
export const annotation: Shape = object(fields);

const list = listOf(annotation);

/** The annotations of one session. */
export const annotationList: Shape = (value, field) =>
  (Array.isArray(value) && tooMany(value, field)) || list(value, field);

function tooMany({ length }: readonly unknown[], field: string): Flaw | undefined {
  return length > maxAnnotations ? { field, reason: `has more than ${maxAnnotations} annotations` } : undefined;
}

/** Returns the annotations in an entry of a store, without those that another program has damaged. */
export function parseAnnotations(value: Json | undefined): readonly Annotation[] {
  if (!Array.isArray(value)) return [];
  const copy: Json[] = structuredClone(value);
  // The parse boundary between the store and the types: the shape checks each value.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return copy.filter((one) => annotation(one, '') === undefined).slice(0, maxAnnotations) as unknown as Annotation[];
}
