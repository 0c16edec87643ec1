import { type AgentErrorCode, fail } from '../../error.ts';
import { copyJson } from '../copy-json.ts';
import type { Shape } from './shape.ts';

/**
 * Returns a copy of a value that a caller passed, without fields that its shape does not have.
 *
 * @param what names the value in the error
 * @throws AgentError `code` for a value that JSON cannot represent or that does not have the shape, with the path and the reason
 */
export function readInput<T>(value: T, shape: Shape, what: string, code: AgentErrorCode = 'INVALID_INPUT'): T {
  const copy = copyJson(value, what, code);
  const flaw = shape(copy, '');
  return flaw === undefined ? copy : fail(code, `${what}${flaw.field && `: ${flaw.field}`} ${flaw.reason}.`);
}
