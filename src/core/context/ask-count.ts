import { AgentError, fail, messageOf } from '../error.ts';

/** The counts of one function of the page, which may be async. */
export interface AskedCounts<Value> {
  /**
   * Returns the count of a value: exact where it is known, else an estimate while the function counts.
   *
   * @param key identifies the content of the value
   * @throws AgentError `INVALID_CONFIG` where the function does not return a count
   */
  of(value: Value, key: unknown): number;
  /** Resolves when the counts under way are known; `undefined` while none is. Rejects with AgentError `INVALID_CONFIG`. */
  counting(): Promise<unknown> | undefined;
  /** How often an estimate was returned. */
  readonly estimates: () => number;
}

/** Counts that are kept. Messages keep their own counts: these are for a while only. */
const mostKept = 10_000;

/** @param name of the option, for errors */
export function createAskedCounts<Value>(
  name: string,
  count: (value: Value) => number | Promise<number>,
  estimate: (value: Value) => number,
): AskedCounts<Value> {
  const known = new Map<unknown, number>();
  const underWay = new Map<unknown, Promise<unknown>>();
  let isAsync = false;
  let estimates = 0;

  function ask(value: Value, key: unknown): number | undefined {
    const result: unknown = count(value);
    if (!isThenable(result)) return toCount(result, name);
    isAsync = true;
    const counting = Promise.resolve(result).then(
      (tokens) => void known.set(key, toCount(tokens, name)),
      (thrown: unknown) => Promise.reject(toFailure(thrown, name)),
    );
    // The run that needs the count reads the failure: `counting` rejects.
    counting.catch(() => {}).finally(() => underWay.delete(key));
    underWay.set(key, counting);
    return undefined;
  }

  return {
    of(value, key) {
      const before = isAsync ? known.get(key) : undefined;
      const tokens = before ?? (underWay.has(key) ? undefined : ask(value, key));
      if (tokens !== undefined) return tokens;
      estimates += 1;
      return estimate(value);
    },
    counting() {
      if (underWay.size > 0) return handled(Promise.all(underWay.values()));
      if (known.size > mostKept) known.clear();
      return undefined;
    },
    estimates: () => estimates,
  };
}

/** Marks a promise as handled: a caller may only want to know whether there is one. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function toFailure(thrown: unknown, name: string): AgentError {
  return new AgentError(`\`${name}\` failed: ${messageOf(thrown)}`, { code: 'INVALID_CONFIG', cause: thrown });
}

/** A value that is not a count would switch the check of the window off. @throws AgentError `INVALID_CONFIG` */
function toCount(value: unknown, name: string): number {
  if (typeof value === 'number' && value >= 0 && value < Infinity) return value;
  const shown =
    typeof value === 'number' || value === undefined || value === null ? String(value) : `a ${typeof value}`;
  return fail(
    'INVALID_CONFIG',
    `\`${name}\` returned ${shown}: it must return a number of tokens, from 0 on, or a promise of one.`,
  );
}
