import { type AgentErrorCode, fail, messageOf } from '../error.ts';
import { toJson } from '../json.ts';

/**
 * Returns a copy of a value that enters the log. Invariant: a later change of the caller's object does not change the log.
 *
 * @param what names the value in the error
 * @throws AgentError with the given code for a value that JSON cannot represent
 */
export function copyJson<T>(value: T, what: string, code: AgentErrorCode): T {
  try {
    // A copy has the type of its original.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return toJson(value) as T;
  } catch (cause) {
    return fail(code, `${what} cannot be stored. ${messageOf(cause)}`, cause);
  }
}
