import type { CallPlace } from '../event.ts';
import { type Fields, id } from './fields.ts';
import { having, listOf, type Shape } from './shape.ts';

/** The calls that led to a session. A path of a file or of another device has no more than 32. */
export const path: Shape = listOf(having({ sessionId: id, callId: id } satisfies Fields<CallPlace>), 1, 32);
