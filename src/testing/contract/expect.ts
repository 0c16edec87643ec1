import { filter, firstValueFrom, timeout } from 'rxjs';
import { AgentError, type AgentErrorCode } from '../../core/error.ts';
import { isJsonObject } from '../../core/json.ts';
import type { SessionStore } from '../../core/model/store.ts';

/** Throws unless both are the same JSON; the order of keys does not count. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [toText(actual), toText(expected)];
  if (is !== should) throw new Error(`${what}: expected ${cut(should)}, got ${cut(is)}.`);
}

/** Throws unless the promise is rejected with an `AgentError` of that code. */
export async function refused(promise: Promise<unknown>, code: AgentErrorCode, what: string): Promise<void> {
  const thrown = await outcomeOf(promise);
  if (thrown instanceof AgentError && thrown.code === code) return;
  const got = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'success';
  throw new Error(`${what}: expected an AgentError ${code}, got ${got}.`);
}

/** What the promise was rejected with, `undefined` where it was fulfilled. */
export async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(`Rejected with ${JSON.stringify(thrown)}, which is no Error.`);
  }
}

/** Settles when the store has told of a change of that session; subscribe before you change it. */
export async function told(store: SessionStore, sessionId: string): Promise<void> {
  const isIt = filter((id: string) => id === sessionId);
  await firstValueFrom(store.changes$.pipe(isIt, timeout({ first: 3000 })));
}

function toText(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value, (_key, part: unknown) => sorted(part));
}

/** As pairs, so that a key named `__proto__` counts too. */
function sorted(part: unknown): unknown {
  if (!isJsonObject(part)) return part;
  const pairs = Object.entries(part).filter(([, value]) => value !== undefined);
  return { pairs: pairs.sort(([a], [b]) => (a < b ? -1 : 1)).flat() };
}

function cut(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;
}
