import { AgentError, type AgentErrorCode, fail, messageOf } from '../../error.ts';
import { isJsonObject } from '../../json.ts';
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

/**
 * Returns the fields of an options object, each read once and within the call. Invariant: a later change of the object changes nothing. The
 * values are those of the caller: live objects such as a client stay, everything else is copied by the reader of the field.
 *
 * @param what names the options in the error, in the plural
 * @throws AgentError `code` for a value that is not an object, and for a getter or a proxy that throws
 */
export function readFields<T extends object>(options: T, what: string, code: AgentErrorCode = 'INVALID_INPUT'): T {
  const fields = reading(what, () => (isJsonObject(options) ? { ...options } : undefined), code);
  return fields ?? fail(code, `${what} are not an object.`);
}

/**
 * Reads what a caller passed.
 *
 * @throws AgentError `code`, with its cause, in the place of what a getter, a proxy or a function of the caller throws
 */
export function reading<T>(what: string, read: () => T, code: AgentErrorCode = 'INVALID_INPUT'): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof AgentError) throw thrown;
    return fail(code, `${what} cannot be read. ${messageOf(thrown)}`, thrown);
  }
}
