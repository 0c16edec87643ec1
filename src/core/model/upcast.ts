import { isJsonObject, type JsonObject } from '../json.ts';
import { eventVersion } from './event.ts';

/** Makes a record of one version into one of the next: pure, total, and never changed once released. */
export type Upcaster = (record: JsonObject) => JsonObject;

/** By the version they start from. There is only one version yet; `test/storage/golden` has a log of each, kept for ever. */
const steps: { readonly [version: number]: Upcaster } = {};

/**
 * A record as the present version writes it, step by step. A record of a newer version, and what is no record, is given back as it
 * is: who reads it sees its `v`.
 */
export function upcast(record: unknown, by: typeof steps = steps, to: number = eventVersion): unknown {
  let current = record;
  while (isJsonObject(current) && typeof current.v === 'number' && current.v < to) {
    const step = Object.hasOwn(by, current.v) ? by[current.v] : undefined;
    if (step === undefined) return current;
    current = { ...step(current), v: current.v + 1 };
  }
  return current;
}
