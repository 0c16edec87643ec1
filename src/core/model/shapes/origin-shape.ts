import type { RowOrigin } from '../store.ts';
import { type Fields, id, string } from './fields.ts';
import { having, maybe, oneOf, type Shape } from './shape.ts';

/** What the row of a session states of the write that stored it. */
export const rowOrigin: Shape = having({
  writeId: string,
  device: maybe(id),
  kind: maybe(oneOf('row', 'mark', 'kept')),
  of: maybe(string),
} satisfies Fields<RowOrigin>);
