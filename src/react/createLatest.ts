/** A value of the last render, for functions that outlive the render. `set` belongs into an effect. */
export interface Latest<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
}

export function createLatest<T>(value: T): Latest<T> {
  let latest = value;
  return { get: () => latest, set: (next) => void (latest = next) };
}
