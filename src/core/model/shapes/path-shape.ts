import type { CallPlace } from '../event.ts';
import { type Fields, id } from './fields.ts';
import { having, listOf, type Shape } from './shape.ts';

/** The most calls that lead to a session: a path of a file or of another device has no more. */
const longestPath = 32;

const places = listOf(having({ sessionId: id, callId: id } satisfies Fields<CallPlace>));

/** The calls that led to a session. */
export const path: Shape = (value, field) =>
  places(value, field) ??
  (Array.isArray(value) && value.length > 0 && value.length <= longestPath
    ? undefined
    : { field, reason: `is not a list of 1 to ${longestPath} calls` });
