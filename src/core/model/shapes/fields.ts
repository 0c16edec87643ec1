import { byType, filled, object, text, type Shape } from './shape.ts';

/** A shape for each field: tsc reports a field of the type that is missing here. */
export type Fields<T> = { readonly [K in Exclude<keyof T, 'type'>]-?: Shape };
export type FieldsByType<T extends { readonly type: string }> = {
  readonly [K in T['type']]: Fields<Extract<T, { readonly type: K }>>;
};

/** An object of a union, with the fields of its `type`. */
export function typed<T extends { readonly type: string }>(
  fields: FieldsByType<T>,
  common: { readonly [field: string]: Shape } = {},
): Shape {
  const shapes = Object.entries<{ readonly [field: string]: Shape }>(fields);
  return byType(Object.fromEntries(shapes.map(([type, own]) => [type, object({ type: string, ...own, ...common })])));
}

export const maxIdLength = 1000;
export const id: Shape = filled(maxIdLength);
/** A name, of a model or a tool for example. */
export const word: Shape = text(1000);
export const string: Shape = text();
/** The title of a session. */
export const title: Shape = text(10_000);
