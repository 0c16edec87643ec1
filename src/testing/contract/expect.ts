import { filter, firstValueFrom, timeout } from 'rxjs';
import { AgentError, type AgentErrorCode } from '../../core/error.ts';
import { isJsonObject } from '../../core/json.ts';
import type { SessionStore } from '../../core/model/store.ts';

/** Throws unless both values are the same JSON, with keys in any order. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [actualText, expectedText] = [toText(actual), toText(expected)];
  if (actualText !== expectedText) throw new Error(`${what}: expected ${cut(expectedText)}, got ${cut(actualText)}.`);
}

/** Throws unless the promise rejects with an `AgentError` of that code. */
export async function refused(promise: Promise<unknown>, code: AgentErrorCode, what: string): Promise<void> {
  const thrown = await outcomeOf(promise);
  if (thrown instanceof AgentError && thrown.code === code) return;
  const got = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'success';
  throw new Error(`${what}: expected an AgentError ${code}, got ${got}.`);
}

/** Resolves with the error with which a promise rejects, or with `undefined` where the promise resolves. */
export async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error
      ? thrown
      : new Error(`Rejected with ${JSON.stringify(thrown)}, which is not an Error.`);
  }
}

/** Resolves when `changes$` emits that session; rejects after 3 s. Call it before the change. */
export async function notified(store: SessionStore, sessionId: string): Promise<void> {
  const isSession = filter((id: string) => id === sessionId);
  await firstValueFrom(store.changes$.pipe(isSession, timeout({ first: 3000 })));
}

function toText(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value, (_key, part: unknown) => sorted(part));
}

/** Converts objects to sorted pairs, so that a key named `__proto__` is compared too. */
function sorted(part: unknown): unknown {
  if (!isJsonObject(part)) return part;
  const pairs = Object.entries(part).filter(([, value]) => value !== undefined);
  return { pairs: pairs.sort(([a], [b]) => (a < b ? -1 : 1)).flat() };
}

function cut(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;
}
